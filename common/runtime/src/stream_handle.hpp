/// @file
/// @brief Stream handles: which are valid.
#pragma once

#include "process.hpp"

#include <driver_types.h>

namespace lanes::runtime {

/// Whether a handle is one of the default streams, or a stream that the program made and has not destroyed.
inline bool is_default_stream(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

/// Whether a handle can be used.
inline bool is_stream(cudaStream_t stream) {
    return is_default_stream(stream) || process().streams.get(stream).has_value();
}

}  // namespace lanes::runtime
