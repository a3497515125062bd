/// @file
/// @brief Checked CUDA calls and launches: a failure is an exception that says where, what and what to do.
#pragma once

#include <cuda_runtime.h>

#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lanes {

/// @brief A place in the source: what std::source_location says, for compilers that lack it (clang before 15, nvcc
/// before 12.2).
struct CallSite {
    const char* file;  ///< as given to the compiler
    unsigned line;     ///< counted from 1

    /// @brief The place where this is called; as a default argument, the place of the outermost call.
    /// @param file leave it out
    /// @param line leave it out
    /// @return the place
    static constexpr CallSite here(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
        return {file, line};
    }
};

/// A CUDA call or launch that failed. `what()` is the whole message; `code()` is CUDA's own value.
class CudaError : public std::runtime_error {
public:
    /// Keeps the message a reader sees beside the value a program can test.
    CudaError(cudaError_t code, const std::string& message) : std::runtime_error(message), code_(code) {}

    /// The value that the CUDA call returned.
    cudaError_t code() const { return code_; }

private:
    cudaError_t code_;
};

namespace detail {

/// What to do about an error that readers meet often; empty for the others.
inline std::string_view advice(cudaError_t code) {
    switch (code) {
        case cudaErrorMemoryAllocation:
            return "The device has no memory left for this: ask for less, or try --quick.";
        case cudaErrorInvalidValue:
            return "An argument is out of range. For a launch: at most 1024 threads a block, at least one block, "
                   "grid y and z at most 65535, and no more dynamic shared memory than the kernel has opted in to.";
        case cudaErrorInvalidConfiguration:
            return "A launch takes 1 to 1024 threads a block, at least one block, and grid y and z at most 65535.";
        case cudaErrorLaunchOutOfResources:
            return "The block needs more registers than a multiprocessor has: use fewer threads or __launch_bounds__.";
        case cudaErrorIllegalAddress:
            return "A kernel accessed memory outside its arrays; `lanes run` or compute-sanitizer names the line. "
                   "Every later CUDA call of this process fails too.";
        case cudaErrorMisalignedAddress:
            return "An access was not aligned to its width (16 bytes for a float4); `lanes run` names the line.";
        case cudaErrorLaunchFailure:
            return "A kernel stopped with a fault; `lanes run` or compute-sanitizer names it.";
        case cudaErrorNoDevice:
        case cudaErrorInsufficientDriver:
            return "There is no GPU that this CUDA runtime can use. `lanes run PROGRAM` runs it on the emulator.";
        case cudaErrorNoKernelImageForDevice:
        case cudaErrorUnsupportedPtxVersion:
            return "The program has no code for this GPU: compile with -arch=native, or name its architecture.";
        default:
            return "";
    }
}

/// The line of source at a location, without its indentation; empty where the source is not readable.
inline std::string source_line(const CallSite& where) {
    std::ifstream source(where.file);
    std::string line;
    for (unsigned number = 0; number < where.line; ++number) {
        if (!std::getline(source, line)) return "";
    }
    const auto first = line.find_first_not_of(" \t");
    return first == std::string::npos ? "" : line.substr(first);
}

/// Throws the CudaError for a failed call.
[[noreturn]] inline void throw_cuda_error(cudaError_t code, std::string_view what, const CallSite& where) {
    std::string message = std::string(where.file) + ":" + std::to_string(where.line) + ": " + std::string(what) +
                          " failed with " + cudaGetErrorName(code) + " (" + std::to_string(static_cast<int>(code)) +
                          "): " + cudaGetErrorString(code) + ".";
    if (const auto hint = advice(code); !hint.empty()) message += " " + std::string(hint);
    throw CudaError(code, message);
}

}  // namespace detail

/// @brief Throws unless a CUDA call succeeded: `lanes::check(cudaMalloc(&pointer, bytes));`.
/// @param code  what the call returned
/// @param where the caller's place in the source; leave it out
/// @throws CudaError with the file, the line and its text, the error's name and meaning, and advice where there is some
inline void check(cudaError_t code, CallSite where = CallSite::here()) {
    if (code == cudaSuccess) return;
    const auto line = detail::source_line(where);
    detail::throw_cuda_error(code, line.empty() ? "a CUDA call" : "`" + line + "`", where);
}

/// @brief Throws unless the kernel launched just before was accepted and ran to its end.
///
/// `cudaGetLastError` sees what the launch itself refused; only waiting for the device shows what went wrong inside.
/// @param kernel the kernel's name, for the message
/// @param where  the caller's place in the source; leave it out
/// @throws CudaError as check() does
inline void check_launch(std::string_view kernel, CallSite where = CallSite::here()) {
    if (const auto code = cudaGetLastError(); code != cudaSuccess) {
        detail::throw_cuda_error(code, "the launch of " + std::string(kernel), where);
    }
    if (const auto code = cudaDeviceSynchronize(); code != cudaSuccess) {
        detail::throw_cuda_error(code, "kernel " + std::string(kernel), where);
    }
}

}  // namespace lanes
