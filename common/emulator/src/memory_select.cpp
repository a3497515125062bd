#include "memory_handlers.hpp"

#include <string_view>

namespace lanes::emulator {
namespace {

using Select = Selection (*)(MemoryForm&);

/// Who knows an opcode.
struct Entry {
    std::string_view opcode;
    Select select;
};

constexpr Entry entries[] = {
    {"ld", select_load},          {"ldu", select_load},      {"st", select_store},        {"atom", select_atomic},
    {"red", select_atomic},       {"cp", select_async_copy}, {"ldmatrix", select_matrix}, {"stmatrix", select_matrix},
    {"mbarrier", select_barrier}, {"fence", select_fence},   {"membar", select_fence},    {"prefetch", select_hint},
    {"prefetchu", select_hint},
};

/// The cache policy of .L2::cache_hint is the last operand; its row is there, and nobody reads it.
void add_policy(const MemoryForm& form, Selection& selection) {
    if (!form.has_policy()) return;
    for (ptx::Type& source : selection.source) {
        if (source != ptx::Type::none) continue;
        source = ptx::Type::b64;
        return;
    }
}

}  // namespace

Result<Selection> select_memory(const ptx::Instruction& instruction, const std::vector<ptx::Register>& registers) {
    MemoryForm form(instruction, registers);
    for (const Entry& entry : entries) {
        if (entry.opcode != instruction.opcode) continue;
        Selection selection = entry.select(form);
        if (selection.execute == nullptr || !form.complete()) break;
        add_policy(form, selection);
        return selection;
    }
    return Error{form.name()};
}

}  // namespace lanes::emulator
