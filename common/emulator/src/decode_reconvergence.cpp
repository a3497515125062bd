/// Where the lanes that a branch parts meet again, and which loops may wait for other threads.

#include "basic_blocks.hpp"
#include "control_flow.hpp"
#include "decode_function.hpp"
#include "reconvergence.hpp"

namespace lanes::emulator {

void FunctionDecoder::find_reconvergence(const BasicBlocks& blocks) {
    std::vector<Operation>& operations = context_.program.operations;
    const std::vector<std::uint32_t> meeting = immediate_post_dominators(blocks.graph());
    for (std::uint32_t i = place().begin; i < place().end; ++i) {
        Operation& operation = operations[i];
        if (operation.flow != Flow::branch && operation.flow != Flow::branch_index) continue;
        const std::uint32_t block = meeting[blocks.block_of(i)];
        operation.reconvergence = block == no_node ? no_operation : blocks.begin(block);
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
