/// @file
/// @brief Stream handles: which are valid.
#pragma once

#include "process.hpp"

#include <driver_types.h>

namespace lanes::runtime {

/// Whether a handle is one of the default streams.
inline bool is_default_stream(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

/// Whether a handle is that of the legacy default stream, which waits for all blocking streams and they for it.
inline bool is_legacy_stream(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy;
}

/// Whether a handle can be used: one of the default streams, or one that the program made and has not destroyed.
inline bool is_stream(cudaStream_t stream) {
    return is_default_stream(stream) || process().streams.get(stream).has_value();
}

/// Whether a stream and the legacy stream wait for each other.
/// @param stream  a valid one
inline bool is_blocking_stream(cudaStream_t stream) {
    const auto made = process().streams.get(stream);
    return !made || (made->flags & cudaStreamNonBlocking) == 0;
}

}  // namespace lanes::runtime
