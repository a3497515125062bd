/// @file
/// @brief How far the results of approximate instructions may be from the hardware's.
#pragma once

#include <cstdint>
#include <string>

namespace lanes::emulator::hardware {

/// Whether a result agrees with the hardware's: bit by bit, but for the forms with `.approx` or `.full`.
///
/// Those may differ by the error that the PTX ISA 9.0 documents for the form ("Floating Point Instructions" and "Half
/// Precision Floating Point Instructions"), and half a unit of the last place for the emulator's own rounding; NaNs and
/// infinities have to be the same bits there too.
/// @param form     its name, such as "ex2.approx.ftz.f32"
/// @param operand  the bits of its first operand: some bounds hold in a range only
/// @param bytes    size of the result
bool agree(const std::string& form, std::uint64_t operand, std::uint64_t expected, std::uint64_t actual,
           std::size_t bytes);

}  // namespace lanes::emulator::hardware
