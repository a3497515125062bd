/// @file
/// @brief Exports `reduction` and `shuffle_reduction`: a block's sum, step by step.
#include <lanes/model/reduction.hpp>

#include "export.hpp"

namespace {

namespace model = lanes::model;

void put_cost(lanes::web::Call& call, const model::ReductionStepCost& cost) {
    call.put(cost.additions);
    call.put(cost.warps);
    call.put(cost.loads.wavefronts);
    call.put(cost.loads.conflicts());
    call.put(cost.stores.wavefronts);
    call.put(cost.stores.conflicts());
}

/// A power of two from 32 to 1024.
unsigned threads_from(lanes::web::Call& call) {
    return call.choice("threads a block", {32, 64, 128, 256, 512, 1024});
}

/// In: scheme, 0 to 2 as model::ReductionScheme; threads of the block, a power of two from 32 to 1024.
/// Out: warps that add, over all steps; then for each step its stride, its cost (threads that add, warps that add,
/// wavefronts and conflicts of loads and of stores), and for each thread the element that it adds to, or -1.
void compute_reduction(lanes::web::Call& call) {
    const auto scheme = static_cast<model::ReductionScheme>(call.choice("the scheme", {0, 1, 2}));
    const unsigned threads = threads_from(call);
    call.put(model::reduction_warps(scheme, threads));
    for (unsigned step = 0; step < model::reduction_steps(threads); ++step) {
        const unsigned s = model::reduction_stride(scheme, threads, step);
        call.put(s);
        put_cost(call, model::reduction_step_cost(scheme, threads, s));
        for (unsigned thread = 0; thread < threads; ++thread) {
            const auto element = model::reduction_element(scheme, threads, s, thread);
            call.put(element ? *element : -1.0);
        }
    }
}

/// One of a warp's five steps, by all threads of the first `warps` warps. For each thread: 0 if it does not add, 1 if
/// it adds for nothing, 2 if what it adds reaches the sum.
void put_shuffle(lanes::web::Call& call, unsigned step, unsigned warps, unsigned threads) {
    const unsigned distance = model::shuffle_distance(step);
    call.put(distance);
    put_cost(call, model::shuffle_step_cost(warps));
    for (unsigned thread = 0; thread < threads; ++thread) {
        const bool adds = thread / model::warp_size < warps;
        call.put(!adds ? 0 : model::shuffle_is_useful(distance, thread % model::warp_size) ? 2 : 1);
    }
}

/// In: threads of the block, a power of two from 32 to 1024.
/// Out: warps that add, over all steps; then eleven steps: five of all warps, one in which the warps' sums are handed
/// over to the first warp, and five of that. Of each the distance between the operands (0 in the sixth), its cost as in
/// `reduction`, and for each thread 0, 1 or 2 as put_shuffle() says.
void compute_shuffle_reduction(lanes::web::Call& call) {
    const unsigned threads = threads_from(call);
    call.put(model::shuffle_reduction_warps(threads));
    for (unsigned step = 0; step < model::shuffle_steps; ++step)
        put_shuffle(call, step, model::warp_count(threads), threads);
    call.put(0);
    put_cost(call, model::shuffle_handover_cost(threads));
    for (unsigned thread = 0; thread < threads; ++thread) call.put(0);
    for (unsigned step = 0; step < model::shuffle_steps; ++step) put_shuffle(call, step, 1, threads);
}

}  // namespace

LANES_WEB_EXPORT(reduction, compute_reduction)
LANES_WEB_EXPORT(shuffle_reduction, compute_shuffle_reduction)
