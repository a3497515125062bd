#include "position.hpp"

#include <array>
#include <bit>
#include <cstdio>
#include <vector>

namespace lanes::emulator {

std::uint64_t linear_index(const Dim3& position, const Dim3& extent) {
    return position.x + extent.x * (position.y + std::uint64_t{extent.y} * position.z);
}

Dim3 position_in(const Dim3& extent, std::uint64_t linear) {
    const std::uint64_t layer = std::uint64_t{extent.x} * extent.y;
    return {static_cast<std::uint32_t>(linear % extent.x), static_cast<std::uint32_t>(linear % layer / extent.x),
            static_cast<std::uint32_t>(linear / layer)};
}

std::string text_of(const Dim3& position) {
    return "(" + std::to_string(position.x) + "," + std::to_string(position.y) + "," + std::to_string(position.z) + ")";
}

std::string text_of(const SourceLine& line) {
    const std::size_t slash = line.file.find_last_of("/\\");
    const std::string name = slash == std::string::npos ? line.file : line.file.substr(slash + 1);
    return name + ":" + std::to_string(line.line);
}

std::string at_line(const Program& program, const Operation& operation) {
    const SourceLine& line = program.lines[operation.line];
    return line.line == 0 ? std::string{} : " at " + text_of(line);
}

std::string text_of_hex(std::uint64_t value) {
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "0x%08llx", static_cast<unsigned long long>(value));
    return text.data();
}

namespace {

/// "3" or "0-15": the run of lanes that begins at `first`; takes it out of `lanes`.
std::string take_run(LaneMask& lanes) {
    const int first = std::countr_zero(lanes);
    const int length = std::countr_one(lanes >> first);
    for (int i = first; i < first + length; ++i) lanes &= ~(LaneMask{1} << i);
    std::string text = std::to_string(first);
    if (length > 1) text += "-" + std::to_string(first + length - 1);
    return text;
}

}  // namespace

std::string text_of_lanes(LaneMask lanes) {
    std::string text = std::popcount(lanes) == 1 ? "lane " : "lanes ";
    for (bool first = true; lanes != 0; first = false) {
        const std::string run = take_run(lanes);
        if (!first) text += lanes == 0 ? " and " : ", ";
        text += run;
    }
    return text;
}

std::string verb_of(LaneMask lanes, const std::string& plural) {
    if (std::popcount(lanes) != 1) return plural;
    return plural + (plural.back() == 'h' ? "es" : "s");
}

std::string text_of_exits(std::uint64_t threads, const Program& program, const Operation& first) {
    return std::to_string(threads) + (threads == 1 ? " has" : " have") + " left the kernel" + at_line(program, first);
}

}  // namespace lanes::emulator
