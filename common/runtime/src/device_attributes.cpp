#include "device_attributes.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>

namespace lanes::runtime {

namespace {

struct Entry {
    int attribute;
    int value;
};

// What all the emulated devices have in common, and what the emulator can or cannot do. Texture sizes are those of
// compute capability 7.5 and newer, as an H200 gives them. Numbers stand for attributes that older headers lack.
constexpr Entry common_attributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, 1024},
    {cudaDevAttrMaxBlockDimX, 1024},
    {cudaDevAttrMaxBlockDimY, 1024},
    {cudaDevAttrMaxBlockDimZ, 64},
    {cudaDevAttrMaxGridDimX, std::numeric_limits<int>::max()},
    {cudaDevAttrMaxGridDimY, 65535},
    {cudaDevAttrMaxGridDimZ, 65535},
    {cudaDevAttrTotalConstantMemory, 65536},
    {cudaDevAttrWarpSize, 32},
    {cudaDevAttrMaxPitch, std::numeric_limits<int>::max()},
    {cudaDevAttrMaxRegistersPerBlock, 65536},
    {cudaDevAttrTextureAlignment, 512},
    {cudaDevAttrGpuOverlap, 1},
    {cudaDevAttrKernelExecTimeout, 0},
    {cudaDevAttrIntegrated, 0},
    {cudaDevAttrCanMapHostMemory, 1},
    {cudaDevAttrComputeMode, cudaComputeModeDefault},
    {cudaDevAttrMaxTexture1DWidth, 131072},
    {cudaDevAttrMaxTexture2DWidth, 131072},
    {cudaDevAttrMaxTexture2DHeight, 65536},
    {cudaDevAttrMaxTexture3DWidth, 16384},
    {cudaDevAttrMaxTexture3DHeight, 16384},
    {cudaDevAttrMaxTexture3DDepth, 16384},
    {cudaDevAttrMaxTexture2DLayeredWidth, 32768},
    {cudaDevAttrMaxTexture2DLayeredHeight, 32768},
    {cudaDevAttrMaxTexture2DLayeredLayers, 2048},
    {cudaDevAttrSurfaceAlignment, 512},
    {cudaDevAttrConcurrentKernels, 1},
    {cudaDevAttrPciBusId, 1},
    {cudaDevAttrPciDeviceId, 0},
    {cudaDevAttrTccDriver, 0},
    {cudaDevAttrAsyncEngineCount, 3},
    {cudaDevAttrUnifiedAddressing, 1},
    {cudaDevAttrMaxTexture1DLayeredWidth, 32768},
    {cudaDevAttrMaxTexture1DLayeredLayers, 2048},
    {cudaDevAttrMaxTexture2DGatherWidth, 32768},
    {cudaDevAttrMaxTexture2DGatherHeight, 32768},
    {cudaDevAttrMaxTexture3DWidthAlt, 8192},
    {cudaDevAttrMaxTexture3DHeightAlt, 8192},
    {cudaDevAttrMaxTexture3DDepthAlt, 32768},
    {cudaDevAttrPciDomainId, 0},
    {cudaDevAttrTexturePitchAlignment, 32},
    {cudaDevAttrMaxTextureCubemapWidth, 32768},
    {cudaDevAttrMaxTextureCubemapLayeredWidth, 32768},
    {cudaDevAttrMaxTextureCubemapLayeredLayers, 2046},
    {cudaDevAttrMaxSurface1DWidth, 32768},
    {cudaDevAttrMaxSurface2DWidth, 131072},
    {cudaDevAttrMaxSurface2DHeight, 65536},
    {cudaDevAttrMaxSurface3DWidth, 16384},
    {cudaDevAttrMaxSurface3DHeight, 16384},
    {cudaDevAttrMaxSurface3DDepth, 16384},
    {cudaDevAttrMaxSurface1DLayeredWidth, 32768},
    {cudaDevAttrMaxSurface1DLayeredLayers, 2048},
    {cudaDevAttrMaxSurface2DLayeredWidth, 32768},
    {cudaDevAttrMaxSurface2DLayeredHeight, 32768},
    {cudaDevAttrMaxSurface2DLayeredLayers, 2048},
    {cudaDevAttrMaxSurfaceCubemapWidth, 32768},
    {cudaDevAttrMaxSurfaceCubemapLayeredWidth, 32768},
    {cudaDevAttrMaxSurfaceCubemapLayeredLayers, 2046},
    {cudaDevAttrMaxTexture1DLinearWidth, 268435456},
    {cudaDevAttrMaxTexture2DLinearWidth, 131072},
    {cudaDevAttrMaxTexture2DLinearHeight, 65000},
    {cudaDevAttrMaxTexture2DLinearPitch, 2097120},
    {cudaDevAttrMaxTexture2DMipmappedWidth, 32768},
    {cudaDevAttrMaxTexture2DMipmappedHeight, 32768},
    {cudaDevAttrMaxTexture1DMipmappedWidth, 32768},
    {cudaDevAttrStreamPrioritiesSupported, 1},
    {cudaDevAttrGlobalL1CacheSupported, 1},
    {cudaDevAttrLocalL1CacheSupported, 1},
    {cudaDevAttrMaxRegistersPerMultiprocessor, 65536},
    {cudaDevAttrManagedMemory, 1},
    {cudaDevAttrIsMultiGpuBoard, 0},
    {cudaDevAttrMultiGpuBoardGroupID, 0},
    {cudaDevAttrHostNativeAtomicSupported, 0},
    {cudaDevAttrPageableMemoryAccess, 0},
    {cudaDevAttrConcurrentManagedAccess, 1},
    {cudaDevAttrComputePreemptionSupported, 1},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
    {cudaDevAttrCooperativeLaunch, 1},
    {cudaDevAttrCanFlushRemoteWrites, 0},
    {cudaDevAttrHostRegisterSupported, 1},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0},
    {cudaDevAttrDirectManagedMemAccessFromHost, 0},
    {cudaDevAttrMaxAccessPolicyWindowSize, 134217728},
    {cudaDevAttrSparseCudaArraySupported, 0},
    {cudaDevAttrHostRegisterReadOnlySupported, 1},
    {cudaDevAttrTimelineSemaphoreInteropSupported, 0},
    {cudaDevAttrMemoryPoolsSupported, 1},
    {cudaDevAttrGPUDirectRDMASupported, 0},
    {cudaDevAttrGPUDirectRDMAFlushWritesOptions, 0},
    {cudaDevAttrGPUDirectRDMAWritesOrdering, 0},
    {cudaDevAttrMemoryPoolSupportedHandleTypes, 0},
    {cudaDevAttrClusterLaunch, 0},  // no emulated device has thread block clusters
    {cudaDevAttrDeferredMappingCudaArraySupported, 0},
    {cudaDevAttrIpcEventSupport, 0},
    {cudaDevAttrMemSyncDomainCount, 1},
    {130, 0},   // cudaDevAttrNumaConfig: none
    {131, -1},  // cudaDevAttrNumaId
    {133, 0},   // cudaDevAttrMpsEnabled
    {134, -1},  // cudaDevAttrHostNumaId
    {135, 0},   // cudaDevAttrD3D12CigSupported
    {138, 0},   // cudaDevAttrVulkanCigSupported
    {139, 0},   // cudaDevAttrGpuPciDeviceId
    {140, 0},   // cudaDevAttrGpuPciSubsystemId
    {142, 0},   // cudaDevAttrHostNumaMemoryPoolsSupported
    {143, 0},   // cudaDevAttrHostNumaMultinodeIpcSupported
    {144, 0},   // cudaDevAttrHostMemoryPoolsSupported
    {147, 0},   // cudaDevAttrOnlyPartialHostNativeAtomicSupported
};

