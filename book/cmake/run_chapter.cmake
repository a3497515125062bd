# Runs a chapter's program, on the GPU if it finds a usable one and else on the emulator, and files what it measured.
# usage: cmake -DPROGRAM=FILE -DRESULTS=FOLDER -P run_chapter.cmake
#
# Writes RESULTS/<program>/here.times.json or emulator.times.json, and ran-on.txt beside it and in RESULTS.
get_filename_component(name ${PROGRAM} NAME)
set(folder ${RESULTS}/${name})
file(MAKE_DIRECTORY ${folder})
execute_process(COMMAND ${PROGRAM} --json ${folder}/measured.json RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${name} ended with ${status}: see its words above")
endif()
file(READ ${folder}/measured.json measured)
string(JSON emulated GET "${measured}" provenance emulated)
string(JSON device GET "${measured}" provenance device)
file(REMOVE ${folder}/here.times.json ${folder}/emulator.times.json)
if(emulated)
  file(RENAME ${folder}/measured.json ${folder}/emulator.times.json)
else()
  file(RENAME ${folder}/measured.json ${folder}/here.times.json)
endif()
file(WRITE ${folder}/ran-on.txt "${device}\n")
file(WRITE ${RESULTS}/ran-on.txt "${device}\n")
