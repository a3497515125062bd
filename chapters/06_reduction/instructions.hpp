/// @file
/// @brief What modulo.cuh and warp_totals.cuh must compute, and launches that count their instructions.
#pragma once

#include "modulo.cuh"
#include "predictions.hpp"
#include "warp_totals.cuh"

#include <lanes/main.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

/// A kernel of modulo.cuh that takes remainders.
using RemainderKernel = void (*)(const int* in, int* out, int divisor);

/// @brief What a remainder kernel makes of some numbers.
/// @param kernel  to launch
/// @param values  at most 1024
/// @param divisor not 0
inline std::vector<int> remainders(RemainderKernel kernel, const std::vector<int>& values, int divisor) {
    const lanes::DeviceArray<int> in(values);
    lanes::DeviceArray<int> out(values.size());
    kernel<<<1, unsigned(values.size())>>>(in.data(), out.data(), divisor);
    lanes::check_launch("remainder");
    return out.to_host();
}

TEST_CASE("remainders are C++'s; a mask is right for numbers that are not negative, and only for those") {
    std::vector<int> values(100);
    std::iota(values.begin(), values.end(), -50);
    const auto expected = [&](int divisor) {
        std::vector<int> results;
        for (const int value : values) results.push_back(value % divisor);
        return results;
    };
    for (const int divisor : {1, 2, 3, 7, 16, -5})
        CHECK(lanes::equal(remainders(remainder_any, values, divisor), expected(divisor)));
    CHECK(lanes::equal(remainders(remainder_ten, values, 10), expected(10)));
    CHECK(lanes::equal(remainders(remainder_sixteen, values, 16), expected(16)));
    const auto masked = remainders(remainder_mask, values, 16);
    for (std::size_t i = 0; i < values.size(); ++i) {
        CAPTURE(values[i]);
        if (values[i] >= 0) CHECK(masked[i] == values[i] % 16);
    }
    CHECK(masked[49] == 15);  // of -1
    CHECK(-1 % 16 == -1);
}

/// @brief What warp_totals() leaves in each thread.
/// @param values one for each thread, a multiple of 32
/// @param turns  sums over the warp
inline std::vector<unsigned> expected_totals(std::vector<unsigned> values, int turns) {
    for (std::size_t first = 0; first < values.size(); first += 32)
        for (int turn = 0; turn < turns; ++turn) {
            const auto warp = values.begin() + std::ptrdiff_t(first);
            const unsigned total = std::accumulate(warp, warp + 32, 0U);
            for (unsigned lane = 0; lane < 32; ++lane) values[first + lane] = total + lane;
        }
    return values;
}

/// @brief Launches warp_totals() and gives its results back.
/// @param values one for each thread, a multiple of 32, at most 1024
/// @param turns  sums over the warp
template <typename Way>
std::vector<unsigned> totals(const std::vector<unsigned>& values, int turns) {
    const lanes::DeviceArray<unsigned> in(values);
    lanes::DeviceArray<unsigned> out(values.size());
    warp_totals<Way><<<1, unsigned(values.size())>>>(in.data(), out.data(), turns);
    lanes::check_launch("warp_totals");
    return out.to_host();
}

TEST_CASE("three ways to the sum of a warp agree, also when it overflows") {
    const auto values = lanes::Random().whole_numbers<unsigned>(256, 0, 1000);
    for (const int turns : {0, 1, 2, 9}) {
        CAPTURE(turns);
        CHECK(lanes::equal(totals<ByShuffles>(values, turns), expected_totals(values, turns)));
        CHECK(lanes::equal(totals<ByOneInstruction>(values, turns), expected_totals(values, turns)));
        CHECK(lanes::equal(totals<ByCooperativeGroup>(values, turns), expected_totals(values, turns)));
    }
}

/// One warp that takes 32 remainders: its instructions are what is of interest.
inline lanes::CountedCase remainder_case(const std::string& name, RemainderKernel kernel) {
    return {
        .name = name,
        .snippets = {name},
        .kernel = name,
        .parameters = {{"elements", 32}},
        .predicted = lanes::global_counts(row_of_loads(32, sizeof(int)), row_of_loads(32, sizeof(int))),
        .launch = [=] {
            std::vector<int> values(32);
            std::iota(values.begin(), values.end(), 0);
            if (remainders(kernel, values, name == "remainder_ten" ? 10 : 16)[31] != (name == "remainder_ten" ? 1 : 15))
                throw std::runtime_error(name + ": 31 has another remainder");
        }};
}

