/// @file
/// @brief The observer that runs the checks of one worker.
#pragma once

#include "check_clock.hpp"
#include "check_findings.hpp"
#include "check_global.hpp"
#include "check_shared.hpp"
#include "check_timeline.hpp"
#include "execution.hpp"

#include <cstdint>
#include <unordered_set>

namespace lanes::emulator {

/// Watches the blocks of one worker, one after the other.
class CheckObserver final : public Observer {
public:
    /// @param worker  its number; from GlobalRecord::workers on, only unset memory is looked for in device memory
    CheckObserver(GlobalLaunch& launch, const Block& block, std::uint32_t warps, std::uint32_t worker);

    void on_block_start(Block& block) override;
    void on_access(const Access& access) override;
    void on_block_barrier(Block& block, const BlockBarrier& barrier, std::uint32_t number) override;
    void on_barrier_arrival(Warp& warp, std::uint32_t number) override;
    void on_warp_barrier(Warp& warp, LaneMask lanes) override;
    void on_fence(Warp& warp) override;

    const Findings& findings() const { return findings_; }
    /// The block that the worker ran at a time; times ascend.
    std::uint64_t block_at(Time time) const { return timeline_.block_at(time); }
    Time last_time() const { return clock_.now(); }

private:
    void synchronise(const Access& access);
    bool is_lock(const Access& access);
    void publish(const Warp& warp);
    void acquire(const Warp& warp);

    BlockClock clock_;
    Findings findings_;
    SharedCheck shared_;
    GlobalCheck global_;
    Timeline timeline_;
    std::uint32_t warps_;
    std::unordered_set<std::uint64_t> locks_;  ///< addresses that a compare-and-swap has touched
};

}  // namespace lanes::emulator
