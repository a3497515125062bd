/// @file
/// @brief Export `launch`: one launch of a kernel of the PTX that was loaded.
///
/// The request is a JSON object, and the arrays' bytes behind it:
///     {"kernel": name, "grid": [x, y, z], "block": [x, y, z], "shared_bytes": n, "cooperative": false,
///      "device": "sm_89", "schedule": "lockstep" or a seed, "checks": "all", "budget": "20000000",
///      "arguments": [{"text": name for messages, "type": "f32", "array": true, "count": n, "values": [at, bytes]}]}
/// "values" are a place behind the request; an array without them is unset. The answer has "device", "launch" and
/// "faults" as `lanes launch --json` writes them, "printf", and "arrays", each with its address in the module's memory.
#include "../visible.hpp"
#include "printed_text.hpp"
#include "session.hpp"
#include "text.hpp"

#include <options.hpp>
#include <single_launch.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace {

using lanes::emulator::Error;
using lanes::emulator::Result;
using nlohmann::json;
namespace emulator = lanes::emulator;
namespace runtime = lanes::runtime;

emulator::Dim3 extents_of(const json& values) {
    return {values[0].get<std::uint32_t>(), values[1].get<std::uint32_t>(), values[2].get<std::uint32_t>()};
}

Result<runtime::Options> options_of(const json& request) {
    runtime::Options options;
    const auto device = runtime::find_profile(request["device"].get<std::string>());
    if (!device) return device.error();
    const auto schedule = runtime::parse_schedule(request["schedule"].get<std::string>());
    if (!schedule) return schedule.error();
    const auto checks = emulator::parse_checks(request["checks"].get<std::string>());
    if (!checks) return checks.error();
    const auto budget = runtime::parse_budget(request["budget"].get<std::string>());
    if (!budget) return budget.error();
    options.device = *device;
    options.schedule = *schedule;
    options.checks = *checks;
    options.budget = *budget;
    return options;
}

Result<runtime::LaunchArgument> argument_of(const json& asked, std::string_view bytes) {
    runtime::LaunchArgument argument;
    argument.text = asked["text"].get<std::string>();
    argument.type = emulator::ptx::type_from_name(asked["type"].get<std::string>());
    argument.is_array = asked["array"].get<bool>();
    argument.count = asked["count"].get<std::uint64_t>();
    const std::size_t element = emulator::ptx::size_of(argument.type);
    if (element == 0) return Error{argument.text + ": this is no type that an argument can have"};
    if (!asked.contains("values")) return argument;
    const auto at = asked["values"][0].get<std::uint64_t>();
    const auto size = asked["values"][1].get<std::uint64_t>();
    if (at > bytes.size() || size > bytes.size() - at || size != argument.count * element)
        return Error{argument.text + ": there are not as many bytes as elements"};
    const auto* const first = reinterpret_cast<const std::byte*>(bytes.data()) + at;
    argument.values.assign(first, first + size);
    return argument;
}

json describe_arrays(const runtime::PlacedArguments& arguments) {
    json arrays = json::array();
    for (const runtime::PlacedArray& array : arguments.arrays)
        arrays.push_back({{"argument", array.position},
                          {"type", name_of(array.type)},
                          {"address", array.address},
                          {"bytes", array.bytes}});
    return arrays;
}

/// Runs one request, from its arguments to its report.
/// @param request the object
/// @param bytes what stands behind it
Result<json> launch_request(const json& request, std::string_view bytes) {
    auto& session = lanes::web::Session::instance();
    if (const auto error = session.begin()) return *error;
    const auto options = options_of(request);
    if (!options) return options.error();
    const auto kernel = runtime::choose_kernel(session.image(), request["kernel"].get<std::string>());
    if (!kernel) return kernel.error();
    std::vector<runtime::LaunchArgument> arguments;
    for (const json& asked : request["arguments"]) {
        auto argument = argument_of(asked, bytes);
        if (!argument) return argument.error();
        arguments.push_back(std::move(*argument));
    }
    const auto placed = runtime::place_arguments(**kernel, arguments, session.memory());
    if (!placed) return placed.error();
    auto config =
        runtime::configure_launch(**kernel,
                                  {extents_of(request["grid"]), extents_of(request["block"]),
                                   request["shared_bytes"].get<std::uint32_t>(), request["cooperative"].get<bool>()},
                                  *options);
    if (!config) return config.error();

    lanes::web::PrintedText printed;
    config->parameters = placed->buffer;
    config->print = [&](std::string_view text) { printed.add(text); };
    emulator::SingleThread thread;
    const auto report = emulator::launch(**kernel, *config, session.memory(), thread);
    runtime::DescribedLaunch described = runtime::describe_launch(*options, **kernel, *config, report);
    return json{{"device", std::move(described.device)},
                {"launch", std::move(described.launch)},
                {"faults", std::move(described.faults)},
                {"printf", printed.text()},
                {"arrays", describe_arrays(*placed)}};
}

}  // namespace

/// Launches a kernel.
/// @param request_bytes of the request
/// @param array_bytes of the arrays behind it
extern "C" LANES_WEB_VISIBLE(launch) std::int32_t launch(std::int32_t request_bytes, std::int32_t array_bytes) {
    const std::string_view request = lanes::web::input(request_bytes);
    const std::string_view bytes = lanes::web::input(request_bytes + array_bytes).substr(request.size());
    const json parsed = json::parse(request, nullptr, false);
    if (!parsed.is_object()) return lanes::web::refuse("The request is not a JSON object.");
    const auto answer = launch_request(parsed, bytes);
    return answer ? lanes::web::answer(*answer) : lanes::web::refuse(answer.error().message);
}
