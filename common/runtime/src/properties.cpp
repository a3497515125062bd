// cudaDeviceGetAttribute and cudaGetDeviceProperties.
#include "call.hpp"
#include "device_attributes.hpp"
#include "enum_number.hpp"

#include <cuda_runtime_api.h>

using namespace lanes::runtime;

LANES_EXPORT cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return query([&] {
        if (value == nullptr) return cudaErrorInvalidValue;
        if (device != 0) return cudaErrorInvalidDevice;
        const auto found = device_attribute(enum_number(attribute), process().profile(), process().limits);
        if (!found) return cudaErrorInvalidValue;
        *value = *found;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    return query([&] {
        if (properties == nullptr) return cudaErrorInvalidValue;
        if (device != 0) return cudaErrorInvalidDevice;
        *properties = device_properties(process().profile(), process().limits);
        return cudaSuccess;
    });
}
