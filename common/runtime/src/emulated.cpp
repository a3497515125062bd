// What this libcudart offers beyond CUDA: see <lanes/emulated.hpp>.
#include "call.hpp"

#include <lanes/emulated.hpp>

#include <string>
#include <string_view>

using namespace lanes::runtime;
namespace emulator = lanes::emulator;

LANES_EXPORT const char* lanesEmulatorDescription() {
    static const std::string& text = *new std::string(process().profile().name());
    return text.c_str();
}

LANES_EXPORT int lanesEmulatorCounter(const char* name, unsigned long long* value) {
    const auto counters = process().last_launch.get();
    if (!counters || name == nullptr || value == nullptr) return 1;
    for (std::size_t i = 0; i < emulator::counter_count; ++i) {
        const auto counter = static_cast<emulator::Counter>(i);
        if (emulator::info(counter).name != std::string_view(name)) continue;
        *value = (*counters)[counter];
        return 0;
    }
    return 1;
}

LANES_EXPORT int lanesEmulatorFaults(unsigned long long* errors, unsigned long long* warnings) {
    const FaultLog& faults = process().faults;
    if (errors != nullptr) *errors = faults.count(emulator::Severity::error);
    if (warnings != nullptr) *warnings = faults.count(emulator::Severity::warning);
    return 0;
}

LANES_EXPORT void lanesEmulatorExpectFaults(int expected) {
    process().faults.expect(expected != 0);
}
