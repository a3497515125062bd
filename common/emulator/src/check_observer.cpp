#include "check_observer.hpp"

#include "barrier.hpp"
#include "memory_access.hpp"

namespace lanes::emulator {

CheckObserver::CheckObserver(GlobalLaunch& launch, const Block& block, std::uint32_t warps, std::uint32_t worker)
    : clock_(warps, launch.first_time),
      shared_(block, clock_, launch.checks, findings_),
      global_(launch, block, clock_, worker, findings_),
      warps_(warps) {}

void CheckObserver::on_block_start(Block& block) {
    clock_.start_block();
    shared_.start_block();
    global_.start_block();
    locks_.clear();
    timeline_.start(clock_.now(), block.number);
}

void CheckObserver::on_access(const Access& access) {
    if (access.space == ptx::Space::shared) {
        shared_.on_access(access);
    } else if (access.space == ptx::Space::global) {
        global_.on_access(access);
    } else {
        return;
    }
    if (access.atomic || access.operation.order != MemoryOrder::weak) synchronise(access);
}

/// Threads that hand over data by flags, counters and locks: a strong access learns what was published, and a strong
/// store publishes. Of atomic operations those publish that release or touch a lock. A histogram's additions do not: a
/// plain read of a bin still needs a barrier.
void CheckObserver::synchronise(const Access& access) {
    const MemoryOrder order = access.operation.order;
    const bool is_barrier_object = access.atomic && order == MemoryOrder::weak;
    const bool releases = order == MemoryOrder::release || order == MemoryOrder::acquire_release;
    const bool is_flag = access.writes && !access.atomic;
    const bool publishes = releases || is_flag || is_barrier_object || (access.atomic && is_lock(access));
    if (publishes) publish(access.warp);
    if (access.reads) acquire(access.warp);
}

/// True if a compare-and-swap has touched what the atomic operation touches, or is about to.
bool CheckObserver::is_lock(const Access& access) {
    const bool swaps = access.operation.source[2] != no_slot;
    bool lock = swaps;
    for_each_lane(access.lanes, [&](unsigned lane) {
        if (swaps) locks_.insert(access.addresses()[lane]);
        lock = lock || locks_.count(access.addresses()[lane]) != 0;
    });
    return lock;
}

void CheckObserver::publish(const Warp& warp) {
    global_.publish(clock_.now());
    clock_.publish(warp.index);
}

void CheckObserver::acquire(const Warp& warp) {
    global_.acquire();
    clock_.acquire(warp.index);
}

void CheckObserver::on_block_barrier(Block& block, const BlockBarrier& barrier, std::uint32_t number) {
    WarpMask met = 0;
    for (std::uint32_t warp = 0; warp < warps_; ++warp)
        if (barrier.waiting[warp] != 0) met |= WarpMask{1} << warp;
    const bool all = barrier.expected == 0 || (barrier.arrived_only == 0 && barrier.expected >= block.threads);
    if (all) {
        clock_.join_all();
    } else {
        clock_.join(met, number);
    }
}

void CheckObserver::on_barrier_arrival(Warp& warp, std::uint32_t number) {
    clock_.arrive(warp.index, number);
}

void CheckObserver::on_warp_barrier(Warp& warp, LaneMask lanes) {
    clock_.join_lanes(warp.index, lanes, warp.live);
}

void CheckObserver::on_fence(Warp& warp) {
    publish(warp);
    acquire(warp);
}

}  // namespace lanes::emulator
