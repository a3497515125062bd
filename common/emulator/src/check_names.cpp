/// Names of checks.

#include <lanes/emulator/checks.hpp>

#include <array>
#include <utility>

namespace lanes::emulator {

namespace {

constexpr std::array<std::pair<std::string_view, Check>, 5> names{{{"race_shared", Check::race_shared},
                                                                   {"race_global", Check::race_global},
                                                                   {"uninitialized_read", Check::uninitialized_read},
                                                                   {"same_value_writes", Check::same_value_writes},
                                                                   {"leaks", Check::leaks}}};

/// The checks that one name stands for; false if there is no such name.
bool add_named(std::string_view name, Checks& checks) {
    if (name == "all") {
        checks.add(Checks::all());
        return true;
    }
    if (name == "races") {
        checks.add(Check::race_shared);
        checks.add(Check::race_global);
        return true;
    }
    if (name == "bounds") return true;
    for (const auto& [known, check] : names) {
        if (known != name) continue;
        checks.add(check);
        return true;
    }
    return false;
}

}  // namespace

Checks Checks::all() {
    Checks checks;
    checks.add(Check::race_shared);
    checks.add(Check::race_global);
    checks.add(Check::uninitialized_read);
    return checks;
}

Result<Checks> parse_checks(std::string_view text) {
    Checks checks;
    if (text == "none") return checks;
    for (std::string_view left = text;;) {
        const std::size_t comma = left.find(',');
        const std::string_view name = left.substr(0, comma);
        if (!add_named(name, checks)) {
            return Error{'"' + std::string(name) +
                         "\" is not a check: say all, none, or some of race_shared, race_global, races, "
                         "uninitialized_read, same_value_writes, leaks and bounds, with commas between"};
        }
        if (comma == std::string_view::npos) return checks;
        left.remove_prefix(comma + 1);
    }
}

std::string name_of(Checks checks) {
    std::string text;
    for (const auto& [name, check] : names) {
        if (!checks.has(check)) continue;
        if (!text.empty()) text += ',';
        text += name;
    }
    return text.empty() ? "none" : text;
}

}  // namespace lanes::emulator
