// Occupancy against cuda_occupancy.h, which the CUDA Toolkit ships.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <lanes/model/occupancy.hpp>

#include "headline_values.hpp"

#include <cuda_occupancy.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace lanes::model;

namespace {

/// Whether a toolkit's structure has virtual resources, which those of CUDA 12 do not all know.
template <typename Attributes>
concept HasVirtualResources = requires(Attributes attributes) {
    attributes.virtualResourceCount;
};
constexpr bool toolkit_has_virtual_resources = HasVirtualResources<cudaOccFuncAttributes>;

/// The model's limits in the toolkit's form.
/// @param limits of a multiprocessor
cudaOccDeviceProp toolkit_properties(const MultiprocessorLimits& limits) {
    cudaOccDeviceProp properties;
    properties.computeMajor = static_cast<int>(limits.capability.major_version);
    properties.computeMinor = static_cast<int>(limits.capability.minor_version);
    properties.maxThreadsPerBlock = static_cast<int>(limits.threads_per_block);
    properties.maxThreadsPerMultiprocessor = static_cast<int>(limits.threads());
    properties.regsPerBlock = static_cast<int>(limits.registers);
    properties.regsPerMultiprocessor = static_cast<int>(limits.registers);
    properties.warpSize = warp_size;
    properties.sharedMemPerBlock = limits.default_shared_bytes_per_block;
    properties.sharedMemPerMultiprocessor = limits.shared_bytes;
    properties.numSms = 1;
    properties.sharedMemPerBlockOptin = limits.shared_bytes_per_block;
    properties.reservedSharedMemPerBlock = limits.reserved_bytes_per_block;
    return properties;
}

/// Sets virtual resources where there are any.
template <typename Attributes>
void set_virtual_resources(Attributes& attributes, int count) {
    if constexpr (HasVirtualResources<Attributes>) attributes.virtualResourceCount = count;
}

/// The blocks that virtual resources allow; what the model says where the toolkit says nothing.
template <typename Answer>
int virtual_limit(const Answer& answer, int otherwise) {
    if constexpr (requires { answer.blockLimitVirtual; })
        return answer.blockLimitVirtual;
    else
        return otherwise;
}

/// A kernel's attributes in the toolkit's form.
/// @param block what each block asks for
cudaOccFuncAttributes toolkit_attributes(const BlockResources& block) {
    cudaOccFuncAttributes attributes;
    attributes.maxThreadsPerBlock = 1024;
    attributes.numRegs = static_cast<int>(block.registers_per_thread);
    attributes.sharedSizeBytes = block.static_shared_bytes;
    attributes.shmemLimitConfig = block.max_dynamic_shared_bytes ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT;
    attributes.maxDynamicSharedSizeBytes = block.max_dynamic_shared_bytes.value_or(0);
    attributes.numBlockBarriers = static_cast<int>(block.barriers);
    set_virtual_resources(attributes, static_cast<int>(block.virtual_resources));
    return attributes;
}

/// The toolkit's answer.
/// @param result gets it
/// @param limits of a multiprocessor
/// @param block what each block asks for
/// @param carve_out_percent preferred carve-out
/// @return whether there is one
cudaOccError ask_toolkit(cudaOccResult& result, const MultiprocessorLimits& limits, const BlockResources& block,
                         std::optional<std::uint32_t> carve_out_percent) {
    const cudaOccDeviceProp properties = toolkit_properties(limits);
    const cudaOccFuncAttributes attributes = toolkit_attributes(block);
    cudaOccDeviceState state;
    state.carveoutConfig = carve_out_percent ? static_cast<int>(*carve_out_percent) : SHAREDMEM_CARVEOUT_DEFAULT;
    return cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state,
                                                   static_cast<int>(block.threads), block.dynamic_shared_bytes);
}

/// The model's capabilities that the toolkit knows as well: an older one has not heard of the newest.
std::vector<ComputeCapability> common_capabilities() {
    std::vector<ComputeCapability> common;
    for (const ComputeCapability capability : known_capabilities) {
        cudaOccResult result{};
        if (ask_toolkit(result, *multiprocessor_limits(capability), {.threads = 32}, std::nullopt) == CUDA_OCC_SUCCESS)
            common.push_back(capability);
    }
    return common;
}