/// One warp that takes 16 sums of its lanes, in one of the ways.
template <typename Way>
lanes::CountedCase totals_case(const std::string& name, const std::string& way) {
    return {.name = name,
            .snippets = {"warp_totals", way},
            .kernel = "warp_totals",
            .parameters = {{"turns", 16}},
            .predicted = lanes::global_counts(row_of_loads(32, sizeof(unsigned)), row_of_loads(32, sizeof(unsigned))),
            .launch = [=] {
                const std::vector<unsigned> ones(32, 1);
                if (totals<Way>(ones, 16) != expected_totals(ones, 16)) throw std::runtime_error(name + " is wrong");
            }};
}

/// Launches of one warp each, to compare their instructions.
inline lanes::CountedCases instruction_cases() {
    return {remainder_case("remainder_any", remainder_any),
            remainder_case("remainder_ten", remainder_ten),
            remainder_case("remainder_sixteen", remainder_sixteen),
            remainder_case("remainder_mask", remainder_mask),
            totals_case<ByShuffles>("totals_by_shuffles", "by_shuffles"),
            totals_case<ByOneInstruction>("totals_by_one_instruction", "by_one_instruction"),
            totals_case<ByCooperativeGroup>("totals_by_cooperative_group", "by_cooperative_group")};
}

/// @brief Instructions that the emulator counts in a case of instruction_cases().
/// @param name of the case
inline std::uint64_t counted_instructions(const std::string& name) {
    const lanes::CountedCases cases = instruction_cases();
    const auto has_name = [&](const lanes::CountedCase& counted_case) { return counted_case.name == name; };
    std::find_if(cases.begin(), cases.end(), has_name)->launch();
    return lanes::counted("smsp__inst_executed").value();
}

TEST_CASE("claim: in PTX a remainder is one instruction, a mask two, and a constant divisor needs a handful") {
    if (!lanes::on_emulator()) return;  // a GPU's own instructions are counted by Nsight Compute
    const std::uint64_t rest = counted_instructions("remainder_any") - 1;
    CHECK(counted_instructions("remainder_mask") == rest + 2);
    CHECK(counted_instructions("remainder_sixteen") > rest + 2);
    CHECK(counted_instructions("remainder_ten") > rest + 2);
    CHECK(counted_instructions("remainder_ten") < rest + 8);
}

TEST_CASE("claim: shuffles sum a warp in ten instructions, redux in one, and a cooperative group chooses redux") {
    if (!lanes::on_emulator()) return;
    const std::uint64_t by_shuffles = counted_instructions("totals_by_shuffles");
    const std::uint64_t by_one = counted_instructions("totals_by_one_instruction");
    CHECK(by_shuffles > by_one + 16 * 8);  // 16 turns
    CHECK(counted_instructions("totals_by_cooperative_group") == by_one);
}

/// Times sums over the warp, of every warp that the device holds.
inline void measure_warp_totals(lanes::Benchmark& benchmark) {
    const std::size_t threads = 256, blocks = benchmark.pick(lanes::current_device().multiprocessors * 8, 64, 1);
    const int turns = int(benchmark.pick(4096, 1024, 2));
    const lanes::DeviceArray<unsigned> in(std::vector<unsigned>(threads * blocks, 1));
    lanes::DeviceArray<unsigned> out(threads * blocks);
    const auto expected = expected_totals(std::vector<unsigned>(threads * blocks, 1), turns);
    const auto variant = [&](const std::string& name, const std::string& way, auto* kernel) {
        return lanes::Variant{
            .name = name,
            .snippets = {"warp_totals", way},
            .parameters = {{"turns", turns}},
            .ceiling = "totals_by_one_instruction",
            .launch = [&, kernel] { kernel<<<unsigned(blocks), threads>>>(in.data(), out.data(), turns); },
            .poison = [&] { out.poison(); },
            .verify = [&] { return lanes::equal(out.to_host(), expected); }};
    };
    benchmark.group("Sums over the warp",
                    {variant("totals_by_one_instruction", "by_one_instruction", warp_totals<ByOneInstruction>),
                     variant("totals_by_shuffles", "by_shuffles", warp_totals<ByShuffles>),
                     variant("totals_by_cooperative_group", "by_cooperative_group", warp_totals<ByCooperativeGroup>)});
}
