/// @file
/// @brief lanes-limits: what a multiprocessor holds, by compute capability, from the model's own table.
///
/// Tab-separated, a line for each limit and a column for each device that the emulator knows. With --cards, what the
/// cards of these capabilities have.
#include <CLI/CLI.hpp>
#include <lanes/model/banks.hpp>
#include <lanes/model/occupancy.hpp>
#include <profiles.hpp>

#include <functional>
#include <iostream>
#include <string>
#include <vector>

namespace {

namespace model = lanes::model;
using lanes::runtime::DeviceProfile;
using Limits = model::MultiprocessorLimits;

/// A line of a table: what it says, and its value for a device.
template <typename Device>
struct Line {
    std::string label;
    std::function<std::string(const Device&)> value;
};

/// A limit that is a number.
Line<Limits> number(const std::string& label, std::uint32_t (*value)(const Limits&)) {
    return {label, [value](const Limits& limits) { return std::to_string(value(limits)); }};
}

/// A pool that some capabilities do not have.
std::string pool(std::uint32_t size) {
    return size == 0 ? "no limit" : std::to_string(size);
}

std::string carve_outs(const Limits& limits) {
    std::string text;
    for (const std::uint16_t kb : limits.carve_out_kb) text += (text.empty() ? "" : ", ") + std::to_string(kb);
    return text;
}

std::vector<Line<Limits>> lines_of_limits() {
    using model::kilobyte;
    return {
        number("Warps on a multiprocessor, at most", [](const Limits& l) { return l.warps; }),
        number("Threads on a multiprocessor, at most", [](const Limits& l) { return l.threads(); }),
        number("Blocks on a multiprocessor, at most", [](const Limits& l) { return l.blocks; }),
        number("Threads of a block, at most", [](const Limits& l) { return l.threads_per_block; }),
        number("Registers of a multiprocessor, and of a block at most", [](const Limits& l) { return l.registers; }),
        number("Registers of a thread, at most", [](const Limits& l) { return l.registers_per_thread; }),
        number("Registers of a warp are a multiple of", [](const Limits& l) { return l.register_granule; }),
        number("Partitions, each with its part of the registers", [](const Limits& l) { return l.partitions; }),
        number("L1 cache and shared memory together, KiB",
               [](const Limits& l) { return l.unified_cache_bytes / kilobyte; }),
        number("Shared memory of a multiprocessor, at most, KiB",
               [](const Limits& l) { return l.shared_bytes / kilobyte; }),
        {"Carve-outs, KiB", carve_outs},
        number("Shared memory of a block, KiB",
               [](const Limits& l) { return l.default_shared_bytes_per_block / kilobyte; }),
        number("The same after opting in, KiB", [](const Limits& l) { return l.shared_bytes_per_block / kilobyte; }),
        number("Shared memory of a block that CUDA keeps, bytes",
               [](const Limits& l) { return l.reserved_bytes_per_block; }),
        number("Shared memory of a block is a multiple of, bytes",
               [](const Limits& l) { return l.shared_granule_bytes; }),
        number("Banks of shared memory", [](const Limits&) { return std::uint32_t{model::bank_count}; }),
        {"Barriers of a multiprocessor", [](const Limits& l) { return pool(l.barriers); }},
    };
}

std::vector<Line<DeviceProfile>> lines_of_cards() {
    return {
        {"Card", [](const DeviceProfile& card) { return std::string(card.card); }},
        {"Multiprocessors", [](const DeviceProfile& card) { return std::to_string(card.multiprocessors); }},
        {"L2 cache, MiB", [](const DeviceProfile& card) { return std::to_string(card.l2_bytes >> 20); }},
        {"Memory, MiB", [](const DeviceProfile& card) { return std::to_string(card.memory_mib); }},
        {"Width of the memory's bus, bits",
         [](const DeviceProfile& card) { return std::to_string(card.memory_bus_bits); }},
    };
}

/// Prints a table with a column for each device.
template <typename Device>
void print(const std::vector<Line<Device>>& lines, const std::vector<Device>& devices) {
    std::cout << "Compute capability";
    for (const DeviceProfile& profile : lanes::runtime::device_profiles()) {
        std::cout << '\t' << profile.compute_capability / 10 << '.' << profile.compute_capability % 10;
    }
    std::cout << '\n';
    for (const auto& line : lines) {
        std::cout << line.label;
        for (const Device& device : devices) std::cout << '\t' << line.value(device);
        std::cout << '\n';
    }
}

}  // namespace

/// Exit status: 0, 2 for a wrong command line.
int main(int argc, char** argv) {
    CLI::App app("Prints what a multiprocessor holds, by compute capability, with tabs between the columns.");
    bool cards = false;
    app.add_flag("--cards", cards, "Print what one card of each capability has instead");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    const auto profiles = lanes::runtime::device_profiles();
    if (cards) {
        print(lines_of_cards(), std::vector<DeviceProfile>(profiles.begin(), profiles.end()));
        return 0;
    }
    std::vector<Limits> limits;
    for (const DeviceProfile& profile : profiles) {
        limits.push_back(
            *model::multiprocessor_limits({profile.compute_capability / 10, profile.compute_capability % 10}));
    }
    print(lines_of_limits(), limits);
    return 0;
}