// Attributes that NVIDIA reserves exist and say nothing.
bool is_reserved(int attribute) {
    constexpr int first_attribute = 1;
    constexpr int last_attribute = 147;
    return attribute >= first_attribute && attribute <= last_attribute;
}

std::optional<int> attribute_of_card(int attribute, const DeviceProfile& profile) {
    switch (attribute) {
        case cudaDevAttrClockRate:
            return static_cast<int>(profile.clock_khz);
        case cudaDevAttrMultiProcessorCount:
            return static_cast<int>(profile.multiprocessors);
        case cudaDevAttrEccEnabled:
            return profile.error_correction ? 1 : 0;
        case cudaDevAttrMemoryClockRate:
            return static_cast<int>(profile.memory_clock_khz);
        case cudaDevAttrGlobalMemoryBusWidth:
            return static_cast<int>(profile.memory_bus_bits);
        case cudaDevAttrL2CacheSize:
            return static_cast<int>(profile.l2_bytes);
        case cudaDevAttrMaxPersistingL2CacheSize:
            return static_cast<int>(profile.persisting_l2_bytes);
        case cudaDevAttrSingleToDoublePrecisionPerfRatio:
            return static_cast<int>(profile.single_to_double_ratio);
        default:
            return std::nullopt;
    }
}

