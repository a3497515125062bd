# lanes_chapter(NAME): the program of a chapter, and its tests on the emulator.
#
# Included by each chapter's own CMakeLists.txt, so that a chapter builds from the top and alone.
include(${CMAKE_CURRENT_LIST_DIR}/LanesProject.cmake)

function(lanes_chapter name)
  add_executable(${name} ${name}.cu)
  target_include_directories(${name} PRIVATE ${LANES_ROOT}/common/include)
  # -lineinfo: counts and faults name source lines.
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo -Werror=all-warnings -Xcompiler=-Wall,-Wextra>)
  target_link_options(${name} PRIVATE -Wl,--enable-new-dtags)
  if(TARGET lanes_harness)  # compiled once for all chapters; without it, as with plain nvcc, it is compiled here
    target_link_libraries(${name} PRIVATE lanes_harness)
  endif()
  if(TARGET lanes)
    add_dependencies(${name} lanes)
    add_test(NAME chapter.${name}.emulator COMMAND lanes run $<TARGET_FILE:${name}> --no-bench)
  endif()
endfunction()
