#include "check_timeline.hpp"

#include <algorithm>
#include <iterator>

namespace lanes::emulator {

void Timeline::start(Time time, std::uint64_t block) {
    const auto now = static_cast<std::uint32_t>(time);
    const auto number = static_cast<std::uint32_t>(block);
    if (!runs_.empty()) {
        Run& last = runs_.back();
        if (last.count == 1) {
            last.time_step = now - last.time;
            last.block_step = number - last.block;
        }
        if (now == last.time + last.count * last.time_step && number == last.block + last.count * last.block_step) {
            ++last.count;
            return;
        }
    }
    runs_.push_back({.time = now, .block = number});
}

std::uint64_t Timeline::block_at(Time time) const {
    const auto later = std::upper_bound(runs_.begin(), runs_.end(), time,
                                        [](Time wanted, const Run& run) { return wanted < run.time; });
    if (later == runs_.begin()) return 0;
    const Run& run = *std::prev(later);
    if (run.time_step == 0) return run.block;
    const auto passed = static_cast<std::uint32_t>((time - run.time) / run.time_step);
    return run.block + std::min(passed, run.count - 1) * run.block_step;
}

}  // namespace lanes::emulator
