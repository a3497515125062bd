/// What the checks are told of device memory, and what they say of it at the end.

#include <lanes/emulator/checks.hpp>

#include "check_regions.hpp"

namespace lanes::emulator {

void mark_unset(DeviceMemory& memory, std::uint64_t address) {
    memory.regions().mark_unset(memory, address);
}

void mark_written(DeviceMemory& memory, std::uint64_t address, std::uint64_t bytes) {
    memory.regions().mark_written(address, bytes);
}

void mark_copied(DeviceMemory& memory, std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
    memory.regions().mark_copied(to, from, bytes);
}

bool is_written(DeviceMemory& memory, std::uint64_t address, std::uint64_t bytes) {
    return memory.regions().is_written(address, bytes);
}

std::vector<std::string> describe_leaks(const DeviceMemory& memory) {
    std::vector<std::string> leaks;
    for (const Allocation& allocation : memory.live()) {
        if (allocation.adopted || !allocation.name.empty()) continue;
        leaks.push_back("a " + std::to_string(allocation.bytes) + "-byte allocation of device memory was never freed");
    }
    return leaks;
}

}  // namespace lanes::emulator