/// Compares the model with the toolkit in every number both give.
/// @return the model's answer
Occupancy check_against_toolkit(const MultiprocessorLimits& limits, const BlockResources& block,
                                std::optional<std::uint32_t> carve_out_percent) {
    cudaOccResult expected{};
    REQUIRE(ask_toolkit(expected, limits, block, carve_out_percent) == CUDA_OCC_SUCCESS);
    const Occupancy result = occupancy(limits, block, carve_out_percent);
    const auto allowed = [&](OccupancyLimit limit) { return static_cast<int>(result.by(limit)); };
    CAPTURE(limits.capability.major_version);
    CAPTURE(limits.capability.minor_version);
    CAPTURE(block.threads);
    CAPTURE(block.registers_per_thread);
    CAPTURE(block.static_shared_bytes);
    CAPTURE(block.dynamic_shared_bytes);
    CHECK(allowed(OccupancyLimit::warps) == expected.blockLimitWarps);
    CHECK(allowed(OccupancyLimit::registers) == expected.blockLimitRegs);
    CHECK(allowed(OccupancyLimit::shared_memory) == expected.blockLimitSharedMem);
    CHECK(allowed(OccupancyLimit::blocks) == expected.blockLimitBlocks);
    CHECK(allowed(OccupancyLimit::barriers) == expected.blockLimitBarriers);
    const int by_virtual_resources = allowed(OccupancyLimit::virtual_resources);
    CHECK(by_virtual_resources == virtual_limit(expected, by_virtual_resources));
    CHECK(static_cast<int>(result.blocks) == expected.activeBlocksPerMultiprocessor);
    CHECK(static_cast<int>(result.registers_per_block) == expected.allocatedRegistersPerBlock);
    CHECK(result.shared_bytes_per_block == expected.allocatedSharedMemPerBlock);
    return result;
}

/// Draws kernels, most of which fit.
class RandomBlocks {
public:
    /// @param seed printed by the test
    explicit RandomBlocks(std::uint64_t seed) : engine_(seed) {}

    /// A number from `first` to `last`.
    std::uint32_t number(std::uint32_t first, std::uint32_t last) {
        return std::uniform_int_distribution<std::uint32_t>(first, last)(engine_);
    }

    /// One of the multiprocessors that the toolkit knows.
    MultiprocessorLimits limits() {
        const auto last = static_cast<std::uint32_t>(capabilities_.size() - 1);
        return *multiprocessor_limits(capabilities_[number(0, last)]);
    }

    /// A block, now and then with too much of something.
    /// @param limits of the multiprocessor it is meant for
    BlockResources block(const MultiprocessorLimits& limits) {
        BlockResources block;
        block.threads = number(0, 9) == 0 ? number(1, 1100) : number(1, 32) * warp_size;
        block.registers_per_thread = number(0, 3) == 0 ? number(0, 260) : number(0, 64);
        block.static_shared_bytes = number(0, 1) == 0 ? 0 : number(0, 50 * kilobyte);
        block.dynamic_shared_bytes = number(0, 1) == 0 ? 0 : number(0, limits.shared_bytes >> number(0, 6));
        if (number(0, 1) == 0)
            block.max_dynamic_shared_bytes =
                number(0, 3) == 0 ? number(0, limits.shared_bytes) : limits.shared_bytes_per_block;
        block.barriers = number(0, 2) != 0 ? 1 : number(0, 16);
        if (toolkit_has_virtual_resources) block.virtual_resources = number(0, 3) != 0 ? 0 : number(0, 140);
        return block;
    }

    /// No preference, or a percentage.
    std::optional<std::uint32_t> carve_out_percent() {
        if (number(0, 1) == 0) return std::nullopt;
        return number(0, 100);
    }

private:
    std::mt19937_64 engine_;
    std::vector<ComputeCapability> capabilities_ = common_capabilities();
};

/// Occupancy of an ordinary kernel.
Occupancy ordinary(ComputeCapability capability, std::uint32_t threads, std::uint32_t registers,
                   std::uint32_t shared_bytes = 0) {
    return occupancy(*multiprocessor_limits(capability),
                     {.threads = threads, .registers_per_thread = registers, .static_shared_bytes = shared_bytes});
}

}  // namespace

TEST_CASE("the toolkit knows the capabilities of the model, those that came after it excepted") {
    const std::vector<ComputeCapability> common = common_capabilities();
    MESSAGE("cuda_occupancy.h knows " << common.size() << " of " << known_capabilities.size() << " capabilities, and "
                                      << (toolkit_has_virtual_resources ? "" : "no ") << "virtual resources");
    const auto came_before = [](ComputeCapability capability) {
        return capability.major_version <= (CUDART_VERSION >= 13000 ? 12U : 9U);
    };
    CHECK(common.size() >=
          static_cast<std::size_t>(std::count_if(known_capabilities.begin(), known_capabilities.end(), came_before)));
}

TEST_CASE("random kernels agree with cuda_occupancy.h in every limit") {
    constexpr std::uint64_t seed = 20260205;
    constexpr int kernels = 40000;
    MESSAGE("seed " << seed << ", " << kernels << " kernels");
    RandomBlocks random(seed);
    std::array<unsigned, occupancy_limits.size()> bound{};
    unsigned impossible = 0;
    for (int i = 0; i < kernels; ++i) {
        const MultiprocessorLimits limits = random.limits();
        const BlockResources block = random.block(limits);
        const Occupancy result = check_against_toolkit(limits, block, random.carve_out_percent());
        impossible += result.blocks == 0 ? 1 : 0;
        ++bound[static_cast<std::size_t>(result.binding())];
    }
    // The draw must exercise every limit, and more kernels that fit than not.
    for (const OccupancyLimit limit : occupancy_limits)
        if (limit != OccupancyLimit::virtual_resources || toolkit_has_virtual_resources)
            CHECK(bound[static_cast<std::size_t>(limit)] > 100);
    CHECK(impossible < kernels / 2);
}

