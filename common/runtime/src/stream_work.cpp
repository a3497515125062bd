#include "stream_work.hpp"

namespace lanes::runtime {

std::optional<cudaError_t> capture(cudaStream_t stream, NodeWork work) {
    Captures& captures = process().captures;
    if (!is_legacy_stream(stream)) return captures.add(stream, std::move(work));
    const cudaError_t forbidden = captures.check_legacy_stream();
    return forbidden == cudaSuccess ? std::nullopt : std::optional(forbidden);
}

}  // namespace lanes::runtime
