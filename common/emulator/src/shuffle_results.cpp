#include "shuffle_results.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "instruction_registers.hpp"

namespace lanes::emulator {

namespace {

using Registers = std::vector<std::int32_t>;

bool holds(const Registers& registers, std::int32_t index) {
    return std::find(registers.begin(), registers.end(), index) != registers.end();
}

/// True for an instruction that computes a value from registers and does nothing else.
bool computes(const ptx::Instruction& instruction) {
    constexpr std::array<std::string_view, 7> others{"atom", "shfl", "vote", "match", "redux", "call", "ld"};
    return has_destination(instruction) && instruction.opcode != "bra" &&
           std::find(others.begin(), others.end(), instruction.opcode) == others.end();
}

bool is_logic_of_predicates(const ptx::Instruction& instruction) {
    return (instruction.opcode == "and" || instruction.opcode == "or") && instruction.has("pred");
}

std::size_t count_sources(const ptx::Instruction& instruction, const Registers& registers) {
    std::size_t count = 0;
    for_each_source(instruction, [&](std::int32_t index) { count += holds(registers, index) ? 1 : 0; });
    return count;
}

/// Follows a shuffle's value, and what is made of it, through the rest of its basic block.
class FollowedValue {
public:
    explicit FollowedValue(const ptx::Instruction& shuffle) {
        if (shuffle.operands.empty()) return;  // refused when it is reached
        for_each_register(shuffle.operands[0], [&](std::int32_t index) { own_.push_back(index); });
    }

    /// Takes the next instruction of the block; true if it is certain to use the value.
    bool uses(const ptx::Instruction& instruction) {
        const std::size_t sources = count_sources(instruction, own_) + count_sources(instruction, made_);
        if (instruction.guard >= 0) return holds(made_, instruction.guard);
        if (sources != 0 && !computes(instruction)) return true;
        const bool selects = instruction.opcode == "selp" && !instruction.operands.empty();
        if (selects && holds(made_, instruction.operands.back().index)) return true;
        const bool drops = selects || (is_logic_of_predicates(instruction) && sources == 1);
        for_each_destination(instruction, [&](std::int32_t index) {
            std::erase(own_, index);
            std::erase(made_, index);
            if (sources != 0 && !drops) made_.push_back(index);
        });
        return false;
    }

    /// The register that the shuffle wrote, while it holds the value.
    const Registers& own() const { return own_; }
    /// Registers with what was made of it.
    const Registers& made() const { return made_; }

private:
    Registers own_;
    Registers made_;
};

}  // namespace

ShuffleResults::ShuffleResults(const ptx::Function& function)
    : function_(function), reads_(function.registers.size(), 0) {
    for (const ptx::Instruction& instruction : function.body)
        for_each_source(instruction, [&](std::int32_t index) { ++reads_[static_cast<std::size_t>(index)]; });
}

/// True if an instruction outside of (begin, end) reads one of the registers.
bool ShuffleResults::is_read_elsewhere(const Registers& registers, std::size_t begin, std::size_t end) const {
    return std::any_of(registers.begin(), registers.end(), [&](std::int32_t wanted) {
        std::uint32_t here = 0;
        for (std::size_t i = begin + 1; i < end; ++i)
            for_each_source(function_.body[i], [&](std::int32_t index) { here += index == wanted ? 1 : 0; });
        return reads_[static_cast<std::size_t>(wanted)] > here;
    });
}

bool ShuffleResults::may_be_dropped(std::size_t shuffle, std::size_t end) const {
    FollowedValue value(function_.body[shuffle]);
    for (std::size_t i = shuffle + 1; i < end; ++i)
        if (value.uses(function_.body[i])) return false;
    const bool conditional = function_.body[end - 1].opcode == "bra" && function_.body[end - 1].guard >= 0;
    return !is_read_elsewhere(value.made(), shuffle, end) &&
           (conditional || !is_read_elsewhere(value.own(), shuffle, end));
}

}  // namespace lanes::emulator
