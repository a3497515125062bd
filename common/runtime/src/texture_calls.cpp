// Texture and surface objects: made, described and destroyed. What a kernel does with one is not emulated, and the
// kernel that does it says so.
#include "call.hpp"
#include "enum_number.hpp"

#include <cuda_runtime_api.h>

using namespace lanes::runtime;

namespace {

bool is_device_range(const void* pointer, size_t bytes) {
    return bytes != 0 && process().memory.contains(reinterpret_cast<std::uint64_t>(pointer), bytes);
}

cudaError_t check_pitched(const cudaResourceDesc& resource) {
    const auto& pitched = resource.res.pitch2D;
    const size_t alignment = 32;  // cudaDevAttrTexturePitchAlignment
    if (pitched.width == 0 || pitched.height == 0 || pitched.pitchInBytes % alignment != 0)
        return cudaErrorInvalidValue;
    return is_device_range(pitched.devPtr, pitched.pitchInBytes * (pitched.height - 1) + 1) ? cudaSuccess
                                                                                            : cudaErrorInvalidValue;
}

cudaError_t check_resource(const cudaResourceDesc& resource) {
    switch (enum_number(resource.resType)) {
        case cudaResourceTypeArray:
            return process().arrays.get(resource.res.array.array) ? cudaSuccess : cudaErrorInvalidValue;
        case cudaResourceTypeMipmappedArray:
            print_message("note", "the emulator has no mipmapped CUDA arrays");
            return cudaErrorNotSupported;
        case cudaResourceTypeLinear:
            return is_device_range(resource.res.linear.devPtr, resource.res.linear.sizeInBytes) ? cudaSuccess
                                                                                                : cudaErrorInvalidValue;
        case cudaResourceTypePitch2D:
            return check_pitched(resource);
        default:
            return cudaErrorInvalidValue;
    }
}

cudaError_t create_texture(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                           const cudaTextureDesc* texture, const cudaResourceViewDesc* view) {
    if (object == nullptr || resource == nullptr || texture == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = check_resource(*resource); error != cudaSuccess) return error;
    *object = process().textures.add({*resource, *texture, view == nullptr ? cudaResourceViewDesc{} : *view});
    return cudaSuccess;
}

cudaError_t create_surface(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
    if (object == nullptr || resource == nullptr) return cudaErrorInvalidValue;
    if (enum_number(resource->resType) != cudaResourceTypeArray) return cudaErrorInvalidValue;
    const auto array = process().arrays.get(resource->res.array.array);
    if (!array || (array->flags & cudaArraySurfaceLoadStore) == 0) return cudaErrorInvalidValue;
    *object = process().surfaces.add(*resource);
    return cudaSuccess;
}

// Reads one part of a texture object.
template <typename Value, typename Part>
cudaError_t get(cudaTextureObject_t object, Value* value, Part part) {
    return use_device([&] {
        const auto found = process().textures.get(object);
        if (!found || value == nullptr) return cudaErrorInvalidValue;
        return part(*found, *value);
    });
}

}  // namespace

LANES_EXPORT cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                                 const cudaTextureDesc* texture, const cudaResourceViewDesc* view) {
    return use_device([&] { return create_texture(object, resource, texture, view); });
}

// An object that is none is left alone, as on a GPU.
LANES_EXPORT cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    return use_device([&] {
        process().textures.remove(object);
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
    return get(object, resource, [](const Texture& texture, cudaResourceDesc& value) {
        value = texture.resource;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t object) {
    return get(object, description, [](const Texture& texture, cudaTextureDesc& value) {
        value = texture.texture;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view, cudaTextureObject_t object) {
    return get(object, view, [](const Texture& texture, cudaResourceViewDesc& value) {
        value = texture.view;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
    return use_device([&] { return create_surface(object, resource); });
}

LANES_EXPORT cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
    return use_device([&] {
        process().surfaces.remove(object);
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object) {
    return use_device([&] {
        const auto found = process().surfaces.get(object);
        if (!found || resource == nullptr) return cudaErrorInvalidValue;
        *resource = *found;
        return cudaSuccess;
    });
}
