/// @file
/// @brief Arguments of `lanes launch`: numbers, and arrays in device memory.
#pragma once

#include <lanes/emulator/ptx.hpp>
#include <lanes/emulator/result.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// One argument as written.
struct LaunchArgument {
    emulator::ptx::Type type = emulator::ptx::Type::none;  ///< of the number, or of an element
    bool is_array = false;                                 ///< the kernel gets a pointer to `values`
    std::vector<std::byte> values;  ///< of the type, one after the other; of an unset array, none
    std::uint64_t count = 1;        ///< elements of the array
};

/// Reads an argument: "u32:5" is a number, "f32:[1,2.5]" an array of two, "f32[256]" an array of 256 that nobody has
/// written yet, "s32[256]:7" one that is full of sevens, "f32:@in.bin" one with the bytes of a file. Types are those of
/// PTX: u8 to u64, s8 to s64, f32, f64.
/// @param text  the argument
/// @return the argument, or an error that quotes the part that is wrong
emulator::Result<LaunchArgument> parse_argument(std::string_view text);

/// The first elements of an array, as a person reads them: "[1, 2.5, ...]".
/// @param type    of the elements
/// @param values  the array's bytes
/// @param most    how many elements to show
std::string describe_array(emulator::ptx::Type type, std::span<const std::byte> values, std::size_t most);

}  // namespace lanes