std::optional<int> attribute_of_capability(int attribute, const model::MultiprocessorLimits& limits) {
    switch (attribute) {
        case cudaDevAttrComputeCapabilityMajor:
            return static_cast<int>(limits.capability.major_version);
        case cudaDevAttrComputeCapabilityMinor:
            return static_cast<int>(limits.capability.minor_version);
        case cudaDevAttrMaxThreadsPerMultiProcessor:
            return static_cast<int>(limits.threads());
        case cudaDevAttrMaxBlocksPerMultiprocessor:
            return static_cast<int>(limits.blocks);
        case cudaDevAttrMaxSharedMemoryPerBlock:
            return static_cast<int>(limits.default_shared_bytes_per_block);
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            return static_cast<int>(limits.shared_bytes_per_block);
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            return static_cast<int>(limits.shared_bytes);
        case cudaDevAttrReservedSharedMemoryPerBlock:
            return static_cast<int>(limits.reserved_bytes_per_block);
        default:
            return std::nullopt;
    }
}

// Reads attributes that are known to exist.
struct Reader {
    const DeviceProfile& profile;
    const model::MultiprocessorLimits& limits;

    int operator()(cudaDeviceAttr attribute) const { return *device_attribute(attribute, profile, limits); }
};

void set_execution(cudaDeviceProp& properties, const Reader& value) {
    properties.major = value(cudaDevAttrComputeCapabilityMajor);
    properties.minor = value(cudaDevAttrComputeCapabilityMinor);
    properties.multiProcessorCount = value(cudaDevAttrMultiProcessorCount);
    properties.warpSize = value(cudaDevAttrWarpSize);
    properties.maxThreadsPerBlock = value(cudaDevAttrMaxThreadsPerBlock);
    properties.maxThreadsPerMultiProcessor = value(cudaDevAttrMaxThreadsPerMultiProcessor);
    properties.maxBlocksPerMultiProcessor = value(cudaDevAttrMaxBlocksPerMultiprocessor);
    properties.maxThreadsDim[0] = value(cudaDevAttrMaxBlockDimX);
    properties.maxThreadsDim[1] = value(cudaDevAttrMaxBlockDimY);
    properties.maxThreadsDim[2] = value(cudaDevAttrMaxBlockDimZ);
    properties.maxGridSize[0] = value(cudaDevAttrMaxGridDimX);
    properties.maxGridSize[1] = value(cudaDevAttrMaxGridDimY);
    properties.maxGridSize[2] = value(cudaDevAttrMaxGridDimZ);
    properties.regsPerBlock = value(cudaDevAttrMaxRegistersPerBlock);
    properties.regsPerMultiprocessor = value(cudaDevAttrMaxRegistersPerMultiprocessor);
    properties.concurrentKernels = value(cudaDevAttrConcurrentKernels);
    properties.asyncEngineCount = value(cudaDevAttrAsyncEngineCount);
    properties.computePreemptionSupported = value(cudaDevAttrComputePreemptionSupported);
    properties.cooperativeLaunch = value(cudaDevAttrCooperativeLaunch);
    properties.clusterLaunch = value(cudaDevAttrClusterLaunch);
    properties.streamPrioritiesSupported = value(cudaDevAttrStreamPrioritiesSupported);
}

