# Settings that every part shares: language, where outputs go, warnings, the CUDA compiler and its architectures.
include_guard(GLOBAL)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()
# What runs long asks for more itself, with lanes_optimised: the rest takes the compiler longer than it ever runs.
# nvcc's -O is for host code too; it optimises kernels in any case.
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
set(CMAKE_CUDA_FLAGS_RELEASE "-O1 -DNDEBUG")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

option(LANES_WARNINGS_AS_ERRORS "Our own host code compiles without a warning or not at all" ON)
set(LANES_SANITIZE "" CACHE STRING "Sanitizers for the host code: address, undefined, thread, or a list with commas")
option(LANES_FUZZ "Build the fuzzers of common/fuzz; needs Clang" OFF)
if(LANES_FUZZ AND NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  message(FATAL_ERROR "LANES_FUZZ needs Clang, which brings libFuzzer: set CMAKE_CXX_COMPILER to clang++, as the preset "
                      "fuzz does.")
endif()
if(LANES_SANITIZE)
  # Every program brings the sanitizer's runtime, those of nvcc too: it must be there before an instrumented library is.
  string(REPLACE "," "$<COMMA>" lanes_sanitizers "${LANES_SANITIZE}")
  add_link_options($<HOST_LINK:-fsanitize=${lanes_sanitizers}>)
endif()
get_filename_component(LANES_ROOT ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)

# lanes_host_target(NAME): warnings and sanitizers for a target compiled by the host compiler alone.
function(lanes_host_target target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
  if(LANES_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(LANES_SANITIZE)
    # A report ends the program, or a test would pass in spite of it. vptr needs the type information that the emulator
    # does without.
    target_compile_options(${target} PRIVATE -fsanitize=${LANES_SANITIZE} -fno-sanitize-recover=all -fno-sanitize=vptr
                                             -fno-omit-frame-pointer -g)
  endif()
  if(LANES_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  elseif(LANES_SANITIZE)
    target_compile_options(${target} PRIVATE -O1)  # instrumented code takes the compiler long at -O2, and gains little
  endif()
endfunction()

# lanes_optimised(NAME): for what interprets kernels, or stands between them and the interpreter.
function(lanes_optimised target)
  if(NOT LANES_SANITIZE)
    target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O3>)
  endif()
endfunction()

# lanes_no_restrict_warning(NAME): GCC 12 takes "text" + std::to_string(n) for overlapping copies (GCC bug 105651).
function(lanes_no_restrict_warning target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
endfunction()

# Architectures: all that the toolkit found can compile for and the book speaks of. PTX and cubin are both embedded:
# a bare number in CMAKE_CUDA_ARCHITECTURES asks for both.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  include(${CMAKE_CURRENT_LIST_DIR}/LanesArchitectures.cmake)
  lanes_choose_architectures(CMAKE_CUDA_ARCHITECTURES)
endif()
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
enable_language(CUDA)
# CMake before 3.26 does not know that nvcc speaks C++20.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
find_package(CUDAToolkit REQUIRED)
# Programs find the runtime of the toolkit that compiled them, also where the system does not know it: NVIDIA's wheels lie
# in .venv.
set(CMAKE_BUILD_RPATH ${CUDAToolkit_LIBRARY_DIR})
# The emulator stands in for it through LD_LIBRARY_PATH as well, which an RPATH of the old kind would bypass.
add_link_options($<HOST_LINK:-Wl$<COMMA>--enable-new-dtags>)
message(STATUS "CUDA ${CUDAToolkit_VERSION}, architectures ${CMAKE_CUDA_ARCHITECTURES}")
