#include "options.hpp"

#include "host_capacity.hpp"

#include <charconv>
#include <optional>

namespace lanes::runtime {

namespace {

using emulator::Error;
using emulator::Result;

constexpr unsigned maximum_threads = 1024;

std::optional<std::uint64_t> parse_number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

Error bad(std::string_view text, const std::string& expected) {
    return Error{'"' + std::string(text) + "\" is not " + expected};
}

// Parses one variable, if it is set, and says which one was wrong.
template <typename Parse, typename Store>
std::optional<Error> read_variable(const std::function<const char*(const char*)>& get, const char* name, Parse parse,
                                   Store store) {
    const char* text = get(name);
    if (text == nullptr) return std::nullopt;
    const auto value = parse(text);
    if (!value) return Error{std::string(name) + ": " + value.error().message};
    store(*value);
    return std::nullopt;
}

}  // namespace

Result<unsigned> parse_threads(std::string_view text) {
    const auto value = parse_number(text);
    if (!value || *value == 0 || *value > maximum_threads) return bad(text, "a number of threads from 1 to 1024");
    return static_cast<unsigned>(*value);
}

Result<std::uint64_t> parse_budget(std::string_view text) {
    const auto value = parse_number(text);
    if (!value || *value == 0) return bad(text, "a number of instructions of at least 1");
    return *value;
}

Result<emulator::Schedule> parse_schedule(std::string_view text) {
    if (text == "lockstep") return emulator::Schedule{};
    const auto seed = parse_number(text);
    if (!seed) return bad(text, "a schedule: \"lockstep\", or a number as the seed of a random order");
    return emulator::Schedule{false, *seed};
}

Result<Options> read_options(const std::function<const char*(const char*)>& get) {
    Options options;
    options.device = *find_profile(default_device);
    const emulator::LaunchConfig defaults;
    options.budget = defaults.instruction_budget;
    options.threads = host_threads();
    const auto errors = {
        read_variable(get, variable::device, find_profile, [&](auto value) { options.device = value; }),
        read_variable(get, variable::threads, parse_threads, [&](auto value) { options.threads = value; }),
        read_variable(get, variable::budget, parse_budget, [&](auto value) { options.budget = value; }),
        read_variable(get, variable::schedule, parse_schedule, [&](auto value) { options.schedule = value; }),
        read_variable(get, variable::checks, emulator::parse_checks, [&](auto value) { options.checks = value; }),
    };
    for (const auto& error : errors)
        if (error) return *error;
    if (const char* report = get(variable::report)) options.report = report;
    if (const char* module = get(variable::module)) options.module = module;
    return options;
}

}  // namespace lanes::runtime
