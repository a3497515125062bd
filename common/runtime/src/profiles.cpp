#include "profiles.hpp"

#include <array>

namespace lanes::runtime {

namespace {

constexpr std::uint32_t mib = 1U << 20;

// Capability, card, multiprocessors, memory in MiB, L2, persisting L2, clocks in kHz, bus in bits, ratio, ECC.
constexpr std::array<DeviceProfile, 7> profiles = {{
    {75, "Tesla T4", 40, 15109, 4 * mib, 0, 1590000, 5001000, 256, 32, true},
    {80, "A100-SXM4-40GB", 108, 40536, 40 * mib, 30 * mib, 1410000, 1215000, 5120, 2, true},
    {86, "GeForce RTX 3090", 82, 24268, 6 * mib, 4718592, 1695000, 9751000, 384, 64, false},
    {89, "GeForce RTX 4090", 128, 24217, 72 * mib, 51904512, 2520000, 10501000, 384, 64, false},
    {90, "H200", 132, 143156, 60 * mib, 39321600, 1980000, 3201000, 6016, 2, true},
    {100, "B200", 148, 182630, 132644864, 82903040, 1965000, 3996000, 7680, 2, true},
    {120, "GeForce RTX 5090", 170, 32120, 96 * mib, 60 * mib, 2407000, 14001000, 512, 64, false},
}};

}  // namespace

std::span<const DeviceProfile> device_profiles() {
    return profiles;
}

emulator::Result<const DeviceProfile*> find_profile(std::string_view option) {
    std::string known;
    for (const DeviceProfile& profile : profiles) {
        if (profile.option() == option || std::to_string(profile.compute_capability) == option) return &profile;
        known += (known.empty() ? "" : ", ") + profile.option();
    }
    return emulator::Error{"unknown device \"" + std::string(option) + "\"; there are " + known};
}

}  // namespace lanes::runtime
