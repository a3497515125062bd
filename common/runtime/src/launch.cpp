// Launches: the <<<...>>> that nvcc compiles, and the calls.
#include "call.hpp"
#include "enum_number.hpp"
#include "launcher.hpp"
#include "loading.hpp"

#include <cuda_runtime_api.h>

#include <vector>

using namespace lanes::runtime;

namespace {

// kernel<<<grid, block, shared, stream>>>(...) pushes a configuration, and the stub that nvcc makes of the kernel pops
// it. Arguments are evaluated in between and may launch kernels of their own: hence a stack.
struct Configuration {
    dim3 grid;
    dim3 block;
    size_t shared_bytes = 0;
    cudaStream_t stream = nullptr;
};

std::vector<Configuration>& configurations() {
    thread_local std::vector<Configuration> stack;
    return stack;
}

cudaError_t pop_configuration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
    if (configurations().empty()) return cudaErrorMissingConfiguration;
    const Configuration configuration = configurations().back();
    configurations().pop_back();
    *grid = configuration.grid;
    *block = configuration.block;
    *shared_bytes = configuration.shared_bytes;
    *static_cast<cudaStream_t*>(stream) = configuration.stream;
    return cudaSuccess;
}

// A cluster of one block is no cluster.
cudaError_t check_cluster(const cudaLaunchAttribute& attribute, const LaunchRequest& request) {
    const auto& cluster = attribute.val.clusterDim;
    if (cluster.x == 0 || cluster.y == 0 || cluster.z == 0) return cudaErrorInvalidClusterSize;
    if (request.grid.x % cluster.x != 0 || request.grid.y % cluster.y != 0 || request.grid.z % cluster.z != 0)
        return cudaErrorInvalidClusterSize;
    if (cluster.x == 1 && cluster.y == 1 && cluster.z == 1) return cudaSuccess;
    print_message(
        "note",
        "the emulator has no thread block clusters: launch the kernel without cudaLaunchAttributeClusterDimension");
    return cudaErrorNotSupported;
}

cudaError_t apply_attribute(const cudaLaunchAttribute& attribute, LaunchRequest& request) {
    constexpr int last_attribute = 16;  // cudaLaunchAttributeNvlinkUtilCentricScheduling
    const int id = enum_number(attribute.id);
    if (id < cudaLaunchAttributeIgnore || id > last_attribute) return cudaErrorInvalidValue;
    if (id == cudaLaunchAttributeCooperative) request.cooperative = attribute.val.cooperative != 0;
    return id == cudaLaunchAttributeClusterDimension ? check_cluster(attribute, request) : cudaSuccess;
}

cudaError_t launch_configured(const cudaLaunchConfig_t* configuration, const void* function, void** arguments) {
    if (configuration == nullptr) return cudaErrorInvalidValue;
    if (configuration->attrs == nullptr && configuration->numAttrs != 0) return cudaErrorInvalidValue;
    LaunchRequest request{function,  configuration->gridDim,          configuration->blockDim,
                          arguments, configuration->dynamicSmemBytes, configuration->stream,
                          false};
    // The other attributes are hints about time, and nothing here runs at the same time.
    for (unsigned i = 0; i < configuration->numAttrs; ++i)
        if (const cudaError_t error = apply_attribute(configuration->attrs[i], request); error != cudaSuccess)
            return error;
    return launch(request);
}

}  // namespace

LANES_EXPORT unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream) {
    return query([&] {
        configurations().push_back({grid, block, shared_bytes, stream});
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
    return query([&] { return pop_configuration(grid, block, shared_bytes, stream); });
}

// The kernel is loaded when it is launched: programs register many that they never use.
LANES_EXPORT cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
    return query([&] {
        KernelEntry* entry = process().modules.find_kernel(function);
        if (kernel == nullptr) return cudaErrorInvalidValue;
        *kernel = reinterpret_cast<cudaKernel_t>(entry);
        return entry == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* function) {
    return use_device([&] {
        if (kernel == nullptr) return cudaErrorInvalidValue;
        KernelEntry* entry = nullptr;
        const cudaError_t error = find_loaded_kernel(function, entry);
        if (error == cudaSuccess) *kernel = reinterpret_cast<cudaKernel_t>(entry);
        return error;
    });
}

LANES_EXPORT cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                            size_t shared_bytes, cudaStream_t stream) {
    return use_device([&] { return launch({kernel, grid, block, arguments, shared_bytes, stream, false}); });
}

LANES_EXPORT cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                          size_t shared_bytes, cudaStream_t stream) {
    return use_device([&] { return launch({function, grid, block, arguments, shared_bytes, stream, false}); });
}

LANES_EXPORT cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                                     size_t shared_bytes, cudaStream_t stream) {
    return use_device([&] { return launch({function, grid, block, arguments, shared_bytes, stream, true}); });
}

LANES_EXPORT cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* configuration, const void* function,
                                             void** arguments) {
    return use_device([&] { return launch_configured(configuration, function, arguments); });
}