void set_memory(cudaDeviceProp& properties, const Reader& value) {
    properties.totalGlobalMem = value.profile.memory_bytes();
    properties.totalConstMem = static_cast<std::size_t>(value(cudaDevAttrTotalConstantMemory));
    properties.sharedMemPerBlock = static_cast<std::size_t>(value(cudaDevAttrMaxSharedMemoryPerBlock));
    properties.sharedMemPerBlockOptin = static_cast<std::size_t>(value(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    properties.sharedMemPerMultiprocessor =
        static_cast<std::size_t>(value(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
    properties.reservedSharedMemPerBlock = static_cast<std::size_t>(value(cudaDevAttrReservedSharedMemoryPerBlock));
    properties.memPitch = static_cast<std::size_t>(value(cudaDevAttrMaxPitch));
    properties.memoryBusWidth = value(cudaDevAttrGlobalMemoryBusWidth);
    properties.l2CacheSize = value(cudaDevAttrL2CacheSize);
    properties.persistingL2CacheMaxSize = value(cudaDevAttrMaxPersistingL2CacheSize);
    properties.accessPolicyMaxWindowSize = value(cudaDevAttrMaxAccessPolicyWindowSize);
    properties.ECCEnabled = value(cudaDevAttrEccEnabled);
    properties.globalL1CacheSupported = value(cudaDevAttrGlobalL1CacheSupported);
    properties.localL1CacheSupported = value(cudaDevAttrLocalL1CacheSupported);
    properties.canMapHostMemory = value(cudaDevAttrCanMapHostMemory);
    properties.unifiedAddressing = value(cudaDevAttrUnifiedAddressing);
    properties.managedMemory = value(cudaDevAttrManagedMemory);
    properties.concurrentManagedAccess = value(cudaDevAttrConcurrentManagedAccess);
    properties.canUseHostPointerForRegisteredMem = value(cudaDevAttrCanUseHostPointerForRegisteredMem);
    properties.hostRegisterSupported = value(cudaDevAttrHostRegisterSupported);
    properties.hostRegisterReadOnlySupported = value(cudaDevAttrHostRegisterReadOnlySupported);
    properties.memoryPoolsSupported = value(cudaDevAttrMemoryPoolsSupported);
}

void set_textures(cudaDeviceProp& properties, const Reader& value) {
    properties.textureAlignment = static_cast<std::size_t>(value(cudaDevAttrTextureAlignment));
    properties.texturePitchAlignment = static_cast<std::size_t>(value(cudaDevAttrTexturePitchAlignment));
    properties.surfaceAlignment = static_cast<std::size_t>(value(cudaDevAttrSurfaceAlignment));
    properties.maxTexture1D = value(cudaDevAttrMaxTexture1DWidth);
    properties.maxTexture2D[0] = value(cudaDevAttrMaxTexture2DWidth);
    properties.maxTexture2D[1] = value(cudaDevAttrMaxTexture2DHeight);
    properties.maxTexture3D[0] = value(cudaDevAttrMaxTexture3DWidth);
    properties.maxTexture3D[1] = value(cudaDevAttrMaxTexture3DHeight);
    properties.maxTexture3D[2] = value(cudaDevAttrMaxTexture3DDepth);
    properties.maxSurface1D = value(cudaDevAttrMaxSurface1DWidth);
    properties.maxSurface2D[0] = value(cudaDevAttrMaxSurface2DWidth);
    properties.maxSurface2D[1] = value(cudaDevAttrMaxSurface2DHeight);
}

}  // namespace

std::optional<int> device_attribute(int attribute, const DeviceProfile& profile,
                                    const model::MultiprocessorLimits& limits) {
    if (const auto value = attribute_of_card(attribute, profile)) return value;
    if (const auto value = attribute_of_capability(attribute, limits)) return value;
    const auto* const found = std::find_if(std::begin(common_attributes), std::end(common_attributes),
                                           [&](const Entry& entry) { return entry.attribute == attribute; });
    if (found != std::end(common_attributes)) return found->value;
    return is_reserved(attribute) ? std::optional<int>(0) : std::nullopt;
}

cudaDeviceProp device_properties(const DeviceProfile& profile, const model::MultiprocessorLimits& limits) {
    cudaDeviceProp properties{};
    const std::string name = profile.name();
    name.copy(properties.name, sizeof properties.name - 1);
    const Reader value{profile, limits};
    set_execution(properties, value);
    set_memory(properties, value);
    set_textures(properties, value);
    properties.pciBusID = value(cudaDevAttrPciBusId);
    properties.uuid.bytes[0] = static_cast<char>(profile.compute_capability);
#if CUDART_VERSION < 13000
    properties.clockRate = value(cudaDevAttrClockRate);
    properties.memoryClockRate = value(cudaDevAttrMemoryClockRate);
    properties.deviceOverlap = value(cudaDevAttrGpuOverlap);
    properties.singleToDoublePrecisionPerfRatio = value(cudaDevAttrSingleToDoublePrecisionPerfRatio);
#endif
    return properties;
}

}  // namespace lanes::runtime
