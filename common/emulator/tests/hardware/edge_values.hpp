/// @file
/// @brief Values at which arithmetic changes its rules, as bits.
#pragma once

#include <cstdint>
#include <vector>

namespace lanes::emulator::hardware {

/// What the bits of an operand mean.
enum class ValueKind : std::uint8_t {
    integer16,
    integer32,
    integer64,
    f16,
    bf16,
    f32,
    f64,
    s16_pair,    ///< two 16-bit integers
    f16_pair,    ///< two f16, the upper half different from the lower
    bf16_pair,   ///< two bf16
    bytes,       ///< four 8-bit integers
    float_pair,  ///< two 8-bit floating-point numbers: all codes
    shift,       ///< an amount or a position of bits
    selector,    ///< the third operand of prmt
    predicate,
};

/// How many values: operands of instructions with few operands may have more of them.
enum class Richness : std::uint8_t { few, some, many };

/// Zeros, subnormals, limits, halfway cases of every narrower type, infinities, NaNs with payloads, of both signs.
std::vector<std::uint64_t> edge_values(ValueKind kind, Richness richness);

}  // namespace lanes::emulator::hardware
