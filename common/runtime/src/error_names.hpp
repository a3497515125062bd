/// @file
/// @brief Names and descriptions of CUDA's error codes.
#pragma once

namespace lanes::runtime {

/// Name of an error code, such as "cudaErrorInvalidValue".
/// @return "unrecognized error code" if there is none, as NVIDIA's runtime says
const char* error_name(int code) noexcept;

/// Description of an error code, such as "invalid argument".
/// @return "unrecognized error code" if there is none, as NVIDIA's runtime says
const char* error_description(int code) noexcept;

}  // namespace lanes::runtime
