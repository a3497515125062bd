/// @file
/// @brief The devices that can be emulated: one real card for each compute capability of the book.
#pragma once

#include <lanes/emulator/result.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lanes::runtime {

/// A card, in the numbers that its compute capability does not fix. Values as NVIDIA's data sheets and the cards' own
/// `cudaGetDeviceProperties` give them; those of the H200 were read from one.
struct DeviceProfile {
    std::uint32_t compute_capability = 0;      ///< 89 for 8.9
    std::string_view card;                     ///< the card that is imitated
    std::uint32_t multiprocessors = 0;         ///< number of them
    std::uint32_t memory_mib = 0;              ///< global memory in MiB
    std::uint32_t l2_bytes = 0;                ///< size of the L2 cache
    std::uint32_t persisting_l2_bytes = 0;     ///< L2 that may be set aside
    std::uint32_t clock_khz = 0;               ///< highest clock of the multiprocessors
    std::uint32_t memory_clock_khz = 0;        ///< clock of the memory
    std::uint32_t memory_bus_bits = 0;         ///< width of the memory's bus
    std::uint32_t single_to_double_ratio = 0;  ///< float operations in the time of one double operation
    bool error_correction = false;             ///< memory with ECC

    /// The spelling in options: "sm_89".
    std::string option() const { return "sm_" + std::to_string(compute_capability); }
    /// What the runtime calls the device: "emulator, as an sm_89".
    std::string name() const { return "emulator, as an " + option(); }
    /// Global memory in bytes.
    std::uint64_t memory_bytes() const { return std::uint64_t{memory_mib} << 20; }
};

/// All profiles, by compute capability.
std::span<const DeviceProfile> device_profiles();

/// The profile of an option.
/// @param option  "sm_89", or "89" alone
/// @return the profile, or an error that lists what there is
emulator::Result<const DeviceProfile*> find_profile(std::string_view option);

}  // namespace lanes::runtime
