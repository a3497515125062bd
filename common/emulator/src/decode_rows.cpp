/// Gives the registers of a decoded function their rows. Until then operations name registers by number.

#include <algorithm>
#include <numeric>
#include <queue>

#include "decode_function.hpp"
#include "liveness.hpp"

namespace lanes::emulator {

namespace {

/// Marks a slot that is the number of a register, not yet a row. No register file is that large.
constexpr Slot register_tag = 0x80000000u;

bool is_register(Slot slot) {
    return slot != no_slot && (slot & register_tag) != 0;
}

/// Hands rows of one width out, and out again when their registers are no longer needed (Poletto and Sarkar: Linear
/// Scan Register Allocation, 1999; there is no spilling here).
class RowPool {
public:
    /// A row for a register that is live from `begin` to `end`. Calls must come in order of `begin`.
    template <typename NewRow>
    Slot take(const LiveRange& range, NewRow new_row) {
        while (!taken_.empty() && taken_.top().first < range.begin) {
            free_.push(taken_.top().second);
            taken_.pop();
        }
        Slot slot = no_slot;
        if (free_.empty()) {
            slot = new_row();
        } else {
            slot = free_.top();
            free_.pop();
        }
        taken_.emplace(range.end, slot);
        return slot;
    }

private:
    template <typename T>
    using LowestFirst = std::priority_queue<T, std::vector<T>, std::greater<>>;

    LowestFirst<std::pair<std::uint32_t, Slot>> taken_;  // by the end of their use
    LowestFirst<Slot> free_;
};

}  // namespace

Slot FunctionDecoder::read_register(std::int32_t index) {
    const auto reg = static_cast<std::uint32_t>(index);
    accesses_.push_back({current_operation(), reg, false, false});
    return register_tag | reg;
}

Slot FunctionDecoder::write_register(std::int32_t index) {
    const auto reg = static_cast<std::uint32_t>(index);
    accesses_.push_back({current_operation(), reg, true, current_is_guarded_});
    return register_tag | reg;
}

void FunctionDecoder::assign_rows(const BasicBlocks& blocks) {
    const auto count = static_cast<std::uint32_t>(function_.registers.size());
    const std::vector<LiveRange> ranges = live_ranges(blocks, accesses_, count);
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return ranges[a].begin < ranges[b].begin; });
    std::map<std::uint32_t, RowPool> pools;
    rows_.assign(count, no_slot);
    context_.registers.align();
    for (const std::uint32_t reg : order) {
        if (ranges[reg].empty()) continue;
        const ptx::Type type = function_.registers[reg].type;
        const std::uint32_t width = row_width(type);
        rows_[reg] = pools[width].take(ranges[reg], [&] {
            const Slot row = context_.registers.add(type);
            if (place().recursive) place().rows.push_back({row, width});
            return row;
        });
        if (ranges[reg].at_entry) context_.program.unset_rows.push_back({rows_[reg], width});
    }
}

void FunctionDecoder::replace(Slot& slot) const {
    if (is_register(slot)) slot = rows_[slot & ~register_tag];
}

void FunctionDecoder::replace_registers() {
    Program& program = context_.program;
    for (std::uint32_t i = place().begin; i < place().end; ++i) {
        Operation& operation = program.operations[i];
        replace(operation.guard);
        replace(operation.destination);
        replace(operation.destination2);
        for (Slot& slot : operation.source) replace(slot);
        const bool has_mask = operation.flow == Flow::warp_barrier || operation.flow == Flow::warp_exchange;
        if (has_mask) replace(operation.target);
    }
    for (std::size_t i = first_vector_; i < program.vectors.size(); ++i) {
        for (Slot& slot : program.vectors[i]) replace(slot);
    }
    for (std::size_t i = first_call_; i < program.calls.size(); ++i) {
        CallSite& call = program.calls[i];
        replace(call.target);
        for (CallArgument& argument : call.arguments) replace(argument.row);
        for (CallArgument& result : call.returns) replace(result.row);
    }
}

}  // namespace lanes::emulator
