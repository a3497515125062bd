#include "ptx_names.hpp"

#include <algorithm>
#include <charconv>

namespace lanes::emulator::ptx {

namespace {

/// Registers of a range have at most this many digits, so that a long name is not split at each of its digits.
constexpr std::size_t most_digits = 8;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

NameId Names::intern(std::string_view name) {
    const auto [found, is_new] = ids_.try_emplace(name, static_cast<NameId>(entries_.size()));
    if (is_new) {
        entries_.emplace_back();
        entries_.back().text = name;
    }
    return found->second;
}

void Names::close_scope() {
    const Scope& scope = scopes_.back();
    for (const auto& [id, binding] : scope.hidden) entries_[id].own = binding;
    for (const NameId base : scope.ranges) entries_[base].ranges.pop_back();
    scopes_.pop_back();
}

bool Names::declare(NameId id, NameKind kind, std::uint32_t index, std::uint32_t count) {
    const Binding seen = find(id);
    if (seen.kind != NameKind::none && seen.scope == depth()) return false;
    scopes_.back().hidden.emplace_back(id, entries_[id].own);
    entries_[id].own = {kind, index, count, depth(), ++order_};
    return true;
}

bool Names::declare_range(NameId base, std::uint32_t index, std::uint32_t count) {
    std::vector<Binding>& ranges = entries_[base].ranges;
    if (!ranges.empty() && ranges.back().scope == depth()) return false;
    scopes_.back().ranges.push_back(base);
    ranges.push_back({NameKind::reg, index, count, depth(), ++order_});
    return true;
}

void Names::bind_global(NameId id, NameKind kind, std::uint32_t index, std::uint32_t count) {
    entries_[id].own = {kind, index, count, 0, ++order_};
}

Binding Names::find(NameId id) const {
    const Entry& entry = entries_[id];
    const Binding member = find_in_range(entry.text);
    return member.kind != NameKind::none && member.order > entry.own.order ? member : entry.own;
}

/// "%r12" is the member 12 of "%r<...>" or the member 2 of "%r1<...>", whichever was declared last.
Binding Names::find_in_range(std::string_view name) const {
    Binding best;
    std::size_t split = name.size();
    while (split > 1 && name.size() - split < most_digits && is_digit(name[split - 1])) {
        --split;
        if (name[split] == '0' && split + 1 < name.size()) continue;  // no leading zeros
        std::uint32_t number = 0;
        std::from_chars(name.data() + split, name.data() + name.size(), number);
        const Binding* range = find_range(name.substr(0, split), number);
        if (range == nullptr || range->order < best.order) continue;
        best = *range;
        best.index += number;
        best.count = 1;
    }
    return best;
}

/// The innermost range of this base that has a member of this number, or nullptr.
const Binding* Names::find_range(std::string_view base, std::uint32_t number) const {
    const auto id = ids_.find(base);
    if (id == ids_.end()) return nullptr;
    const std::vector<Binding>& ranges = entries_[id->second].ranges;
    const auto has_member = [number](const Binding& range) { return number < range.count; };
    const auto found = std::find_if(ranges.rbegin(), ranges.rend(), has_member);
    return found == ranges.rend() ? nullptr : &*found;
}

std::uint32_t Names::count_use(NameId id) {
    Entry& entry = entries_[id];
    if (entry.uses_epoch != uses_epoch_) entry.uses = 0;
    entry.uses_epoch = uses_epoch_;
    return ++entry.uses;
}

}  // namespace lanes::emulator::ptx
