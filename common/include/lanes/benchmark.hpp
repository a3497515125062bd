/// @file
/// @brief Timing variants of a kernel side by side, against ceilings measured in the same run.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lanes/check.hpp"
#include "lanes/device.hpp"
#include "lanes/measurement.hpp"
#include "lanes/measurement_table.hpp"
#include "lanes/timer.hpp"

namespace lanes {

/// How much work to do.
enum class Effort : std::uint8_t {
    full,     ///< on a GPU
    quick,    ///< on a GPU with `--quick`: fewer samples, smaller data
    emulated  ///< on the emulator, whose times are not a GPU's: one sample, small data
};

/// @brief Elements for each of several arrays that an L2 cache cannot hold.
/// @param l2_bytes      size of the cache
/// @param factor        how many times the cache each array should be
/// @param element_bytes size of an element
/// @param arrays        how many arrays are alive at once
/// @param free_bytes    device memory to be had; the arrays take half of it at most
/// @return a power of two
/// @throws std::invalid_argument if `element_bytes` or `arrays` is 0
inline std::size_t elements_beyond(std::size_t l2_bytes, std::size_t factor, std::size_t element_bytes,
                                   std::size_t arrays, std::size_t free_bytes) {
    if (element_bytes == 0 || arrays == 0) throw std::invalid_argument("elements_beyond: no elements or no arrays");
    std::size_t elements = 1;
    while (elements * element_bytes < l2_bytes * factor) elements *= 2;
    while (elements > 1 && elements * element_bytes * arrays > free_bytes / 2) elements /= 2;
    return elements;
}

/// Times groups of variants, prints a table for each group, and keeps what it measured for the results file.
class Benchmark {
public:
    /// @brief Made by run(); tests make their own.
    /// @param device what it runs on
    /// @param effort how much work to do
    /// @param out    where the tables go; it must live as long as this object
    Benchmark(Device device, Effort effort, std::ostream& out)
        : device_(std::move(device)), effort_(effort), out_(out) {}

    /// How much work this run does.
    Effort effort() const { return effort_; }

    /// @brief The size for this run: `benchmark.pick(4096, 1024, 64)`.
    /// @param full     on a GPU
    /// @param quick    on a GPU with `--quick`
    /// @param emulated on the emulator
    /// @return one of the three
    std::size_t pick(std::size_t full, std::size_t quick, std::size_t emulated) const {
        if (effort_ == Effort::emulated) return emulated;
        return effort_ == Effort::quick ? quick : full;
    }

    /// @brief Elements for arrays that no L2 cache holds: each is 16 times the L2 (4 times with `--quick`).
    ///
    /// Less where the device lacks the memory, and 65,536 elements on the emulator, which has no caches.
    /// @param element_bytes size of an element
    /// @param arrays        how many such arrays are alive at once
    /// @return a power of two
    /// @throws CudaError if the device does not say how much memory is free
    std::size_t elements_beyond_l2(std::size_t element_bytes, std::size_t arrays) const {
        if (effort_ == Effort::emulated) return 65536;
        std::size_t free_bytes = 0;
        std::size_t total_bytes = 0;
        check(cudaMemGetInfo(&free_bytes, &total_bytes));
        return elements_beyond(device_.l2_bytes, pick(16, 4, 0), element_bytes, arrays, free_bytes);
    }

    /// @brief Times every variant of a group, in turns so that a drifting clock hits all alike, and prints a table.
    /// @param title    heading of the table
    /// @param variants at least one; a ceiling is a variant that another one names
    /// @throws std::invalid_argument for a name used twice, an unknown ceiling, or a variant without a launch;
    ///         std::runtime_error if a variant's result is wrong; CudaError
    void group(const std::string& title, const std::vector<Variant>& variants) {
        require_sound(variants, names());
        std::vector<TimedWork> works;
        for (const auto& variant : variants) works.push_back({variant.name, variant.launch});
        const auto timings = time_in_turns(works, plan());
        for (const auto& variant : variants) verify(variant);
        const auto measured = measurements_of(variants, timings);
        print(title, measured);
        measurements_.insert(measurements_.end(), measured.begin(), measured.end());
    }

    /// Everything measured so far, in the order of measuring.
    const std::vector<Measurement>& measurements() const { return measurements_; }

private:
    TimingPlan plan() const {
        TimingPlan plan;
        if (effort_ == Effort::quick) plan = {.warm_ups = 1, .samples = 5};
        if (effort_ == Effort::emulated) plan = {.warm_ups = 0, .samples = 1};
        return plan;
    }

    std::set<std::string> names() const {
        std::set<std::string> names;
        for (const auto& measurement : measurements_) names.insert(measurement.name);
        return names;
    }

    /// The other variants of a group may have written to the same output: launches once more into poison, then checks.
    static void verify(const Variant& variant) {
        if (!variant.verify) return;
        variant.poison();
        variant.launch();
        check_launch(variant.name);
        if (const auto comparison = variant.verify(); !comparison) {
            throw std::runtime_error("measurement " + variant.name + " timed a wrong result: " + comparison.message());
        }
    }

    static std::vector<Measurement> measurements_of(const std::vector<Variant>& variants,
                                                    const std::vector<Timing>& timings) {
        std::vector<Measurement> measured;
        for (std::size_t i = 0; i < variants.size(); ++i) {
            const auto& variant = variants[i];
            measured.push_back({variant.name, variant.snippets, variant.parameters, variant.bytes, variant.operations,
                                timings[i].repeats, timings[i].milliseconds, variant.ceiling, std::nullopt});
        }
        for (auto& measurement : measured) {
            for (const auto& ceiling : measured) {
                if (ceiling.name == measurement.ceiling) measurement.ratio = ratio_to(measurement, ceiling);
            }
        }
        return measured;
    }

    void print(const std::string& title, const std::vector<Measurement>& measured) const {
        out_ << '\n' << title << (effort_ == Effort::emulated ? " (the emulator's times, not a GPU's)" : "") << '\n';
        out_ << measurement_table(measured);
        for (const auto& measurement : measured) {
            // Four times the cache: at least three quarters of the traffic must go past it.
            if (effort_ == Effort::emulated || measurement.bytes == 0) continue;
            if (measurement.bytes < 4 * device_.l2_bytes) {
                out_ << "  " << measurement.name << " moves less than 4 times the L2 cache: not a speed of DRAM\n";
            }
        }
        out_.flush();
    }

    Device device_;
    Effort effort_;
    std::ostream& out_;
    std::vector<Measurement> measurements_;
};

}  // namespace lanes
