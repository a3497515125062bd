/// @file
/// @brief Positions in a grid or block, and how messages spell them.
#pragma once

#include <cstdint>
#include <string>

#include "execution.hpp"

namespace lanes::emulator {

/// Number of a position: x is fastest, as CUDA numbers threads and blocks.
std::uint64_t linear_index(const Dim3& position, const Dim3& extent);
/// The position with that number.
Dim3 position_in(const Dim3& extent, std::uint64_t linear);
/// "(3,4,0)"
std::string text_of(const Dim3& position);
/// "tiling.cu:57": the file without its folders.
std::string text_of(const SourceLine& line);
/// " at tiling.cu:57", or nothing if the PTX has no line there.
std::string at_line(const Program& program, const Operation& operation);
/// "0x0000ffff"; 64-bit numbers with as many digits as they need.
std::string text_of_hex(std::uint64_t value);
/// "lane 3", "lanes 0-15", "lanes 0-7 and 31".
std::string text_of_lanes(LaneMask lanes);
/// A verb behind text_of_lanes: "waits" of one lane, "wait" of several.
std::string verb_of(LaneMask lanes, const std::string& plural);
/// "32 have left the kernel at a.cu:3", "1 has left the kernel".
/// @param threads  that have returned
/// @param first  the return of the first of them
std::string text_of_exits(std::uint64_t threads, const Program& program, const Operation& first);

}  // namespace lanes::emulator
