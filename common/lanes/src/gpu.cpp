#include "gpu.hpp"

#include <dlfcn.h>

#include <cstdlib>

namespace lanes {

namespace {

// The driver's library is not linked: a machine without a GPU has none.
template <typename Function>
Function* function_of(void* library, const char* name) {
    return reinterpret_cast<Function*>(dlsym(library, name));
}

std::string no_device() {
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    return visible == nullptr ? "the driver has no device"
                              : "the driver has no device that CUDA_VISIBLE_DEVICES=" + std::string(visible) + " shows";
}

}  // namespace

std::string gpu_obstacle() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return "NVIDIA's driver is not installed";
    // Never closed: the driver's threads outlive the questions.
    auto* const start = function_of<int(unsigned)>(library, "cuInit");
    auto* const count = function_of<int(int*)>(library, "cuDeviceGetCount");
    if (start == nullptr || count == nullptr) return "NVIDIA's driver is not whole";
    constexpr int no_device_error = 100;  // CUDA_ERROR_NO_DEVICE
    int devices = 0;
    int error = start(0);
    if (error == 0) error = count(&devices);
    if (error != 0 && error != no_device_error)
        return "NVIDIA's driver does not start: CUresult " + std::to_string(error);
    return devices > 0 ? "" : no_device();
}

}  // namespace lanes
