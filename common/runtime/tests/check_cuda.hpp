/// @file
/// @brief Checks of CUDA calls for the tests: by name, so that a failure says which error it was.
#pragma once

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <string>

/// The call must return this error, such as CHECK_CUDA(cudaErrorInvalidValue, cudaFree(p)).
#define CHECK_CUDA(error, ...) CHECK(std::string(cudaGetErrorName(__VA_ARGS__)) == cudaGetErrorName(error))
/// The call must succeed, or the test case ends.
#define REQUIRE_CUDA(...) REQUIRE(std::string(cudaGetErrorName(__VA_ARGS__)) == "cudaSuccess")

namespace lanes::runtime::tests {

/// What a launch of an impossible shape returns: CUDA 13 changed it.
inline constexpr cudaError_t bad_shape =
    CUDART_VERSION >= 13000 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;

}  // namespace lanes::runtime::tests
