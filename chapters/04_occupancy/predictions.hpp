/// @file
/// @brief What the kernels of chapter 4 must move, by the model.
#pragma once

#include <lanes/prediction.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

/// @brief One access of all threads, each to one element; those for which `element_of` says so stay out.
/// @param threads    of the launch
/// @param bytes      of an element
/// @param element_of thread number to std::optional element number
template <typename ElementOf>
lanes::GlobalTraffic elements_traffic(std::size_t threads, unsigned bytes, const ElementOf& element_of) {
    return lanes::traffic_of(threads, bytes, [&](std::size_t thread) -> std::optional<std::uint64_t> {
        const std::optional<std::size_t> element = element_of(thread);
        return element ? std::optional<std::uint64_t>(*element * bytes) : std::nullopt;
    });
}

/// @brief `count` elements in a row, one a thread.
/// @param count how many
/// @param bytes of an element
/// @param first number of the first
inline lanes::GlobalTraffic row_traffic(std::size_t count, unsigned bytes, std::size_t first = 0) {
    return elements_traffic(count, bytes, [=](std::size_t thread) { return std::optional(first + thread); });
}

/// @brief Loads of read_in_flight: rounds of `flights` loads, then single ones, then words that fill no vector.
/// @param words   in all
/// @param bytes   of a load
/// @param flights loads a round
/// @param threads of the launch
inline lanes::GlobalTraffic read_traffic(std::size_t words, unsigned bytes, unsigned flights, std::size_t threads) {
    const std::size_t count = words * 4 / bytes;
    lanes::GlobalTraffic total;
    const auto rounds = [=](std::size_t thread) {  // whole rounds of a thread
        const std::size_t last = thread + (flights - 1) * threads;
        return last < count ? (count - 1 - last) / (flights * threads) + 1 : 0;
    };
    const auto load = [&](std::size_t thread, std::size_t number) {
        return std::optional<std::size_t>(thread + number * threads);
    };
    for (std::size_t round = 0; round < rounds(0); ++round)
        for (unsigned k = 0; k < flights; ++k)
            total += elements_traffic(threads, bytes, [&](std::size_t thread) {
                return round < rounds(thread) ? load(thread, round * flights + k) : std::nullopt;
            });
    for (unsigned k = 0; k < flights; ++k)
        total += elements_traffic(threads, bytes, [&](std::size_t thread) {
            const auto element = load(thread, rounds(thread) * flights + k);
            return *element < count ? element : std::nullopt;
        });
    const std::size_t whole = count * bytes / 4;
    if (whole < words) total += row_traffic(words - whole, 4, whole);
    return total;
}
