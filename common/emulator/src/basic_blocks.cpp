#include "basic_blocks.hpp"

#include <algorithm>

namespace lanes::emulator {

namespace {

bool ends_block(const Operation& operation) {
    switch (operation.flow) {
        case Flow::branch:
        case Flow::branch_index:
        case Flow::exit:
        case Flow::call_return:
        case Flow::trap:
        case Flow::unsupported:
            return true;
        default:
            return false;
    }
}

template <typename Visit>
void for_each_target(const Program& program, const Operation& operation, Visit visit) {
    if (operation.flow == Flow::branch) visit(operation.target);
    if (operation.flow != Flow::branch_index) return;
    for (const std::uint32_t target : program.branch_lists[operation.extra]) visit(target);
}

}  // namespace

BasicBlocks::BasicBlocks(const Program& program, std::uint32_t begin, std::uint32_t end)
    : program_(program), end_(end) {
    std::vector<bool> leads(end - begin + 1, false);
    leads[0] = true;
    for (std::uint32_t i = begin; i < end; ++i) {
        const Operation& operation = program.operations[i];
        for_each_target(program, operation, [&](std::uint32_t target) { leads[target - begin] = true; });
        if (ends_block(operation)) leads[i + 1 - begin] = true;
    }
    for (std::uint32_t i = begin; i < end; ++i) {
        if (leads[i - begin]) first_.push_back(i);
    }
    graph_.successors.resize(count());
    for (std::uint32_t block = 0; block < count(); ++block) add_successors(block);
}

std::uint32_t BasicBlocks::block_of(std::uint32_t operation) const {
    const auto after = std::upper_bound(first_.begin(), first_.end(), operation);
    return static_cast<std::uint32_t>(after - first_.begin()) - 1;
}

void BasicBlocks::add_successors(std::uint32_t block) {
    std::vector<std::uint32_t>& successors = graph_.successors[block];
    const Operation& last = program_.operations[end(block) - 1];
    for_each_target(program_, last, [&](std::uint32_t target) { successors.push_back(block_of(target)); });
    const bool stays = last.flow == Flow::trap || last.flow == Flow::unsupported;
    const bool goes_on = last.guard != no_slot || !ends_block(last);
    if (goes_on && block + 1 < count()) successors.push_back(block + 1);
    if (!goes_on && stays) successors.push_back(block);
}

}  // namespace lanes::emulator
