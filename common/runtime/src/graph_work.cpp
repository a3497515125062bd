#include "graph_work.hpp"

#include "launcher.hpp"
#include "process.hpp"
#include "transfer.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

namespace lanes::runtime {

namespace {

// Fills rows with elements of more than one byte: a row on the host, copied as often as needed.
cudaError_t fill_elements(const cudaMemsetParams& fill) {
    std::vector<std::byte> row(fill.width * fill.elementSize);
    for (std::size_t i = 0; i < fill.width; ++i)
        std::memcpy(row.data() + i * fill.elementSize, &fill.value, fill.elementSize);
    for (std::size_t i = 0; i < fill.height; ++i) {
        const cudaError_t error = copy("cudaGraphAddMemsetNode", static_cast<std::byte*>(fill.dst) + i * fill.pitch,
                                       row.data(), row.size(), cudaMemcpyHostToDevice);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

}  // namespace

cudaError_t kernel_work(const cudaKernelNodeParams* parameters, NodeWork& work) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    LaunchRequest request;
    request.function = parameters->func;
    request.grid = parameters->gridDim;
    request.block = parameters->blockDim;
    request.arguments = parameters->kernelParams;
    request.shared_bytes = parameters->sharedMemBytes;
    PackedLaunch packed;
    if (const cudaError_t error = pack(request, packed); error != cudaSuccess) return error;
    work = {cudaGraphNodeTypeKernel, [packed] { return launch(packed); }};
    return cudaSuccess;
}

cudaError_t fill_work(const cudaMemsetParams* parameters, NodeWork& work) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    const unsigned bytes = parameters->elementSize;
    if (bytes != 1 && bytes != 2 && bytes != 4) return cudaErrorInvalidValue;
    if (parameters->height > 1 && parameters->pitch < parameters->width * bytes) return cudaErrorInvalidValue;
    work = {cudaGraphNodeTypeMemset, [fill = *parameters] { return fill_elements(fill); }};
    return cudaSuccess;
}

cudaError_t run(const GraphSteps& steps) {
    for (const GraphStep& step : steps) {
        if (process().device_error.load() != cudaSuccess) return cudaSuccess;
        if (!step.work.run) continue;
        if (const cudaError_t error = step.work.run(); error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

}  // namespace lanes::runtime
