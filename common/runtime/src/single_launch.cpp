#include "single_launch.hpp"

#include "kernel_name.hpp"
#include "launch_shape.hpp"
#include "report.hpp"

#include <lanes/model/occupancy.hpp>

#include <cstring>

namespace lanes::runtime {

using emulator::Error;
using emulator::Result;

namespace {

Result<PlacedArray> place_array(const LaunchArgument& argument, std::size_t position, emulator::DeviceMemory& memory) {
    PlacedArray array{argument.type, 0, argument.count * emulator::ptx::size_of(argument.type), position};
    const auto address = memory.allocate(array.bytes);
    if (!address) return address.error();
    array.address = *address;
    mark_unset(memory, array.address);
    if (argument.values.empty()) return array;
    std::memcpy(reinterpret_cast<void*>(array.address), argument.values.data(), argument.values.size());
    mark_written(memory, array.address, array.bytes);
    return array;
}

// The types of a kernel's parameters as PTX has them, in which a pointer is a u64.
std::string types_of(const emulator::Kernel& kernel) {
    std::string types;
    for (const emulator::KernelParameter& parameter : kernel.parameters)
        types += (types.empty() ? "" : ", ") + std::string(name_of(parameter.type));
    return types.empty() ? "" : " (" + types + ", where a pointer is a u64)";
}

}  // namespace

Result<const emulator::Kernel*> choose_kernel(const emulator::Image& image, const std::string& name) {
    const auto kernels = image.kernels();
    if (name.empty() && kernels.size() == 1) return kernels.front();
    std::string known;
    std::vector<const emulator::Kernel*> found;
    for (const emulator::Kernel* kernel : kernels) {
        const std::string readable = short_name(demangle(kernel->name));
        if (kernel->name == name || readable == name) found.push_back(kernel);
        known += (known.empty() ? "" : ", ") + readable;
    }
    if (found.size() == 1) return found.front();
    if (kernels.empty()) return Error{"the file has no kernel"};
    if (name.empty()) return Error{"the file has several kernels; choose one with --kernel: " + known};
    if (found.empty()) return Error{"there is no kernel " + name + "; there are " + known};
    return Error{"several kernels are called " + name + "; give the name in PTX, such as " + found.front()->name};
}

Result<PlacedArguments> place_arguments(const emulator::Kernel& kernel, const std::vector<LaunchArgument>& arguments,
                                        emulator::DeviceMemory& memory) {
    if (arguments.size() != kernel.parameters.size())
        return Error{demangle(kernel.name) + " takes " + std::to_string(kernel.parameters.size()) + " arguments" +
                     types_of(kernel) + "; " + std::to_string(arguments.size()) + " were given"};
    PlacedArguments placed{std::vector<std::byte>(kernel.parameter_bytes), {}};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const LaunchArgument& argument = arguments[i];
        std::vector<std::byte> value = argument.values;
        if (argument.is_array) {
            const auto array = place_array(argument, i, memory);
            if (!array) return array.error();
            placed.arrays.push_back(*array);
            value.resize(sizeof array->address);
            std::memcpy(value.data(), &array->address, value.size());
        }
        const emulator::KernelParameter& parameter = kernel.parameters[i];
        if (value.size() != parameter.bytes)
            return Error{argument.text + ": the kernel's argument has " + std::to_string(parameter.bytes) +
                         " bytes, and this one has " + std::to_string(value.size())};
        std::memcpy(placed.buffer.data() + parameter.offset, value.data(), value.size());
    }
    return placed;
}

Result<emulator::LaunchConfig> configure_launch(const emulator::Kernel& kernel, const LaunchExtents& extents,
                                                const Options& options) {
    const unsigned capability = options.device->compute_capability;
    const auto limits = *model::multiprocessor_limits({capability / 10, capability % 10});
    emulator::LaunchConfig config;
    config.grid = extents.grid;
    config.block = extents.block;
    config.dynamic_shared_bytes = extents.dynamic_shared_bytes;
    config.cooperative = extents.cooperative;
    config.device.name = options.device->name();
    config.device.compute_capability = capability;
    config.device.multiprocessors = options.device->multiprocessors;
    config.device.maximum_shared_bytes_per_block = limits.shared_bytes_per_block;
    config.device.maximum_shared_bytes_per_block_optin = limits.shared_bytes_per_block;
    config.schedule = options.schedule;
    config.checks = options.checks;
    config.instruction_budget = options.budget;

    LaunchShape shape;
    shape.grid = config.grid;
    shape.block = config.block;
    shape.dynamic_shared_bytes = config.dynamic_shared_bytes;
    shape.static_shared_bytes = kernel.static_shared_bytes;
    if (limits.shared_bytes_per_block >= kernel.static_shared_bytes)
        shape.maximum_dynamic_shared = limits.shared_bytes_per_block - kernel.static_shared_bytes;
    if (const auto refusal = check_launch(shape, limits)) return Error{refusal->message};
    if (config.cooperative)
        if (const auto refusal = check_cooperative(shape, limits, options.device->multiprocessors))
            return Error{refusal->message};
    return config;
}

DescribedLaunch describe_launch(const Options& options, const emulator::Kernel& kernel,
                                const emulator::LaunchConfig& config, const emulator::LaunchReport& report) {
    DescribedLaunch described;
    described.device = device_line(*options.device)["device"];
    described.launch =
        launch_line({kernel.name, config.grid, config.block, kernel.static_shared_bytes, config.dynamic_shared_bytes},
                    report)["launch"];
    for (const emulator::Fault& fault : report.faults) described.faults.push_back(fault_line(fault, false)["fault"]);
    return described;
}

}  // namespace lanes::runtime
