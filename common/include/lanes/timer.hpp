/// @file
/// @brief Timing with CUDA events: warm-up, launches repeated until the clock can see them, variants in turns.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "lanes/check.hpp"
#include "lanes/statistics.hpp"

namespace lanes {

/// Two CUDA events around work in the default stream.
class EventTimer {
public:
    /// @brief Creates the events.
    /// @throws CudaError if the device has none to give
    EventTimer() {
        check(cudaEventCreate(&start_));
        check(cudaEventCreate(&stop_));
    }
    EventTimer(const EventTimer&) = delete;
    EventTimer& operator=(const EventTimer&) = delete;
    /// Gives the events back. A failure here repeats an earlier fault of a kernel, which the end of run() reports.
    ~EventTimer() {
        static_cast<void>(cudaEventDestroy(start_));
        static_cast<void>(cudaEventDestroy(stop_));
    }

    /// @brief Times launches that follow each other without a gap.
    /// @param launch  starts the work once, without waiting for it
    /// @param repeats how often; at least 1
    /// @param name    for the message if it fails
    /// @return milliseconds for one launch
    /// @throws CudaError if a launch or the work fails
    double milliseconds(const std::function<void()>& launch, unsigned repeats, const std::string& name) {
        check(cudaEventRecord(start_));
        for (unsigned i = 0; i < repeats; ++i) launch();
        check(cudaEventRecord(stop_));
        check_launch(name);
        float elapsed = 0.0F;
        check(cudaEventElapsedTime(&elapsed, start_, stop_));
        return static_cast<double>(elapsed) / repeats;
    }

private:
    cudaEvent_t start_ = nullptr;
    cudaEvent_t stop_ = nullptr;
};

/// How carefully to time.
struct TimingPlan {
    unsigned warm_ups = 3;         ///< launches of each variant before the first sample
    unsigned samples = 15;         ///< samples of each variant; the median is reported
    double shortest_ms = 1.0;      ///< a sample lasts at least this long: a launch takes the host some microseconds
    unsigned most_repeats = 1000;  ///< launches in one sample at most
};

/// Something to time and what to call it.
struct TimedWork {
    std::string name;              ///< for messages
    std::function<void()> launch;  ///< starts the work once, without waiting for it
};

/// The times of one piece of work.
struct Timing {
    Statistics milliseconds;  ///< of one launch
    unsigned repeats = 1;     ///< launches in each sample
};

/// @brief Launches that a sample needs in order to last as long as the plan asks.
/// @param milliseconds one launch, as the warm-up saw it
/// @param plan         see TimingPlan
/// @return 1 to `plan.most_repeats`
inline unsigned repeats_for(double milliseconds, const TimingPlan& plan) {
    if (milliseconds * plan.most_repeats <= plan.shortest_ms) return plan.most_repeats;
    return std::max(1U, static_cast<unsigned>(std::ceil(plan.shortest_ms / milliseconds)));
}

/// @brief Times several pieces of work in turns, one sample of each a round, so that a drifting clock hits all alike.
/// @param works what to time
/// @param plan  see TimingPlan
/// @return the times, in the order of `works`
/// @throws CudaError if a launch or the work fails
inline std::vector<Timing> time_in_turns(const std::vector<TimedWork>& works, const TimingPlan& plan) {
    EventTimer timer;
    std::vector<Timing> timings(works.size());
    for (std::size_t i = 0; i < works.size(); ++i) {
        double warm = 0.0;
        for (unsigned n = 0; n < plan.warm_ups; ++n) warm = timer.milliseconds(works[i].launch, 1, works[i].name);
        if (plan.warm_ups > 0) timings[i].repeats = repeats_for(warm, plan);
    }
    std::vector<std::vector<double>> samples(works.size());
    for (unsigned round = 0; round < plan.samples; ++round) {
        for (std::size_t i = 0; i < works.size(); ++i) {
            samples[i].push_back(timer.milliseconds(works[i].launch, timings[i].repeats, works[i].name));
        }
    }
    for (std::size_t i = 0; i < works.size(); ++i) timings[i].milliseconds = statistics_of(samples[i]);
    return timings;
}

}  // namespace lanes
