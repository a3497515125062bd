/// @file
/// @brief Random accesses of the shapes that kernels make, from a fixed and printed seed.
#pragma once

#include <lanes/model/warp.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>

namespace lanes::model {

/// Draws addresses, widths and masks. Each family below takes another path through the model.
class RandomAccesses {
public:
    /// @param seed printed by the test that uses it
    explicit RandomAccesses(std::uint64_t seed) : engine_(seed) {}

    /// A number from 0 to `last`.
    /// @param last greatest value
    std::uint64_t number(std::uint64_t last) { return std::uniform_int_distribution<std::uint64_t>(0, last)(engine_); }

    /// A power of two from 1 to 2^`most`.
    /// @param most greatest exponent
    unsigned width(unsigned most) { return 1U << number(most); }

    /// A full, random, contiguous, single-lane, alternating or empty mask.
    LaneMask mask() {
        switch (number(6)) {
            case 0:
                return static_cast<LaneMask>(number(all_lanes));
            case 1:
                return static_cast<LaneMask>((std::uint64_t{1} << number(warp_size)) - 1);
            case 2:
                return all_lanes << number(warp_size - 1);
            case 3:
                return LaneMask{1} << number(warp_size - 1);
            case 4:
                return number(1) != 0 ? 0x55555555U : 0xaaaaaaaaU;
            case 5:
                return number(7) == 0 ? 0 : all_lanes;
            default:
                return all_lanes;
        }
    }

    /// Addresses below `bytes`, multiples of `alignment`.
    /// @param bytes size of the memory
    /// @param alignment divides every address
    LaneAddresses addresses(std::uint64_t bytes, std::uint64_t alignment) {
        const std::uint64_t elements = bytes / alignment;
        const std::uint64_t span = std::min<std::uint64_t>(elements, std::uint64_t{1} << number(40));
        LaneAddresses indices = shape(span);
        for (std::uint64_t& index : indices) index = index % elements * alignment;
        return indices;
    }

private:
    /// Indices of one family: random, sorted either way, strided, permuted in blocks, shared by neighbours.
    LaneAddresses shape(std::uint64_t span) {
        LaneAddresses indices{};
        for (std::uint64_t& index : indices) index = number(span - 1);
        const std::uint64_t base = number(span - 1);
        const std::uint64_t stride = number(40);
        const auto swizzle = static_cast<unsigned>(number(31));
        const auto group = static_cast<unsigned>(number(5));
        switch (number(7)) {
            case 0:
                std::sort(indices.begin(), indices.end());
                break;
            case 1:
                std::sort(indices.rbegin(), indices.rend());
                break;
            case 2:
                return lane_addresses([&](unsigned lane) { return base + lane * stride; });
            case 3:
                return lane_addresses([&](unsigned lane) { return base + (lane ^ swizzle) * stride; });
            case 4:
                return lane_addresses([&](unsigned lane) { return base + (lane >> group) * stride; });
            case 5:
                return lane_addresses([&](unsigned lane) { return indices[lane & ~(1U << (group % 3))]; });
            case 6:
                return lane_addresses([&](unsigned lane) { return base + lane; });
            default:
                break;
        }
        return indices;
    }

    std::mt19937_64 engine_;
};

}  // namespace lanes::model
