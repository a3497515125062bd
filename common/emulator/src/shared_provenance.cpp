#include "shared_provenance.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace lanes::emulator {

SharedProvenance::SharedProvenance(const ptx::Function& function, Resolve resolve)
    : resolve_(std::move(resolve)), origins_(function.registers.size(), undefined) {
    for (const ptx::Instruction& instruction : function.body) add_definitions(function, instruction);
    if (ranges_.empty()) definitions_.clear();
    // An origin goes from undefined to a number or a variable, from there to unknown, and never back: this ends.
    for (bool changed = true; changed;) {
        changed = false;
        for (const Definition& definition : definitions_) changed = update(definition) || changed;
    }
}

std::optional<SharedRange> SharedProvenance::of(const ptx::Operand& address) const {
    if (address.index < 0) return address.name.empty() ? std::nullopt : resolve_(address.name);
    const Origin origin = origins_[static_cast<std::size_t>(address.index)];
    if (origin < 0) return std::nullopt;
    return ranges_[static_cast<std::size_t>(origin)];
}

SharedProvenance::Rule SharedProvenance::rule_of(const ptx::Instruction& instruction) {
    using Entry = std::pair<std::string_view, Rule>;
    static constexpr std::array<Entry, 20> rules{
        {{"mov", Rule::choice},      {"cvta", Rule::choice}, {"cvt", Rule::choice},  {"selp", Rule::choice},
         {"min", Rule::choice},      {"max", Rule::choice},  {"add", Rule::sum},     {"sub", Rule::sum},
         {"mad", Rule::sum},         {"mad24", Rule::sum},   {"and", Rule::sum},     {"or", Rule::sum},
         {"xor", Rule::sum},         {"lop3", Rule::sum},    {"ld", Rule::number},   {"ldu", Rule::number},
         {"ldmatrix", Rule::number}, {"atom", Rule::number}, {"call", Rule::number}, {"activemask", Rule::number}}};
    const auto* const found =
        std::find_if(rules.begin(), rules.end(), [&](const Entry& entry) { return entry.first == instruction.opcode; });
    if (found == rules.end()) return Rule::other;
    const bool splits_or_packs =
        found->second != Rule::number &&
        std::any_of(instruction.operands.begin(), instruction.operands.end(),
                    [](const ptx::Operand& operand) { return operand.kind == ptx::OperandKind::vector; });
    return splits_or_packs ? Rule::other : found->second;
}

/// What a register holds that has both definitions.
SharedProvenance::Origin SharedProvenance::join(Origin a, Origin b) {
    if (a == undefined) return b;
    return b == undefined || a == b ? a : unknown;
}

/// What an instruction makes of two sources.
SharedProvenance::Origin SharedProvenance::combine(Rule rule, Origin a, Origin b) {
    if (a == undefined || b == undefined) return undefined;
    switch (rule) {
        case Rule::number:
            return number;
        case Rule::choice:
            return join(a, b);
        case Rule::sum:
            if (a == number) return b;
            return b == number ? a : unknown;
        case Rule::other:
            break;
    }
    return a == number && b == number ? number : unknown;
}

void SharedProvenance::add_definitions(const ptx::Function& function, const ptx::Instruction& instruction) {
    if (instruction.operands.empty()) return;
    const ptx::Operand& destination = instruction.operands[0];
    const bool one = destination.kind == ptx::OperandKind::reg;
    if (!one && destination.kind != ptx::OperandKind::vector) return;
    const Rule rule = rule_of(instruction);
    const std::size_t begin = sources_.size();
    if (rule != Rule::number) {
        for (std::size_t i = 1; i < instruction.operands.size(); ++i) add_source(function, instruction.operands[i]);
    }
    const auto define = [&](const ptx::Operand& operand) {
        if (operand.kind == ptx::OperandKind::reg)
            definitions_.push_back({operand.index, rule, begin, sources_.size()});
    };
    if (one) define(destination);
    for (const ptx::Operand& element : destination.elements) define(element);
}

/// Predicates choose between addresses, and are none.
void SharedProvenance::add_source(const ptx::Function& function, const ptx::Operand& operand) {
    switch (operand.kind) {
        case ptx::OperandKind::reg:
            if (function.registers[static_cast<std::size_t>(operand.index)].type != ptx::Type::pred)
                sources_.push_back({operand.index, number});
            break;
        case ptx::OperandKind::symbol:
            sources_.push_back({-1, origin_of_symbol(operand.name)});
            break;
        case ptx::OperandKind::vector:
            for (const ptx::Operand& element : operand.elements) add_source(function, element);
            break;
        default:
            sources_.push_back({-1, number});
    }
}

SharedProvenance::Origin SharedProvenance::origin_of_symbol(std::string_view name) {
    const std::optional<SharedRange> range = resolve_(name);
    if (!range) return number;
    const auto known = std::find(ranges_.begin(), ranges_.end(), *range);
    const auto origin = static_cast<Origin>(known - ranges_.begin());
    if (known == ranges_.end()) ranges_.push_back(*range);
    return origin;
}

SharedProvenance::Origin SharedProvenance::origin_of(const Source& source) const {
    return source.reg < 0 ? source.origin : origins_[static_cast<std::size_t>(source.reg)];
}

SharedProvenance::Origin SharedProvenance::result_of(const Definition& definition) const {
    if (definition.begin == definition.end) return number;
    Origin result = origin_of(sources_[definition.begin]);
    if (definition.rule == Rule::other && result >= 0) result = unknown;
    for (std::size_t i = definition.begin + 1; i < definition.end; ++i)
        result = combine(definition.rule, result, origin_of(sources_[i]));
    return result;
}

/// Takes one definition into account; true if that was news.
bool SharedProvenance::update(const Definition& definition) {
    Origin& origin = origins_[static_cast<std::size_t>(definition.destination)];
    const Origin joined = join(origin, result_of(definition));
    if (joined == origin) return false;
    origin = joined;
    return true;
}

}  // namespace lanes::emulator
