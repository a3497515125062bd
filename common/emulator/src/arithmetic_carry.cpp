/// Extended-precision chains: add.cc, addc, sub.cc, subc, mad.cc and madc. The carry is a predicate row.
///
/// A subtraction is the addition of the complement, on hardware too: it leaves a carry where it borrows nothing. PTX
/// speaks of the borrow only, but nvcc's own division of 128-bit integers reads that carry with addc.

#include "arithmetic.hpp"
#include "arithmetic_rows.hpp"

namespace lanes::emulator {
namespace {

__extension__ using Int128 = __int128;

/// A value and the carry out of it.
template <typename T>
struct Carried {
    T value;
    bool carry;
};

template <typename T>
Carried<T> add(T a, T b, bool carry) {
    const T partial = a + b;
    const T sum = partial + (carry ? T{1} : T{0});
    return {sum, partial < a || sum < partial};
}

template <typename T>
Carried<T> subtract(T a, T b, bool carry) {
    return add<T>(a, static_cast<T>(~b), carry);
}

template <typename T>
Carried<T> multiply_add_low(T a, T b, T c, bool carry) {
    return add<T>(a * b, c, carry);
}

/// The upper half of the product; `Factor` is T, or its signed twin for s32 and s64.
template <typename T, typename Factor>
Carried<T> multiply_add_high(T a, T b, T c, bool carry) {
    __extension__ using Wide = std::conditional_t<std::is_signed_v<Factor>, Int128, unsigned __int128>;
    const Wide product = static_cast<Wide>(static_cast<Factor>(a)) * static_cast<Wide>(static_cast<Factor>(b));
    return add<T>(static_cast<T>(product >> (8 * sizeof(T))), c, carry);
}

/// Runs `Function` lane by lane. The carry-in is the row after the sources, the carry-out destination2. A function that
/// reads no carry gets `first`.
template <auto Function, bool first, bool reads, bool writes, typename T, typename... Sources>
struct CarryHandler {
    template <std::size_t... I>
    static void run(Warp& warp, const Operation& operation, LaneMask lanes, std::index_sequence<I...>) {
        const LaneMask carry_in = reads ? warp.predicate(operation.source[sizeof...(I)]) : first ? all_lanes : 0;
        LaneMask carry_out = 0;
        T* const destination = warp.row<T>(operation.destination);
        for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
            const unsigned lane = first_lane(rest);
            const LaneMask bit = lane_bit[lane];
            const Carried<T> result = Function(warp.row<Sources>(operation.source[I])[lane]..., (carry_in & bit) != 0);
            destination[lane] = result.value;
            carry_out |= result.carry ? bit : 0;
        }
        if constexpr (writes) write_predicate(warp, operation.destination2, carry_out, lanes);
    }

    static void execute(Warp& warp, const Operation& operation, LaneMask lanes) {
        run(warp, operation, lanes, std::index_sequence_for<Sources...>{});
    }
};

template <auto Function, bool first, typename T, typename... Sources>
Selection carry_selection(bool reads, bool writes) {
    Selection selection;
    if (reads) {
        selection.execute = writes ? CarryHandler<Function, first, true, true, T, Sources...>::execute
                                   : CarryHandler<Function, first, true, false, T, Sources...>::execute;
    } else {
        selection.execute = CarryHandler<Function, first, false, true, T, Sources...>::execute;
    }
    selection.destination = row_type_of<T>();
    selection.source = {row_type_of<Sources>()...};
    selection.reads_carry = reads;
    selection.writes_carry = writes;
    return selection;
}

template <typename T>
Selection select_typed(Form& form, bool reads, bool writes) {
    using Signed = std::make_signed_t<T>;
    const bool is_signed = form.take("s32") || form.take("s64");
    if (!is_signed && form.take_type() == ptx::Type::none) return {};
    const std::string& opcode = form.opcode();
    if (opcode == "add" || opcode == "addc") return carry_selection<add<T>, false, T, T, T>(reads, writes);
    if (opcode == "sub" || opcode == "subc") return carry_selection<subtract<T>, true, T, T, T>(reads, writes);
    if (opcode != "mad" && opcode != "madc") return {};
    if (form.take("lo")) return carry_selection<multiply_add_low<T>, false, T, T, T, T>(reads, writes);
    if (!form.take("hi")) return {};
    return is_signed ? carry_selection<multiply_add_high<T, Signed>, false, T, T, T, T>(reads, writes)
                     : carry_selection<multiply_add_high<T, T>, false, T, T, T, T>(reads, writes);
}

}  // namespace

Selection select_carry(Form& form) {
    const bool writes = form.take("cc");
    const bool reads = form.opcode().back() == 'c';  // addc, subc, madc
    if (form.has("u32") || form.has("s32")) return select_typed<std::uint32_t>(form, reads, writes);
    if (form.has("u64") || form.has("s64")) return select_typed<std::uint64_t>(form, reads, writes);
    return {};
}

}  // namespace lanes::emulator
