/// @file
/// @brief How the checks write down an access to a word: who, when, at which line.
#pragma once

#include "check_clock.hpp"

#include <algorithm>
#include <cstdint>

namespace lanes::emulator {

/// How strong an access is. Two that are both more than weak do not race: PTX ISA, "Data-races".
enum class Strength : std::uint8_t { weak, strong, atomic };

/// Bytes of a word, a bit each.
using ByteMask = std::uint32_t;
inline constexpr ByteMask whole_word = 0xf;

/// Bytes of the word at `word_address` that [address, address + bytes) touches.
inline ByteMask bytes_in_word(std::uint64_t word_address, std::uint64_t address, std::uint64_t bytes) {
    const std::uint64_t begin = std::max(word_address, address) - word_address;
    const std::uint64_t end = std::min(word_address + 4, address + bytes) - word_address;
    return ((1U << end) - 1) & ~((1U << begin) - 1);
}

/// What happened to a word, unpacked.
struct Record {
    Time time = 0;  ///< 0: before anything that matters
    std::uint32_t worker = 0;
    unsigned thread = 0;
    std::uint32_t line = 0;  ///< index into Program::lines
    ByteMask bytes = 0;
    Strength strength = Strength::weak;
};

/// A record of a word of device memory in 64 bits. From the top: 25 bits of time, 6 of the worker, 10 of the thread,
/// 13 of the line, 4 of bytes touched, 2 of strength; then 4 of bytes written so far by anybody (of a write), or one
/// that says that other threads read the word too (of a read).
struct GlobalRecord {
    static constexpr Time last_time = (1U << 25) - 1;
    static constexpr std::uint32_t workers = 1U << 6;
    static constexpr std::uint32_t last_line = (1U << 13) - 1;
    static constexpr unsigned time_shift = 39;
    static constexpr unsigned worker_shift = 33;
    static constexpr unsigned thread_shift = 23;
    static constexpr unsigned line_shift = 10;
    static constexpr std::uint64_t thread_bits = 1023;
    static constexpr std::uint64_t worker_bits = std::uint64_t{workers - 1} << worker_shift;
    static constexpr std::uint64_t several = 1;

    static std::uint64_t pack(const Record& record) {
        return record.time << time_shift | std::uint64_t{record.worker} << worker_shift |
               std::uint64_t{record.thread} << thread_shift |
               std::uint64_t{std::min(record.line, last_line)} << line_shift | std::uint64_t{record.bytes} << 6 |
               std::uint64_t{static_cast<std::uint8_t>(record.strength)} << 4;
    }
    static Record unpack(std::uint64_t bits) {
        return {.time = bits >> time_shift,
                .worker = static_cast<std::uint32_t>(bits >> worker_shift) & (workers - 1),
                .thread = static_cast<unsigned>(bits >> thread_shift & thread_bits),
                .line = static_cast<std::uint32_t>(bits >> line_shift) & last_line,
                .bytes = static_cast<ByteMask>(bits >> 6) & whole_word,
                .strength = static_cast<Strength>(bits >> 4 & 3U)};
    }
    static ByteMask valid_bytes(std::uint64_t bits) { return static_cast<ByteMask>(bits) & whole_word; }
    static std::uint64_t only_valid(ByteMask bytes) { return bytes; }
};

}  // namespace lanes::emulator
