#include "launch.hpp"

#include "files.hpp"
#include "launch_argument.hpp"
#include "report_output.hpp"
#include "run_report.hpp"

#include <kernel_name.hpp>
#include <launch_shape.hpp>
#include <options.hpp>
#include <report.hpp>
#include <thread_pool.hpp>

#include <lanes/emulator/emulator.hpp>
#include <lanes/model/occupancy.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iostream>
#include <memory>
#include <utility>

namespace lanes {

namespace {

using emulator::Error;
using emulator::Result;

constexpr std::size_t shown_elements = 16;

Result<std::unique_ptr<emulator::Image>> load(const std::string& path, emulator::DeviceMemory& memory) {
    const auto bytes = read_file(path);
    if (!bytes) return bytes.error();
    auto module = emulator::ptx::parse({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    if (!module) return Error{path + ": " + module.error().message};
    std::vector<emulator::ptx::Module> modules;
    modules.push_back(std::move(*module));
    return emulator::Image::link(std::move(modules), memory);
}

// By its name in PTX, or by the name it has in the source.
Result<const emulator::Kernel*> choose_kernel(const emulator::Image& image, const std::string& name) {
    const auto kernels = image.kernels();
    if (name.empty() && kernels.size() == 1) return kernels.front();
    std::string known;
    std::vector<const emulator::Kernel*> found;
    for (const emulator::Kernel* kernel : kernels) {
        const std::string readable = runtime::short_name(runtime::demangle(kernel->name));
        if (kernel->name == name || readable == name) found.push_back(kernel);
        known += (known.empty() ? "" : ", ") + readable;
    }
    if (found.size() == 1) return found.front();
    if (kernels.empty()) return Error{"the file has no kernel"};
    if (name.empty()) return Error{"the file has several kernels; choose one with --kernel: " + known};
    if (found.empty()) return Error{"there is no kernel " + name + "; there are " + known};
    return Error{"several kernels are called " + name + "; give the name in PTX, such as " + found.front()->name};
}

// An argument in its place: a number in the parameters, or an array in device memory and its address.
struct PlacedArray {
    emulator::ptx::Type type = emulator::ptx::Type::none;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::size_t position = 0;  ///< among the arguments
};

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

// The kernel's parameters as the launch takes them.
struct Parameters {
    std::vector<std::byte> buffer;
    std::vector<PlacedArray> arrays;
};

// The types of a kernel's parameters as PTX has them, in which a pointer is a u64.
std::string types_of(const emulator::Kernel& kernel) {
    std::string types;
    for (const emulator::KernelParameter& parameter : kernel.parameters)
        types += (types.empty() ? "" : ", ") + std::string(name_of(parameter.type));
    return types.empty() ? "" : " (" + types + ", where a pointer is a u64)";
}

Result<Parameters> place_arguments(const emulator::Kernel& kernel, const std::vector<std::string>& arguments,
                                   emulator::DeviceMemory& memory) {
    if (arguments.size() != kernel.parameters.size())
        return Error{runtime::demangle(kernel.name) + " takes " + std::to_string(kernel.parameters.size()) +
                     " arguments" + types_of(kernel) + "; " + std::to_string(arguments.size()) +
                     " were given with --arg"};
    Parameters result{std::vector<std::byte>(kernel.parameter_bytes), {}};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto argument = parse_argument(arguments[i]);
        if (!argument) return Error{"--arg " + arguments[i] + ": " + argument.error().message};
        std::vector<std::byte> value = argument->values;
        if (argument->is_array) {
            const auto array = place_array(*argument, i, memory);
            if (!array) return array.error();
            result.arrays.push_back(*array);
            value.resize(sizeof array->address);
            std::memcpy(value.data(), &array->address, value.size());
        }
        const emulator::KernelParameter& parameter = kernel.parameters[i];
        if (value.size() != parameter.bytes)
            return Error{"--arg " + arguments[i] + ": the kernel's argument has " + std::to_string(parameter.bytes) +
                         " bytes, and this one has " + std::to_string(value.size())};
        std::memcpy(result.buffer.data() + parameter.offset, value.data(), value.size());
    }
    return result;
}

Result<runtime::Options> options_of(const LaunchRequest& request) {
    return runtime::read_options([&](const char* name) {
        const auto found = request.variables.find(name);
        return found == request.variables.end() ? nullptr : found->second.c_str();
    });
}

Result<emulator::LaunchConfig> config_of(const LaunchRequest& request, const runtime::Options& options) {
    emulator::LaunchConfig config;
    const auto grid = parse_extents(request.grid);
    const auto block = parse_extents(request.block);
    if (!grid) return Error{"--grid: " + grid.error().message};
    if (!block) return Error{"--block: " + block.error().message};
    config.grid = *grid;
    config.block = *block;
    config.dynamic_shared_bytes = request.shared_bytes;
    config.device.name = options.device->name();
    config.device.compute_capability = options.device->compute_capability;
    config.device.multiprocessors = options.device->multiprocessors;
    config.schedule = options.schedule;
    config.checks = options.checks;
    config.instruction_budget = options.budget;
    config.print = [](std::string_view text) { std::cout << text; };
    return config;
}

// What the runtime would refuse. On the command line the opt-in for more shared memory is taken as given.
Result<bool> check_shape(const emulator::Kernel& kernel, const LaunchRequest& request, emulator::LaunchConfig& config) {
    const unsigned capability = config.device.compute_capability;
    const auto limits = *model::multiprocessor_limits({capability / 10, capability % 10});
    config.device.maximum_shared_bytes_per_block = limits.shared_bytes_per_block;
    config.device.maximum_shared_bytes_per_block_optin = limits.shared_bytes_per_block;
    runtime::LaunchShape shape;
    shape.grid = config.grid;
    shape.block = config.block;
    shape.dynamic_shared_bytes = request.shared_bytes;
    shape.static_shared_bytes = kernel.static_shared_bytes;
    if (limits.shared_bytes_per_block >= kernel.static_shared_bytes)
        shape.maximum_dynamic_shared = limits.shared_bytes_per_block - kernel.static_shared_bytes;
    if (const auto refusal = runtime::check_launch(shape, limits)) return Error{refusal->message};
    return true;
}

RunReport report_of(const runtime::Options& options, const emulator::Kernel& kernel,
                    const emulator::LaunchConfig& config, const emulator::LaunchReport& launch) {
    RunReport report;
    report.device = runtime::device_line(*options.device)["device"];
    report.launches.push_back(runtime::launch_line(
        {kernel.name, config.grid, config.block, kernel.static_shared_bytes, config.dynamic_shared_bytes},
        launch)["launch"]);
    for (const emulator::Fault& fault : launch.faults)
        report.faults.push_back(runtime::fault_line(fault, false)["fault"]);
    return report;
}

void print_arrays(const Parameters& parameters) {
    for (const PlacedArray& array : parameters.arrays) {
        const auto* start = reinterpret_cast<const std::byte*>(array.address);
        std::cout << "argument " << array.position << ": "
                  << describe_array(array.type, {start, array.bytes}, shown_elements) << '\n';
    }
}

// The arrays that --save names, each with its file. Asked before the launch, so that no run is wasted.
Result<std::vector<std::pair<PlacedArray, std::string>>> choose_saves(const LaunchRequest& request,
                                                                      const Parameters& parameters) {
    std::vector<std::pair<PlacedArray, std::string>> saves;
    for (const std::string& text : request.saves) {
        const auto save = parse_save(text);
        if (!save) return Error{"--save " + text + ": " + save.error().message};
        const auto array =
            std::find_if(parameters.arrays.begin(), parameters.arrays.end(),
                         [&](const PlacedArray& candidate) { return candidate.position == save->position; });
        if (array == parameters.arrays.end())
            return Error{"--save " + text + ": argument " + std::to_string(save->position) + " is no array"};
        saves.emplace_back(*array, save->path);
    }
    return saves;
}

std::string save_arrays(const std::vector<std::pair<PlacedArray, std::string>>& saves) {
    for (const auto& [array, path] : saves) {
        const auto* start = reinterpret_cast<const std::byte*>(array.address);
        if (std::string error = write_file(path, {start, array.bytes}); !error.empty()) return "--save: " + error;
    }
    return {};
}

void print_faults(const RunReport& report) {
    for (const auto& fault : report.faults)
        std::cerr << "lanes: " << fault.value("severity", "") << ": " << fault.value("message", "") << '\n';
}

std::vector<std::string> program_of(const LaunchRequest& request) {
    std::vector<std::string> program = {request.file};
    program.insert(program.end(), request.arguments.begin(), request.arguments.end());
    return program;
}

}  // namespace

Result<emulator::Dim3> parse_extents(const std::string& text) {
    std::uint32_t values[3] = {1, 1, 1};
    const char* next = text.data();
    const char* const end = next + text.size();
    for (std::uint32_t& value : values) {
        const auto [after, error] = std::from_chars(next, end, value);
        if (error != std::errc{}) break;
        if (after == end) return emulator::Dim3{values[0], values[1], values[2]};
        if (*after != ',') break;
        next = after + 1;
    }
    return Error{'"' + text + "\" is not an extent: write X, X,Y or X,Y,Z"};
}

Result<SavedArray> parse_save(const std::string& text) {
    SavedArray save;
    const char* const end = text.data() + text.size();
    const auto [after, error] = std::from_chars(text.data(), end, save.position);
    if (error != std::errc{} || after == end || *after != '=' || after + 1 == end)
        return Error{"write N=FILE, where N is the array's place among the --arg, counted from 0"};
    save.path.assign(after + 1, end);
    return save;
}

int launch(const LaunchRequest& request) {
    const auto options = options_of(request);
    if (!options) return refuse(options.error().message);
    auto config = config_of(request, *options);
    if (!config) return refuse(config.error().message);
    ReportOutput output(request.json, request.lines);
    if (!output.error().empty()) return refuse(output.error());

    emulator::DeviceMemory memory;
    const auto image = load(request.file, memory);
    if (!image) return refuse(image.error().message);
    const auto kernel = choose_kernel(**image, request.kernel);
    if (!kernel) return refuse(kernel.error().message);
    const auto parameters = place_arguments(**kernel, request.arguments, memory);
    if (!parameters) return refuse(parameters.error().message);
    if (const auto allowed = check_shape(**kernel, request, *config); !allowed) return refuse(allowed.error().message);

    const auto saves = choose_saves(request, *parameters);
    if (!saves) return refuse(saves.error().message);

    config->parameters = parameters->buffer;
    runtime::ThreadPool threads(options->threads);
    const auto result = emulator::launch(**kernel, *config, memory, threads);
    const RunReport report = report_of(*options, **kernel, *config, result);
    const int status = report.unexpected_errors() == 0 ? 0 : status_faults;
    print_arrays(*parameters);
    print_faults(report);
    output.print(report);
    if (const auto error = save_arrays(*saves); !error.empty()) return refuse(error);
    if (const auto error = output.write(report, program_of(request), status); !error.empty()) return refuse(error);
    return status;
}

}  // namespace lanes
