/// @file
/// @brief What the parts of the parser share while they read one module.
#pragma once

#include "ptx_labels.hpp"
#include "ptx_line_table.hpp"
#include "ptx_names.hpp"
#include "ptx_reader.hpp"

#include <lanes/emulator/ptx.hpp>

#include <cstdint>
#include <string_view>

namespace lanes::emulator::ptx {

/// What a module may still have. The limits are far above real modules; they keep a hostile one from eating all memory.
struct Budget {
    std::uint64_t initial_bytes = std::uint64_t{256} << 20;
    std::uint64_t registers = 4'000'000;
    std::uint64_t instructions = 2'000'000;
    std::uint64_t operands = 8'000'000;

    /// Takes `amount` out of one of them; false if that is more than is left.
    static bool take(std::uint64_t& left, std::uint64_t amount) {
        if (amount > left) return false;
        left -= amount;
        return true;
    }
};

/// The module and all tables needed to read it.
struct ParserState {
    explicit ParserState(std::string_view text) : reader(text), labels(names), lines(module) {}
    ParserState(const ParserState&) = delete;
    ParserState& operator=(const ParserState&) = delete;

    Reader reader;
    Names names;
    Labels labels;
    Module module;
    LineTable lines;
    Budget budget;
};

}  // namespace lanes::emulator::ptx
