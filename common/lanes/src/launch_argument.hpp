/// @file
/// @brief Arguments of `lanes launch`: numbers, and arrays in device memory.
#pragma once

#include <single_launch.hpp>

#include <lanes/emulator/ptx.hpp>
#include <lanes/emulator/result.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// Reads an argument: "u32:5" is a number, "f32:[1,2.5]" an array of two, "f32[256]" an array of 256 that nobody has
/// written yet, "s32[256]:7" one that is full of sevens, "f32:@in.bin" one with the bytes of a file. Types are those of
/// PTX: u8 to u64, s8 to s64, f32, f64.
/// @param text  the argument
/// @return the argument, or an error that quotes the part that is wrong
emulator::Result<runtime::LaunchArgument> parse_argument(std::string_view text);

/// The first elements of an array, as a person reads them: "[1, 2.5, ...]".
/// @param type    of the elements
/// @param values  the array's bytes
/// @param most    how many elements to show
std::string describe_array(emulator::ptx::Type type, std::span<const std::byte> values, std::size_t most);

}  // namespace lanes
