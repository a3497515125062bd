/// @file
/// @brief The layout of a warp's register file: where registers, immediates and special registers have their rows.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "execution.hpp"

namespace lanes::emulator {

/// Bytes of one lane's value in a row of this type: 2, 4, 8 or 16; 0 for a predicate.
std::uint32_t row_width(ptx::Type type);

/// Bits of an immediate operand as a value of `type`: a float literal is converted, an integer cut to size.
std::uint64_t immediate_bits(const ptx::Operand& operand, ptx::Type type);

/// Hands out rows, aligned to 64 bytes so that a row of 32 values is a whole number of vectors.
class RegisterFile {
public:
    explicit RegisterFile(Program& program) : program_(program) {}

    /// A new row for a register or a temporary value.
    Slot add(ptx::Type type);
    /// A row for values that nobody reads; the same one for all of a width.
    Slot scratch(ptx::Type type);
    /// The row that holds `bits` in every lane.
    Slot constant(std::uint32_t width, std::uint64_t bits);
    /// The row of a special register.
    Slot special(std::string_view name, std::uint32_t width);
    /// Starts a new cache line: predicates of different functions do not share one.
    void align() { predicates_ = predicates_end_; }

private:
    Slot reserve(std::uint32_t bytes);

    Program& program_;
    Slot predicates_ = 0;  // free part of the line that predicates share
    Slot predicates_end_ = 0;
    std::map<std::uint32_t, Slot> scratch_;  // by width
    std::map<std::pair<std::uint32_t, std::uint64_t>, Slot> constants_;
    std::map<std::pair<std::string, std::uint32_t>, Slot> specials_;
};

}  // namespace lanes::emulator
