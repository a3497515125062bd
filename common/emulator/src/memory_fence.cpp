/// Fences, and instructions that are hints only.
#include "memory_handlers.hpp"

#include <atomic>

#if defined(__GNUC__) && !defined(__clang__)
// The thread sanitizer does not model fences. That may hide an order from it, but never makes one up.
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wtsan"
#endif

namespace lanes::emulator {
namespace {

void execute_fence(Warp& warp, const Operation&, LaneMask) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    for (Observer* observer : warp.block->observers) observer->on_fence(warp);
}

void execute_hint(Warp&, const Operation&, LaneMask) {}

}  // namespace

/// fence, fence.proxy and membar.
Selection select_fence(MemoryForm& form) {
    Selection selection;
    selection.order = form.take_order(MemoryOrder::acquire_release);
    for (const std::string_view part : {"proxy", "alias", "async", "async.global", "async::generic", "mbarrier_init",
                                        "global", "shared", "shared::cta", "shared::cluster"})
        form.take(part);
    if (form.operand_count() == 0) selection.execute = execute_fence;
    return selection;
}

/// prefetch and prefetchu
Selection select_hint(MemoryForm& form) {
    Selection selection;
    form.take_space();
    form.take_hints();
    form.take("L1") || form.take("L2");
    if (form.operand_count() != 1) return {};
    selection.source[0] = form.address_type(0);
    if (selection.source[0] != ptx::Type::none) selection.execute = execute_hint;
    return selection;
}

}  // namespace lanes::emulator
