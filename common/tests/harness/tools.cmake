# The commands as a person calls them: exit status and message.

# command_test(NAME STATUS MESSAGE COMMAND...): runs a command and looks at its exit status and its output.
function(command_test name status message)
  add_test(NAME harness.${name}
           COMMAND ${CMAKE_COMMAND} -DSTATUS=${status} -DMESSAGE=${message} -P
                   ${CMAKE_CURRENT_SOURCE_DIR}/expect.cmake -- ${ARGN})
endfunction()

set(files ${CMAKE_CURRENT_SOURCE_DIR}/files)
set(written ${CMAKE_CURRENT_BINARY_DIR})

command_test(snippets.written 0 "" $<TARGET_FILE:lanes-snippets> ${files}/snippets.cu --output ${written}/snippets.json)
command_test(snippets.unclosed 1 "unclosed.cu:3: // .copy. is never closed" $<TARGET_FILE:lanes-snippets>
             ${files}/unclosed.cu --output ${written}/unclosed.json)
command_test(snippets.no_file 1 "cannot read nowhere.cu" $<TARGET_FILE:lanes-snippets> nowhere.cu --output
             ${written}/nowhere.json)
command_test(snippets.no_output 2 "--output is required" $<TARGET_FILE:lanes-snippets> ${files}/snippets.cu)

command_test(counts.merge_ncu 0 "" $<TARGET_FILE:lanes-counts> --cases ${files}/times.json --ncu ${files}/ncu.csv
             --profiler "Nsight Compute 2025.3" --output ${written}/merged.counts.json)
command_test(counts.merged_file 0 "2 counts compared, 0 differences" $<TARGET_FILE:lanes-counts> --compare
             ${written}/merged.counts.json ${files}/h200.counts.json)
set_tests_properties(harness.counts.merge_ncu PROPERTIES FIXTURES_SETUP harness_merged_counts)
set_tests_properties(harness.counts.merged_file PROPERTIES FIXTURES_REQUIRED harness_merged_counts)
command_test(counts.compare_equal 0 "2 counts compared, 0 differences" $<TARGET_FILE:lanes-counts> --compare
             ${files}/h200.counts.json ${files}/emulator.counts.json)
command_test(counts.compare_different 1 "sectors.* is 10 and 8" $<TARGET_FILE:lanes-counts> --compare
             ${files}/h200.counts.json ${files}/wrong.counts.json)
command_test(counts.no_schema 1 "is not a file of the schema" $<TARGET_FILE:lanes-counts> --compare
             ${files}/times.json ${files}/times.json)
command_test(counts.emulated_or_not 1 "was not written on the emulator" $<TARGET_FILE:lanes-counts> --cases
             ${files}/times.json --emulator ${files}/lanes.json --output ${written}/never.counts.json)
command_test(counts.nothing_asked 2 "--cases or --compare" $<TARGET_FILE:lanes-counts>)
command_test(counts.half_asked 2 "--ncu or --emulator" $<TARGET_FILE:lanes-counts> --cases ${files}/times.json
             --output ${written}/never.counts.json)
command_test(counts.one_file 2 "--compare" $<TARGET_FILE:lanes-counts> --compare ${files}/h200.counts.json)

set(machine_code $<TARGET_FILE:lanes-machine-code> --source ${files}/snippets.cu --toolkit 13.0.88)
command_test(machine_code.sass 0 "" ${machine_code} --sass ${files}/kernels.sass --output ${written}/sass.json)
command_test(machine_code.no_kernel 1 "snippets.cu holds no kernel in PTX" ${machine_code} --ptx ${files}/snippets.cu
             --output ${written}/never.json)
command_test(machine_code.neither 2 "--ptx or --sass" ${machine_code} --output ${written}/never.json)
command_test(machine_code.both 2 "excludes" ${machine_code} --ptx a --sass b --output ${written}/never.json)

command_test(draw_banks.text 0 "8 wavefronts, 1 at best: 7 conflicts" $<TARGET_FILE:lanes-draw-banks> --format text
             --stride 8)