TEST_CASE("block sizes around every multiple of a warp, on every multiprocessor") {
    for (const ComputeCapability capability : common_capabilities())
        for (std::uint32_t threads = 1; threads <= 1025; threads += (threads % warp_size == 2 ? 29 : 1))
            for (const std::uint32_t registers : {16U, 32U, 33U, 64U, 65U, 128U, 255U})
                check_against_toolkit(*multiprocessor_limits(capability),
                                      {.threads = threads, .registers_per_thread = registers}, std::nullopt);
}

TEST_CASE("shared memory around every carve-out and granule") {
    for (const ComputeCapability capability : common_capabilities()) {
        const MultiprocessorLimits limits = *multiprocessor_limits(capability);
        for (std::uint32_t bytes = 0; bytes <= limits.shared_bytes + 512; bytes += 127)
            for (const std::optional<std::uint32_t> percent :
                 {std::optional<std::uint32_t>(), std::optional<std::uint32_t>(0), std::optional<std::uint32_t>(50)})
                check_against_toolkit(limits,
                                      {.threads = 64,
                                       .registers_per_thread = 32,
                                       .dynamic_shared_bytes = bytes,
                                       .max_dynamic_shared_bytes = limits.shared_bytes_per_block},
                                      percent);
    }
}

TEST_CASE("examples of the text") {
    CHECK(ordinary({8, 9}, 1024, 32).blocks == 1);
    CHECK(ordinary({8, 9}, 1024, 32).fraction() == doctest::Approx(2.0 / 3));
    CHECK(ordinary({8, 9}, 1024, 65).blocks == 0);
    CHECK(ordinary({8, 0}, 1024, 32).fraction() == 1.0);
    CHECK(ordinary({8, 0}, 1024, 33).fraction() == 0.5);
    CHECK(ordinary({8, 9}, 256, 36).blocks == 6);
    CHECK(ordinary({8, 9}, 256, 41).blocks == 5);
    CHECK(ordinary({10, 0}, 256, 40).blocks == 6);
    // 16 KB and 256 threads: shared memory binds where a multiprocessor has 100 KB.
    CHECK(ordinary({8, 0}, 256, 32, 16 * kilobyte).blocks == 8);
    CHECK(ordinary({8, 9}, 256, 32, 16 * kilobyte).blocks == 5);
    CHECK(ordinary({8, 9}, 256, 32, 16 * kilobyte).binding() == OccupancyLimit::shared_memory);
    // One warp a block: the block slots bind.
    CHECK(ordinary({8, 6}, 32, 32).blocks == 16);
    CHECK(ordinary({8, 9}, 32, 32).blocks == 24);
    CHECK(ordinary({8, 9}, 32, 32).binding() == OccupancyLimit::blocks);
    // 48 KB a block.
    CHECK(ordinary({7, 5}, 128, 32, 48 * kilobyte).blocks == 1);
    CHECK(ordinary({8, 0}, 128, 32, 48 * kilobyte).blocks == 3);
    CHECK(ordinary({8, 9}, 128, 32, 48 * kilobyte).blocks == 2);
    CHECK(ordinary({9, 0}, 128, 32, 48 * kilobyte).blocks == 4);
}

TEST_CASE("what cannot be launched has no block") {
    CHECK(ordinary({8, 9}, 0, 32).blocks == 0);
    CHECK(ordinary({8, 9}, 1025, 32).blocks == 0);
    CHECK(ordinary({8, 9}, 128, 32, 49 * kilobyte).blocks == 0);
    CHECK(ordinary({8, 9}, 0, 32).fraction() == 0.0);
}

TEST_CASE("a preferred carve-out is rounded up, and raised for one block") {
    const MultiprocessorLimits limits = *multiprocessor_limits({12, 0});
    CHECK(carve_out_bytes(limits, {.threads = 32}, 50) == 64 * kilobyte);
    CHECK(carve_out_bytes(limits, {.threads = 32}, 100) == 100 * kilobyte);
    CHECK(carve_out_bytes(limits, {.threads = 32}, 101) == 100 * kilobyte);
    CHECK(carve_out_bytes(limits, {.threads = 32, .static_shared_bytes = 20 * kilobyte}, 0) == 32 * kilobyte);
}

TEST_CASE("a capability the model does not know has no limits") {
    CHECK_FALSE(multiprocessor_limits({7, 0}).has_value());
    CHECK_FALSE(multiprocessor_limits({8, 10}).has_value());
    CHECK_FALSE(multiprocessor_limits({99, 9}).has_value());
}
