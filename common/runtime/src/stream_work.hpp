/// @file
/// @brief Work on streams: done at once, or captured into a graph.
#pragma once

#include "call.hpp"
#include "graphs.hpp"
#include "stream_handle.hpp"

#include <driver_types.h>

#include <optional>
#include <utility>

namespace lanes::runtime {

/// Captures work if its stream is being captured.
/// @param stream  a valid stream
/// @param work    what to do
/// @return nothing if the work is to be done now; else what the call returns
std::optional<cudaError_t> capture(cudaStream_t stream, NodeWork work);

/// Does work on a stream, or captures it.
/// @param stream  as the caller gave it
/// @param type    the kind of node it becomes when captured
/// @param run     returns a cudaError_t; holds copies of all it needs, since it may run later and more than once
/// @return cudaErrorInvalidResourceHandle if there is no such stream
template <typename Run>
cudaError_t submit(cudaStream_t stream, cudaGraphNodeType type, Run run) {
    return use_device([&]() -> cudaError_t {
        if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
        if (const auto captured = capture(stream, {type, run})) return *captured;
        return run();
    });
}

/// Runs a call that works on the legacy stream and waits for it: a capture may forbid that.
/// @param run  returns a cudaError_t
template <typename Run>
cudaError_t on_legacy_stream(Run run) {
    return use_device([&] {
        const cudaError_t forbidden = process().captures.check_legacy_stream();
        return forbidden == cudaSuccess ? run() : forbidden;
    });
}

/// Runs a call that waits for the device or may do so, such as an allocation: a capture may forbid that.
/// @param run  returns a cudaError_t
template <typename Run>
cudaError_t outside_capture(Run run) {
    return use_device([&] {
        const cudaError_t forbidden = process().captures.check_unsafe();
        return forbidden == cudaSuccess ? run() : forbidden;
    });
}

}  // namespace lanes::runtime