command_test(draw_banks.few_banks 0 "8 wavefronts, 1 at best: 7 conflicts" $<TARGET_FILE:lanes-draw-banks>
             --format text --stride 32 --banks 8)
command_test(draw_banks.tile 0 "2 wavefronts, 1 at best: 1 conflict" $<TARGET_FILE:lanes-draw-banks> --format text
             --pitch 17 --tile 16 --down)
command_test(draw_banks.swizzle 0 "1 wavefront, 1 at best: 0 conflicts" $<TARGET_FILE:lanes-draw-banks> --format text
             --pitch 16 --tile 16 --down --swizzle)
command_test(draw_banks.phases 0 "4 wavefronts, 4 at best: 0 conflicts" $<TARGET_FILE:lanes-draw-banks> --format text
             --width 16)
command_test(draw_banks.svg 0 "<title>A row</title>" $<TARGET_FILE:lanes-draw-banks> --title "A row")
command_test(draw_banks.one_row 0 "viewBox=\"0 0 660 " $<TARGET_FILE:lanes-draw-banks> --title "A row")
command_test(draw_banks.two_rows 0 "viewBox=\"0 0 340 " $<TARGET_FILE:lanes-draw-banks> --title "Two rows" --columns 16)
command_test(draw_banks.wide_and_few 2 "leave --width out" $<TARGET_FILE:lanes-draw-banks> --width 8 --banks 8)

command_test(draw_issue.halves 0 "7 instructions, 50.0 % of the lanes' places used" $<TARGET_FILE:lanes-draw-issue>
             --title Halves --then 4 --else 3)
command_test(draw_issue.one_lane 0 "one arm: rows 4, active lanes 1. the other arm: rows 3, active lanes 31. 7 instructions"
             $<TARGET_FILE:lanes-draw-issue> --title "One lane" --taken 1 --then 4 --else 3)
command_test(draw_issue.all_agree 0 "one arm: rows 4, active lanes 32. 4 instructions, 100.0 %"
             $<TARGET_FILE:lanes-draw-issue> --title Agreed --taken 32 --then 4 --else 3)
command_test(draw_issue.loop 0 "turn 8: rows 1, active lanes 4. 8 instructions, 56.2 %" $<TARGET_FILE:lanes-draw-issue>
             --title "A loop" --turns 8)
command_test(draw_issue.untitled 106 "--title is required" $<TARGET_FILE:lanes-draw-issue>)
command_test(draw_occupancy.svg 0 "1 block, 32 of 48 warps: 66.7 %" $<TARGET_FILE:lanes-draw-occupancy> --title Tiles
             --capability 8.9 --threads 1024 --registers 38)
command_test(draw_occupancy.binding 0 "Registers: 61,440 of 65,536, no room for another block"
             $<TARGET_FILE:lanes-draw-occupancy> --title Tiles --capability 10.0 --threads 256 --registers 40)
command_test(draw_occupancy.shared 0 "Shared memory: 102,400 of 102,400 bytes, no room for another block"
             $<TARGET_FILE:lanes-draw-occupancy> --title Half --capability 8.9 --threads 128 --registers 32
             --shared 50176)
command_test(draw_occupancy.unknown 2 "8.10 is no compute capability" $<TARGET_FILE:lanes-draw-occupancy> --title x
             --capability 8.10 --threads 32 --registers 32)
command_test(limits.capabilities 0 "Compute capability\t7.5\t8.0\t8.6\t8.9\t9.0\t10.0\t12.0" $<TARGET_FILE:lanes-limits>)
command_test(limits.warps 0 "Warps on a multiprocessor, at most\t32\t64\t48\t48\t64\t64\t48" $<TARGET_FILE:lanes-limits>)
command_test(limits.barriers 0 "Barriers of a multiprocessor\tno limit\t.*\t64\t64\t24" $<TARGET_FILE:lanes-limits>)
command_test(limits.cards 0 "L2 cache, MiB\t4\t40\t6\t72\t60\t126\t96" $<TARGET_FILE:lanes-limits> --cards)
command_test(limits.unknown_option 2 "--help" $<TARGET_FILE:lanes-limits> --limits)
