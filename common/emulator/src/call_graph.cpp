#include "call_graph.hpp"

#include <algorithm>

namespace lanes::emulator {

namespace {

class Walk {
public:
    Walk(const LinkedModules& linked, const Definition& kernel) : linked_(linked) {
        index_of(kernel);
        for (std::uint32_t i = 0; i < reached_.size(); ++i) visit(i);
    }

    std::vector<ReachedFunction> finish() {
        connect_pointer_calls();
        for (std::uint32_t i = 0; i < reached_.size(); ++i) reached_[i].recursive = reaches(i, i);
        return std::move(reached_);
    }

private:
    std::uint32_t index_of(const Definition& definition) {
        for (std::uint32_t i = 0; i < reached_.size(); ++i) {
            if (reached_[i].definition == definition) return i;
        }
        reached_.push_back({definition, {}, {}, false, false});
        return static_cast<std::uint32_t>(reached_.size() - 1);
    }

    void visit(std::uint32_t function) {
        const Definition definition = reached_[function].definition;
        for (const ptx::Instruction& instruction : linked_.function(definition).body) {
            const bool is_call = instruction.opcode == "call" && instruction.operands.size() > 1;
            for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
                see(function, instruction.operands[i], is_call && i == 1);
            }
            if (is_call && instruction.operands[1].kind == ptx::OperandKind::reg) see_pointer_call(function);
        }
    }

    void see(std::uint32_t function, const ptx::Operand& operand, bool is_call_target) {
        for (const ptx::Operand& element : operand.elements) see(function, element, false);
        const bool is_name = operand.kind == ptx::OperandKind::symbol || operand.kind == ptx::OperandKind::address;
        if (!is_name || operand.name.empty()) return;
        const Definition* const meant = linked_.symbols.find(reached_[function].definition.module, operand.name);
        if (meant == nullptr) return;
        if (meant->is_function) {
            const std::uint32_t callee = index_of(*meant);
            add(is_call_target ? reached_[function].callees : by_pointer_, callee);
        } else if (linked_.variable(*meant).space == ptx::Space::shared) {
            add(reached_[function].shared_variables, *meant);
        }
    }

    void see_pointer_call(std::uint32_t function) {
        reached_[function].calls_pointers = true;
        for (const Definition& definition : linked_.address_taken) add(by_pointer_, index_of(definition));
    }

    void connect_pointer_calls() {
        for (ReachedFunction& function : reached_) {
            if (!function.calls_pointers) continue;
            for (const std::uint32_t callee : by_pointer_) add(function.callees, callee);
        }
    }

    template <typename T>
    static void add(std::vector<T>& list, const T& item) {
        if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
    }

    /// True if calls lead from one function to the other, in at least one step.
    bool reaches(std::uint32_t from, std::uint32_t to) const {
        std::vector<bool> seen(reached_.size(), false);
        std::vector<std::uint32_t> open = reached_[from].callees;
        while (!open.empty()) {
            const std::uint32_t function = open.back();
            open.pop_back();
            if (function == to) return true;
            if (seen[function]) continue;
            seen[function] = true;
            open.insert(open.end(), reached_[function].callees.begin(), reached_[function].callees.end());
        }
        return false;
    }

    const LinkedModules& linked_;
    std::vector<ReachedFunction> reached_;
    std::vector<std::uint32_t> by_pointer_;
};

}  // namespace

std::vector<ReachedFunction> reach_functions(const LinkedModules& linked, const Definition& kernel) {
    return Walk(linked, kernel).finish();
}

}  // namespace lanes::emulator
