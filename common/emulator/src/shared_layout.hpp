/// @file
/// @brief Where a kernel's shared variables lie.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "call_graph.hpp"

namespace lanes::emulator {

/// Shared memory of a kernel: static variables in order of declaration, then the dynamic part.
class SharedLayout {
public:
    /// Places the variables of all functions reached.
    SharedLayout(const LinkedModules& linked, const std::vector<ReachedFunction>& reached);

    /// Offset of a variable; the variable is known by its address in the module. nullptr if it has none.
    const std::uint32_t* find(const ptx::Variable* variable) const;
    std::uint32_t static_bytes() const { return static_bytes_; }
    /// Where dynamic shared memory begins: behind the static part, aligned.
    std::uint32_t dynamic_offset() const { return dynamic_offset_; }
    /// All variables in order of their offsets, for messages.
    const std::vector<SharedVariable>& variables() const { return variables_; }

private:
    void place(const ptx::Variable& variable);
    void place_dynamic();

    std::unordered_map<const ptx::Variable*, std::uint32_t> offsets_;
    std::vector<const ptx::Variable*> dynamic_;
    std::uint32_t static_bytes_ = 0;
    std::uint32_t dynamic_offset_ = 0;
    std::vector<SharedVariable> variables_;
};

}  // namespace lanes::emulator
