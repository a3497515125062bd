# Programs with kernels, on the emulator.

# harness_program(NAME): a program of the harness, for one architecture: what is tested is not the kernel's code.
function(harness_program name)
  add_executable(harness_${name} ${name}.cu)
  set_target_properties(harness_${name} PROPERTIES CUDA_ARCHITECTURES 80)
  target_link_libraries(harness_${name} PRIVATE lanes_harness)
  target_compile_options(harness_${name} PRIVATE -lineinfo -Werror=all-warnings -Xcompiler=-Wall,-Wextra)
  add_dependencies(harness_${name} lanes)
endfunction()

harness_program(device)
harness_program(broken_kernels)

set(device $<TARGET_FILE:harness_device>)
set(broken $<TARGET_FILE:harness_broken_kernels>)
set(run $<TARGET_FILE:lanes> run)
set(no_gpu ${CMAKE_COMMAND} -E env CUDA_VISIBLE_DEVICES=)

# All of a program: tests, times, and a results file.
command_test(device 0 "Status: SUCCESS" ${run} ${device} --json ${written}/device.times.json)
command_test(device.times_file 0 "" ${CMAKE_COMMAND} -DFILE=${written}/device.times.json -P
             ${CMAKE_CURRENT_SOURCE_DIR}/expect_times.cmake)
set_tests_properties(harness.device PROPERTIES FIXTURES_SETUP harness_times)
set_tests_properties(harness.device.times_file PROPERTIES FIXTURES_REQUIRED harness_times)

# Without a GPU the program finds the emulator by itself, or says what is missing.
command_test(fallback.found 0 "running on the emulator.*Status: SUCCESS" ${no_gpu} ${device} --no-bench
             -tc=*host?vector*)
command_test(fallback.missing 1 "no GPU that this program can use.*does not exist" ${no_gpu}
             LANES_EMULATOR=${written}/nowhere ${device} --no-bench)

# It finds the CUDA runtime where the compiler has it, although the system may not know that place.
command_test(runtime_path 0 "RUNPATH.*${CUDAToolkit_LIBRARY_DIR}" readelf -d ${device})

# Counts: the cases, each launched once, and the emulator's counts beside them.
command_test(counts.run 0 "one_warp" ${run} --json ${written}/device.lanes.json ${device} --counts --json
             ${written}/device.cases.json)
command_test(counts.merge_emulator 0 "" $<TARGET_FILE:lanes-counts> --cases ${written}/device.cases.json --emulator
             ${written}/device.lanes.json --output ${written}/device.counts.json)
set_tests_properties(harness.counts.run PROPERTIES FIXTURES_SETUP harness_cases)
set_tests_properties(harness.counts.merge_emulator PROPERTIES FIXTURES_REQUIRED harness_cases)

# The command line.
command_test(command_line.help 0 "--bench-only" ${device} --help)
command_test(command_line.unknown 2 "there is no option --qiuck" ${device} --qiuck)
command_test(command_line.no_test_selected 1 "No test ran" ${run} ${device} --no-bench -tc=nothing)
command_test(command_line.list 0 "moving an array moves its memory" ${device} -ltc)
command_test(command_line.json_nowhere 1 "cannot write" ${run} ${device} --no-bench -tc=*empty?array* --json
             ${written}/nowhere/a.json)
command_test(command_line.no_cases 1 "has no counted cases" ${run} ${broken} --counts)

# What is broken must be found: exit status 1 and the reason.
command_test(red.nan 1 "64 of 64 elements are wrong.*got -?nan, expected" ${run} ${broken} --no-bench -tc=nan)
command_test(red.nan_within_bound 1 "64 of 64 elements are wrong" ${run} ${broken} --no-bench
             "-tc=nan within a bound")
command_test(red.stale_output 1 "1 of 64 elements are wrong.*.63.: never written" ${run} ${broken} --no-bench
             "-tc=stale output")
command_test(red.out_of_bounds 1 "kernel copy_shifted failed with cudaErrorIllegalAddress" ${run} ${broken} --no-bench
             "-tc=out of bounds")
command_test(red.lost_term 1 "1 of 1 elements are wrong.*off by" ${run} ${broken} --no-bench "-tc=lost term")
command_test(red.unchecked_launch 1 "the launch of one of the kernels failed" ${run} ${broken} --no-bench
             "-tc=unchecked launch")
command_test(red.wrong_prediction 1 "8 == 7" ${run} ${broken} --no-bench "-tc=wrong prediction")
command_test(red.unknown_counter 1 "no counter of this name" ${run} ${broken} --no-bench "-tc=unknown counter")
command_test(red.wrong_measurement 1 "copy_nan timed a wrong result" ${run} ${broken} --bench-only)
