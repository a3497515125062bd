/// Where the lanes that a branch parts meet again, and which loops may wait for other threads.

#include "basic_blocks.hpp"
#include "control_flow.hpp"
#include "decode_function.hpp"
#include "reconvergence.hpp"

namespace lanes::emulator {
namespace {

/// Lanes that would meet only to end do not wait for each other: the first ones leave, and barriers stop waiting for
/// them.
bool is_end(const Operation& operation) {
    return operation.flow == Flow::exit && operation.guard == no_slot;
}

}  // namespace

void FunctionDecoder::find_reconvergence(const BasicBlocks& blocks) {
    std::vector<Operation>& operations = context_.program.operations;
    const std::vector<std::uint32_t> meeting = immediate_post_dominators(blocks.graph());
    for (std::uint32_t i = place().begin; i < place().end; ++i) {
        Operation& operation = operations[i];
        if (operation.flow != Flow::branch && operation.flow != Flow::branch_index) continue;
        const std::uint32_t block = meeting[blocks.block_of(i)];
        const bool meets = block != no_node && !is_end(operations[blocks.begin(block)]);
        operation.reconvergence = meets ? blocks.begin(block) : no_operation;
    }
}

/// A loop waits for other threads, perhaps, if it holds an operation that may.
void FunctionDecoder::mark_waiting_loops() {
    std::vector<Operation>& operations = context_.program.operations;
    const std::uint32_t begin = place().begin;
    std::uint32_t last_wait = no_operation;  // the nearest waiting operation at or before the current one
    for (std::uint32_t i = begin; i < place().end; ++i) {
        if (may_wait_[i - begin]) last_wait = i;
        Operation& operation = operations[i];
        const bool goes_back = operation.flow == Flow::branch && operation.target <= i;
        operation.waits = goes_back && last_wait != no_operation && last_wait >= operation.target;
    }
}

}  // namespace lanes::emulator
