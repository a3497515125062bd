// What the code that nvcc generates calls before main, and at exit: fat binaries, kernels and variables by name.
#include "call.hpp"
#include "loading.hpp"

#include <cuda_runtime_api.h>

using namespace lanes::runtime;

namespace {

Module* module_of(void** handle) {
    return reinterpret_cast<Module*>(handle);
}

}  // namespace

LANES_EXPORT void** __cudaRegisterFatBinary(void* wrapper) {
    return reinterpret_cast<void**>(process().modules.add(wrapper));
}

LANES_EXPORT void __cudaRegisterFatBinaryEnd(void** /*handle*/) {}

LANES_EXPORT void __cudaUnregisterFatBinary(void** handle) {
    process().modules.remove(module_of(handle));
}

LANES_EXPORT void __cudaRegisterFunction(void** handle, const char* host_function, char* /*device_function*/,
                                         const char* name, int /*thread_limit*/, uint3* /*thread*/, uint3* /*block*/,
                                         dim3* /*block_size*/, dim3* /*grid_size*/, int* /*warp_size*/) {
    process().modules.add_kernel(module_of(handle), host_function, name);
}

LANES_EXPORT void __cudaRegisterVar(void** handle, char* host_variable, char* /*device_address*/, const char* name,
                                    int /*external*/, size_t /*bytes*/, int /*constant*/, int /*global*/) {
    process().modules.add_variable(module_of(handle), host_variable, name, nullptr);
}

LANES_EXPORT void __cudaRegisterManagedVar(void** handle, void** host_pointer, char* /*device_address*/,
                                           const char* name, int /*external*/, size_t /*bytes*/, int /*constant*/,
                                           int /*global*/) {
    process().modules.add_variable(module_of(handle), static_cast<const void*>(host_pointer), name, host_pointer);
}

// The host is about to use a managed variable, so it needs its address now.
LANES_EXPORT char __cudaInitModule(void** handle) {
    return use_device([&] { return load(*module_of(handle)); }) == cudaSuccess ? 1 : 0;
}
