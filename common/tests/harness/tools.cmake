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
