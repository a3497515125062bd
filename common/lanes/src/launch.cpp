#include "launch.hpp"

#include "files.hpp"
#include "launch_argument.hpp"
#include "report_output.hpp"
#include "run_report.hpp"

#include <options.hpp>
#include <single_launch.hpp>
#include <thread_pool.hpp>

#include <lanes/emulator/emulator.hpp>

#include <algorithm>
#include <charconv>
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

// The arguments as written, read.
Result<std::vector<runtime::LaunchArgument>> read_arguments(const std::vector<std::string>& texts) {
    std::vector<runtime::LaunchArgument> arguments;
    for (const std::string& text : texts) {
        auto argument = parse_argument(text);
        if (!argument) return Error{"--arg " + text + ": " + argument.error().message};
        argument->text = "--arg " + text;
        arguments.push_back(std::move(*argument));
    }
    return arguments;
}

Result<runtime::Options> options_of(const LaunchRequest& request) {
    return runtime::read_options([&](const char* name) {
        const auto found = request.variables.find(name);
        return found == request.variables.end() ? nullptr : found->second.c_str();
    });
}

Result<runtime::LaunchExtents> extents_of(const LaunchRequest& request) {
    const auto grid = parse_extents(request.grid);
    const auto block = parse_extents(request.block);
    if (!grid) return Error{"--grid: " + grid.error().message};
    if (!block) return Error{"--block: " + block.error().message};
    return runtime::LaunchExtents{*grid, *block, request.shared_bytes, request.cooperative};
}

RunReport report_of(runtime::DescribedLaunch described) {
    RunReport report;
    report.device = std::move(described.device);
    report.launches.push_back(std::move(described.launch));
    report.faults = std::move(described.faults);
    return report;
}

void print_arrays(const runtime::PlacedArguments& parameters) {
    for (const runtime::PlacedArray& array : parameters.arrays) {
        const auto* start = reinterpret_cast<const std::byte*>(array.address);
        std::cout << "argument " << array.position << ": "
                  << describe_array(array.type, {start, array.bytes}, shown_elements) << '\n';
    }
}

// The arrays that --save names, each with its file. Asked before the launch, so that no run is wasted.
Result<std::vector<std::pair<runtime::PlacedArray, std::string>>> choose_saves(
    const LaunchRequest& request, const runtime::PlacedArguments& parameters) {
    std::vector<std::pair<runtime::PlacedArray, std::string>> saves;
    for (const std::string& text : request.saves) {
        const auto save = parse_save(text);
        if (!save) return Error{"--save " + text + ": " + save.error().message};
        const auto array =
            std::find_if(parameters.arrays.begin(), parameters.arrays.end(),
                         [&](const runtime::PlacedArray& candidate) { return candidate.position == save->position; });
        if (array == parameters.arrays.end())
            return Error{"--save " + text + ": argument " + std::to_string(save->position) + " is no array"};
        saves.emplace_back(*array, save->path);
    }
    return saves;
}

std::string save_arrays(const std::vector<std::pair<runtime::PlacedArray, std::string>>& saves) {
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
    const auto extents = extents_of(request);
    if (!extents) return refuse(extents.error().message);
    ReportOutput output(request.json, request.lines);
    if (!output.error().empty()) return refuse(output.error());

    emulator::DeviceMemory memory;
    const auto image = load(request.file, memory);
    if (!image) return refuse(image.error().message);
    const auto kernel = runtime::choose_kernel(**image, request.kernel);
    if (!kernel) return refuse(kernel.error().message);
    const auto arguments = read_arguments(request.arguments);
    if (!arguments) return refuse(arguments.error().message);
    const auto parameters = runtime::place_arguments(**kernel, *arguments, memory);
    if (!parameters) return refuse(parameters.error().message);
    auto config = runtime::configure_launch(**kernel, *extents, *options);
    if (!config) return refuse(config.error().message);

    const auto saves = choose_saves(request, *parameters);
    if (!saves) return refuse(saves.error().message);

    config->parameters = parameters->buffer;
    config->print = [](std::string_view text) { std::cout << text; };
    runtime::ThreadPool threads(options->threads);
    const auto result = emulator::launch(**kernel, *config, memory, threads);
    const RunReport report = report_of(runtime::describe_launch(*options, **kernel, *config, result));
    const int status = report.unexpected_errors() == 0 ? 0 : status_faults;
    print_arrays(*parameters);
    print_faults(report);
    output.print(report);
    if (const auto error = save_arrays(*saves); !error.empty()) return refuse(error);
    if (const auto error = output.write(report, program_of(request), status); !error.empty()) return refuse(error);
    return status;
}

}  // namespace lanes
