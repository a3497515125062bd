/// @file
/// @brief One memory instruction's form while its handler is chosen: order, space, hints, vector, operands.
#pragma once

#include "arithmetic.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::emulator {

/// The form of a memory instruction. As with Form, a modifier that nobody takes makes the form unsupported.
class MemoryForm {
public:
    MemoryForm(const ptx::Instruction& instruction, const std::vector<ptx::Register>& registers)
        : instruction_(instruction), registers_(registers), form_(instruction, registers) {}

    /// "ld.global.v4.f32"
    std::string name() const { return form_.name(); }
    const std::string& opcode() const { return instruction_.opcode; }
    bool has(std::string_view modifier) const { return form_.has(modifier); }
    bool take(std::string_view modifier) { return form_.take(modifier); }
    /// Takes the first of `names` that the form has; empty if it has none.
    std::string_view take_any(std::initializer_list<std::string_view> names);
    ptx::Type take_type() { return form_.take_type(); }
    bool complete() const { return form_.complete(); }

    /// Takes weak, relaxed, acquire, release, acq_rel, sc, volatile or mmio, and the scope.
    /// @param otherwise  the order if none is given
    MemoryOrder take_order(MemoryOrder otherwise = MemoryOrder::weak);
    /// Takes the state space; generic if none is given.
    ptx::Space take_space();
    /// Takes hints to caches, which change no result: .ca .cg .nc .L1::no_allocate .L2::128B ...
    void take_hints();
    /// Takes v2, v4 or v8; 1 if there is none.
    unsigned take_elements();

    /// Number of operands, the cache policy of .L2::cache_hint aside.
    std::size_t operand_count() const {
        const std::size_t count = instruction_.operands.size();
        return has_policy_ && count > 0 ? count - 1 : count;
    }
    /// True if .L2::cache_hint was taken: the last operand is a cache policy, which is ignored.
    bool has_policy() const { return has_policy_; }
    /// An operand, or `_` if there are not so many.
    const ptx::Operand& operand(std::size_t index) const {
        static const ptx::Operand none;
        return index < instruction_.operands.size() ? instruction_.operands[index] : none;
    }
    /// The type of the row that holds an address operand's base: of 8 bytes if the address is a constant; none if the
    /// operand is no address or its register is not 4 or 8 bytes wide.
    ptx::Type address_type(std::size_t index) const;
    /// The type of the row that holds a scalar operand; none if it cannot hold one.
    /// @param type  of the value in memory: what an immediate gets, 16 bits wide at least
    ptx::Type value_type(std::size_t index, ptx::Type type) const { return row_type(operand(index), type); }
    /// The type of the rows that hold the elements of a vector operand; none if they are not as many, or not all as
    /// wide.
    ptx::Type vector_type(std::size_t index, ptx::Type type, unsigned elements) const;
    /// value_type of one element, vector_type of several.
    ptx::Type data_type(std::size_t index, ptx::Type type, unsigned elements) const {
        return elements == 1 ? value_type(index, type) : vector_type(index, type, elements);
    }
    /// True if the operand is a predicate register.
    bool is_predicate(std::size_t index) const;

private:
    ptx::Type row_type(const ptx::Operand& operand, ptx::Type type) const;

    const ptx::Instruction& instruction_;
    const std::vector<ptx::Register>& registers_;
    Form form_;
    bool has_policy_ = false;
};

}  // namespace lanes::emulator
