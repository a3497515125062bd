/// @file
/// @brief What each fuzzer has: one function that is given bytes, and a way to say that a property does not hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

/// Uses the bytes; libFuzzer and replay.cpp call it. Returns only if nothing is wrong.
/// @param data  the input; may be null if it is empty
/// @param size  how many bytes
/// @return 0
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace lanes::fuzz {

/// Ends the process, so that the fuzzer keeps the input, unless a property holds.
/// @param holds     whether it does
/// @param property  what must hold, in words
inline void require(bool holds, std::string_view property) {
    if (holds) return;
    std::fprintf(stderr, "This does not hold: %.*s\n", static_cast<int>(property.size()), property.data());
    std::abort();
}

}  // namespace lanes::fuzz
