/// @file
/// @brief Fuzzes the way of PTX text through the emulator: parse, link, decode, and a short launch of what came out.
///
/// Whatever the text, the answer is an error with a message or a launch with a report; never a crash or a hang.
#include "entry.hpp"

#include <module_consistency.hpp>

#include <lanes/emulator/emulator.hpp>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace lanes::emulator;
using lanes::fuzz::require;

constexpr std::uint64_t device_bytes = 64 << 20;
constexpr std::uint64_t buffer_bytes = 4096;
constexpr std::uint64_t warp_instructions = 1000;
constexpr std::size_t most_kernels = 8;

// Each 8-byte parameter points to a buffer: most parameters of that size are pointers.
std::vector<std::byte> parameters_of(const Kernel& kernel, std::uint64_t buffer) {
    std::vector<std::byte> bytes(kernel.parameter_bytes);
    for (const KernelParameter& parameter : kernel.parameters)
        if (parameter.bytes == sizeof buffer) std::memcpy(bytes.data() + parameter.offset, &buffer, sizeof buffer);
    return bytes;
}

void launch_once(const Kernel& kernel, DeviceMemory& memory, std::uint64_t buffer) {
    const std::vector<std::byte> parameters = parameters_of(kernel, buffer);
    LaunchConfig config;
    config.grid = {2, 1, 1};
    config.block = {40, 1, 1};
    config.dynamic_shared_bytes = 64;
    config.parameters = parameters;
    config.instruction_budget = 32 * warp_instructions;
    config.print = [](std::string_view) {};
    SingleThread thread;
    const LaunchReport report = launch(kernel, config, memory, thread);
    require(report.status == LaunchStatus::success || !report.faults.empty(), "a launch that fails says why");
    for (const Fault& fault : report.faults) require(!fault.message.empty(), "a fault has a message");
}

void use(ptx::Module module) {
    DeviceMemory memory;
    memory.set_capacity(device_bytes);
    const auto buffer = memory.allocate(buffer_bytes);
    require(bool(buffer), "there is memory for a small buffer");
    std::vector<ptx::Module> modules;
    modules.push_back(std::move(module));
    const auto image = Image::link(std::move(modules), memory);
    if (!image) {
        require(!image.error().message.empty(), "an error of the linker has a message");
        return;
    }
    std::size_t launches = 0;
    for (const Kernel* const kernel : (*image)->kernels()) {
        if (++launches > most_kernels) break;
        launch_once(*kernel, memory, *buffer);
    }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto module = ptx::parse({reinterpret_cast<const char*>(data), size});
    if (module) {
        require(ptx::is_consistent(*module), "every index of a parsed module points at something");
        use(std::move(*module));
    } else {
        require(module.error().message.starts_with("PTX line "), "an error of the parser names the line");
    }
    return 0;
}
