#include "check_clock.hpp"

#include <algorithm>

namespace lanes::emulator {

void BlockClock::start_block() {
    ++changes_;
    common_ = now_++;
    block_begin_ = now_;
}

void BlockClock::join_all() {
    ++changes_;
    common_ = now_++;
}

void BlockClock::join(WarpMask warps, std::uint32_t barrier) {
    ++changes_;
    Times joined = arrived_[barrier];
    arrived_[barrier] = {};
    for (std::uint32_t warp = 0; warp < warps_; ++warp) {
        if ((warps >> warp & 1U) == 0) continue;
        for (std::uint32_t of = 0; of < warps_; ++of) joined[of] = std::max(joined[of], known(warp, of));
        joined[warp] = now_;
    }
    for (std::uint32_t warp = 0; warp < warps_; ++warp) {
        if ((warps >> warp & 1U) == 0) continue;
        known_[warp] = joined;
        set_floor(warp);
    }
    ++now_;
}

void BlockClock::arrive(std::uint32_t warp, std::uint32_t barrier) {
    ++changes_;
    Times& arrived = arrived_[barrier];
    for (std::uint32_t of = 0; of < warps_; ++of) arrived[of] = std::max(arrived[of], known(warp, of));
    arrived[warp] = now_++;
}

void BlockClock::join_lanes(std::uint32_t warp, LaneMask lanes, LaneMask live) {
    ++changes_;
    const Time time = now_++;
    if ((live & ~lanes) == 0) {
        known_[warp][warp] = time;
        return;
    }
    if (lanes_[warp] == nullptr) lanes_[warp] = std::make_unique<LaneTimes>();
    LaneTimes& times = *lanes_[warp];
    std::array<Time, warp_size> joined{};
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((lanes >> lane & 1U) == 0) continue;
        for (unsigned of = 0; of < warp_size; ++of) joined[of] = std::max(joined[of], times[lane][of]);
        joined[lane] = time;
    }
    for (unsigned lane = 0; lane < warp_size; ++lane)
        if ((lanes >> lane & 1U) != 0) times[lane] = joined;
}

void BlockClock::publish(std::uint32_t warp) {
    ++changes_;
    for (std::uint32_t of = 0; of < warps_; ++of) published_[of] = std::max(published_[of], known(warp, of));
    published_[warp] = now_++;
    ++publications_;
}

void BlockClock::acquire(std::uint32_t warp) {
    if (acquired_[warp] == publications_) return;
    acquired_[warp] = publications_;
    ++changes_;
    for (std::uint32_t of = 0; of < warps_; ++of) known_[warp][of] = std::max(known_[warp][of], published_[of]);
    set_floor(warp);
}

bool BlockClock::is_ordered(unsigned thread, unsigned other, Time time) const {
    const unsigned warp = thread / warp_size;
    const unsigned other_warp = other / warp_size;
    if (thread == other || time <= known(warp, other_warp)) return true;
    if (warp != other_warp || lanes_[warp] == nullptr) return false;
    return time <= (*lanes_[warp])[thread % warp_size][other % warp_size];
}

void BlockClock::set_floor(std::uint32_t warp) {
    const Times& known = known_[warp];
    floor_[warp] = *std::min_element(known.begin(), known.begin() + warps_);
}

}  // namespace lanes::emulator
