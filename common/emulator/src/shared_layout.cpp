#include "shared_layout.hpp"

#include <algorithm>

#include "align.hpp"

namespace lanes::emulator {

SharedLayout::SharedLayout(const LinkedModules& linked, const std::vector<ReachedFunction>& reached) {
    for (const ReachedFunction& function : reached) {
        for (const ptx::Variable& variable : linked.function(function.definition).variables) {
            if (variable.space == ptx::Space::shared) place(variable);
        }
        for (const Definition& definition : function.shared_variables) place(linked.variable(definition));
    }
    place_dynamic();
}

void SharedLayout::place(const ptx::Variable& variable) {
    if (variable.external) {
        dynamic_.push_back(&variable);
        return;
    }
    const std::uint32_t offset = align_up(static_bytes_, variable.alignment);
    if (!offsets_.emplace(&variable, offset).second) return;
    const std::uint32_t bytes = limited(variable.bytes);
    static_bytes_ = limited(offset + bytes);
    variables_.push_back({variable.name, offset, bytes});
}

/// All `extern __shared__` variables of a kernel begin at the same place.
void SharedLayout::place_dynamic() {
    std::uint32_t alignment = 1;
    for (const ptx::Variable* variable : dynamic_) alignment = std::max(alignment, variable->alignment);
    dynamic_offset_ = align_up(static_bytes_, alignment);
    for (const ptx::Variable* variable : dynamic_) {
        if (offsets_.emplace(variable, dynamic_offset_).second) {
            variables_.push_back({variable->name, dynamic_offset_, 0});
        }
    }
}

const std::uint32_t* SharedLayout::find(const ptx::Variable* variable) const {
    const auto found = offsets_.find(variable);
    return found == offsets_.end() ? nullptr : &found->second;
}

}  // namespace lanes::emulator
