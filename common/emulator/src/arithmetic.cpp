#include "arithmetic.hpp"

#include <algorithm>
#include <cstddef>

namespace lanes::emulator {

namespace {

/// No instruction has as many modifiers as `taken_` has bits.
constexpr std::size_t maximum_modifiers = 32;

}  // namespace

bool Form::take(std::string_view modifier) {
    const std::vector<std::string>& modifiers = instruction_.modifiers;
    for (std::size_t i = 0; i < std::min(modifiers.size(), maximum_modifiers); ++i) {
        const std::uint64_t bit = std::uint64_t{1} << i;
        if ((taken_ & bit) == 0 && modifiers[i] == modifier) {
            taken_ |= bit;
            return true;
        }
    }
    return false;
}

bool Form::comes_before(std::string_view first, std::string_view second) const {
    const std::vector<std::string>& modifiers = instruction_.modifiers;
    const auto position = std::find(modifiers.begin(), modifiers.end(), first);
    return std::find(position, modifiers.end(), second) != modifiers.end();
}

ptx::Type Form::take_type() {
    for (const std::string& modifier : instruction_.modifiers) {
        const ptx::Type type = ptx::type_from_name(modifier);
        if (type != ptx::Type::none && take(modifier)) return type;
    }
    return ptx::Type::none;
}

Rounding Form::take_rounding(Rounding otherwise) {
    if (take("rn")) return Rounding::nearest_even;
    if (take("rz")) return Rounding::zero;
    if (take("rm")) return Rounding::minus_infinity;
    if (take("rp")) return Rounding::plus_infinity;
    return otherwise;
}

bool Form::take_negation(std::size_t index) {
    if (index >= instruction_.operands.size() || !instruction_.operands[index].negated) return false;
    ++negations_taken_;
    return true;
}

bool Form::complete() const {
    const std::size_t count = instruction_.modifiers.size();
    if (count > maximum_modifiers) return false;
    const auto negations =
        static_cast<std::size_t>(std::count_if(instruction_.operands.begin(), instruction_.operands.end(),
                                               [](const ptx::Operand& operand) { return operand.negated; }));
    return taken_ == (std::uint64_t{1} << count) - 1 && negations == negations_taken_;
}

ptx::Type Form::register_type(const ptx::Operand& operand) const {
    if (operand.kind != ptx::OperandKind::reg) return ptx::Type::none;
    return registers_[static_cast<std::size_t>(operand.index)].type;
}

std::string Form::name() const {
    std::string name = instruction_.opcode;
    for (const std::string& modifier : instruction_.modifiers) name += "." + modifier;
    return name;
}

namespace {

/// Types that share an implementation.
enum class Kind : std::uint8_t { integer, floating, half };

Kind kind_of(ptx::Type type) {
    using ptx::Type;
    switch (type) {
        case Type::f32:
        case Type::f64:
            return Kind::floating;
        case Type::f16:
        case Type::f16x2:
        case Type::bf16:
        case Type::bf16x2:
            return Kind::half;
        default:
            return Kind::integer;
    }
}

using Select = Selection (*)(Form&);

/// Who knows an opcode, by the kind of the instruction's type.
struct Entry {
    std::string_view opcode;
    Select integer;
    Select floating;
    Select half;
};

constexpr Entry entries[] = {
    // integer and floating point
    {"add", select_integer, select_float, select_half},
    {"sub", select_integer, select_float, select_half},
    {"mul", select_integer, select_float, select_half},
    {"mad", select_integer, select_float, select_half},
    {"fma", nullptr, select_float, select_half},
    {"div", select_integer, select_float, nullptr},
    {"rem", select_integer, nullptr, nullptr},
    {"abs", select_integer, select_float, select_half},
    {"neg", select_integer, select_float, select_half},
    {"min", select_integer, select_float, select_half},
    {"max", select_integer, select_float, select_half},
    {"mul24", select_integer, nullptr, nullptr},
    {"mad24", select_integer, nullptr, nullptr},
    {"sad", select_integer, nullptr, nullptr},
    {"addc", select_carry, nullptr, nullptr},
    {"subc", select_carry, nullptr, nullptr},
    {"madc", select_carry, nullptr, nullptr},
    {"rcp", nullptr, select_float, nullptr},
    {"sqrt", nullptr, select_float, nullptr},
    {"copysign", nullptr, select_float, nullptr},
    {"rsqrt", nullptr, select_approximate, nullptr},
    {"ex2", nullptr, select_approximate, select_half},
    {"lg2", nullptr, select_approximate, nullptr},
    {"sin", nullptr, select_approximate, nullptr},
    {"cos", nullptr, select_approximate, nullptr},
    {"tanh", nullptr, select_approximate, select_half},
    // bits
    {"and", select_bits, nullptr, nullptr},
    {"or", select_bits, nullptr, nullptr},
    {"xor", select_bits, nullptr, nullptr},
    {"not", select_bits, nullptr, nullptr},
    {"cnot", select_bits, nullptr, nullptr},
    {"shl", select_bits, nullptr, nullptr},
    {"shr", select_bits, nullptr, nullptr},
    {"shf", select_bits, nullptr, nullptr},
    {"bfe", select_bits, nullptr, nullptr},
    {"bfi", select_bits, nullptr, nullptr},
    {"bfind", select_bits, nullptr, nullptr},
    {"brev", select_bits, nullptr, nullptr},
    {"popc", select_bits, nullptr, nullptr},
    {"clz", select_bits, nullptr, nullptr},
    {"lop3", select_bits, nullptr, nullptr},
    {"bmsk", select_bits, nullptr, nullptr},
    {"szext", select_bits, nullptr, nullptr},
    {"fns", select_bits, nullptr, nullptr},
    // bytes and halfwords of a register
    {"prmt", select_packed, nullptr, nullptr},
    {"dp4a", select_packed, nullptr, nullptr},
    {"dp2a", select_packed, nullptr, nullptr},
    {"vadd2", select_packed, nullptr, nullptr},
    {"vadd4", select_packed, nullptr, nullptr},
    {"vsub2", select_packed, nullptr, nullptr},
    {"vsub4", select_packed, nullptr, nullptr},
    {"vavrg2", select_packed, nullptr, nullptr},
    {"vavrg4", select_packed, nullptr, nullptr},
    {"vabsdiff2", select_packed, nullptr, nullptr},
    {"vabsdiff4", select_packed, nullptr, nullptr},
    {"vmin2", select_packed, nullptr, nullptr},
    {"vmin4", select_packed, nullptr, nullptr},
    {"vmax2", select_packed, nullptr, nullptr},
    {"vmax4", select_packed, nullptr, nullptr},
    // comparison and selection
    {"setp", select_compare, select_compare, select_compare},
    {"set", select_compare, select_compare, select_compare},
    {"selp", select_compare, select_compare, select_compare},
    {"slct", select_compare, select_compare, nullptr},
    {"testp", nullptr, select_compare, nullptr},
    // conversion and moves
    {"cvt", select_convert, select_convert, select_convert},
    {"mov", select_move, select_move, select_move},
    {"cvta", select_move, nullptr, nullptr},
    {"isspacep", select_move, nullptr, nullptr},
    // between the lanes of a warp
    {"shfl", select_exchange, nullptr, nullptr},
    {"vote", select_exchange, nullptr, nullptr},
    {"match", select_exchange, nullptr, nullptr},
    {"redux", select_exchange, select_exchange, nullptr},
    {"activemask", select_exchange, nullptr, nullptr},
    {"elect", select_exchange, nullptr, nullptr},
};

Select find_select(std::string_view opcode, Kind kind) {
    const auto* const entry =
        std::find_if(std::begin(entries), std::end(entries), [&](const Entry& e) { return e.opcode == opcode; });
    if (entry == std::end(entries)) return nullptr;
    switch (kind) {
        case Kind::integer:
            return entry->integer;
        case Kind::floating:
            return entry->floating;
        case Kind::half:
            return entry->half;
    }
    return nullptr;
}

bool fits(ptx::Type wanted, ptx::Type actual) {
    return (wanted == ptx::Type::pred) == (actual == ptx::Type::pred) && ptx::size_of(wanted) == ptx::size_of(actual);
}

/// Why an operand cannot be a row of `wanted`, or nothing. A row read at the wrong width would be a wrong result.
std::string operand_complaint(const Form& form, const ptx::Operand& operand, ptx::Type wanted) {
    switch (operand.kind) {
        case ptx::OperandKind::label:
            return "is a label";
        case ptx::OperandKind::address:
            return "is an address";
        case ptx::OperandKind::reg: {
            const ptx::Type actual = form.register_type(operand);
            return fits(wanted, actual) ? std::string{} : "is a register of type ." + std::string(ptx::name_of(actual));
        }
        case ptx::OperandKind::vector:
            for (const ptx::Operand& element : operand.elements) {
                const ptx::Type actual = form.register_type(element);
                const bool is_register = element.kind == ptx::OperandKind::reg;
                if (is_register && !fits(wanted, actual)) {
                    return "has a register of type ." + std::string(ptx::name_of(actual));
                }
            }
            return {};
        default:
            return {};
    }
}

/// Checks that operands are as many and as wide as the handler will read and write them.
std::string operands_complaint(const Form& form, const Selection& selection) {
    std::vector<ptx::Type> wanted;
    if (selection.destination != ptx::Type::none) wanted.push_back(selection.destination);
    if (form.dual()) wanted.push_back(ptx::Type::pred);
    for (const ptx::Type type : selection.source) {
        if (type != ptx::Type::none) wanted.push_back(type);
    }
    const std::vector<ptx::Operand>& operands = form.operands();
    if (operands.size() != wanted.size()) return "with " + std::to_string(operands.size()) + " operands";
    for (std::size_t i = 0; i < operands.size(); ++i) {
        std::string complaint = operand_complaint(form, operands[i], wanted[i]);
        const bool may_be_discarded = form.dual() && i < 2;
        if (operands[i].kind == ptx::OperandKind::discard && !may_be_discarded) complaint = "is _";
        if (!complaint.empty()) return "whose operand " + std::to_string(i + 1) + " " + complaint;
    }
    return {};
}

}  // namespace

Result<Selection> select_arithmetic(const ptx::Instruction& instruction, const std::vector<ptx::Register>& registers) {
    Form form(instruction, registers);
    const Select select = find_select(instruction.opcode, kind_of(instruction.type()));
    if (select == nullptr) return Error{form.name()};
    Selection selection = select(form);
    if (selection.execute == nullptr || !form.complete()) return Error{form.name()};
    const std::string complaint = operands_complaint(form, selection);
    if (!complaint.empty()) return Error{form.name() + " " + complaint};
    return selection;
}

}  // namespace lanes::emulator
