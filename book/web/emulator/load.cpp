/// @file
/// @brief Exports `load`, which takes PTX and lists its kernels, and `devices`, which lists what can be emulated.
#include "../visible.hpp"
#include "session.hpp"
#include "text.hpp"

#include <kernel_name.hpp>
#include <options.hpp>
#include <profiles.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>

namespace {

using nlohmann::json;
namespace emulator = lanes::emulator;
namespace runtime = lanes::runtime;

json extents(const std::uint32_t (&values)[3]) {
    return json::array({values[0], values[1], values[2]});
}

json describe(const emulator::Kernel& kernel) {
    const std::string declaration = runtime::demangle(kernel.name);
    json parameters = json::array();
    for (const emulator::KernelParameter& parameter : kernel.parameters)
        parameters.push_back({{"type", name_of(parameter.type)}, {"bytes", parameter.bytes}});
    return {{"name", kernel.name},
            {"readable", runtime::short_name(declaration)},
            {"declaration", declaration},
            {"parameters", parameters},
            {"static_shared_bytes", kernel.static_shared_bytes},
            {"required_threads", extents(kernel.required_threads)},
            {"maximum_threads", extents(kernel.maximum_threads)}};
}

}  // namespace

/// Takes PTX in place of what was loaded before.
/// @param bytes of the text
extern "C" LANES_WEB_VISIBLE(load) std::int32_t load(std::int32_t bytes) {
    auto& session = lanes::web::Session::instance();
    if (const auto error = session.load(lanes::web::input(bytes))) return lanes::web::refuse(error->message);
    if (const auto error = session.begin()) return lanes::web::refuse(error->message);
    json kernels = json::array();
    for (const emulator::Kernel* kernel : session.image().kernels()) kernels.push_back(describe(*kernel));
    return lanes::web::answer({{"kernels", kernels}});
}

/// Lists the devices: how options call them, their cards and limits that a launch may meet.
extern "C" LANES_WEB_VISIBLE(devices) std::int32_t devices() {
    json all = json::array();
    for (const runtime::DeviceProfile& device : runtime::device_profiles())
        all.push_back({{"option", device.option()},
                       {"name", device.name()},
                       {"card", device.card},
                       {"multiprocessors", device.multiprocessors}});
    return lanes::web::answer({{"devices", all}, {"default", runtime::default_device}});
}
