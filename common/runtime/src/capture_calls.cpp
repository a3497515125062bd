// Stream capture: begun, ended, and asked about.
#include "enum_number.hpp"
#include "stream_work.hpp"

#include <cuda_runtime_api.h>

using namespace lanes::runtime;

namespace {

cudaError_t begin(cudaStream_t stream, int mode) {
    if (is_legacy_stream(stream)) return cudaErrorStreamCaptureUnsupported;
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
    return process().captures.begin(stream, is_blocking_stream(stream), mode);
}

}  // namespace

LANES_EXPORT cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return use_device([&] { return begin(stream, enum_number(mode)); });
}

LANES_EXPORT cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    return use_device([&] {
        if (graph == nullptr) return cudaErrorInvalidValue;
        if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
        return process().captures.end(stream, *graph);
    });
}

LANES_EXPORT cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return use_device([&] {
        if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
        if (status == nullptr) return cudaErrorInvalidValue;
        if (is_legacy_stream(stream) && process().captures.touches_legacy_stream())
            return cudaErrorStreamCaptureImplicit;
        *status = process().captures.status(stream);
        return cudaSuccess;
    });
}
