/// setp, set, selp, slct and testp.

#include "arithmetic.hpp"
#include "arithmetic_half.hpp"
#include "arithmetic_numbers.hpp"
#include "arithmetic_rows.hpp"

namespace lanes::emulator {
namespace {

// Comparisons; the unordered ones are true if either side is NaN.

template <typename T>
bool equal(T a, T b) {
    return a == b;
}

template <typename T>
bool not_equal(T a, T b) {
    return a < b || a > b;
}

template <typename T>
bool less(T a, T b) {
    return a < b;
}

template <typename T>
bool less_equal(T a, T b) {
    return a <= b;
}

template <typename T>
bool greater(T a, T b) {
    return a > b;
}

template <typename T>
bool greater_equal(T a, T b) {
    return a >= b;
}

template <typename T>
bool equal_unordered(T a, T b) {
    return !not_equal(a, b);
}

template <typename T>
bool not_equal_unordered(T a, T b) {
    return !(a == b);
}

template <typename T>
bool less_unordered(T a, T b) {
    return !(a >= b);
}

template <typename T>
bool less_equal_unordered(T a, T b) {
    return !(a > b);
}

template <typename T>
bool greater_unordered(T a, T b) {
    return !(a <= b);
}

template <typename T>
bool greater_equal_unordered(T a, T b) {
    return !(a < b);
}

template <typename T>
bool both_numbers(T a, T b) {
    return !std::isnan(a) && !std::isnan(b);
}

template <typename T>
bool any_nan(T a, T b) {
    return std::isnan(a) || std::isnan(b);
}

// What is compared: how an element of a row becomes a value.

template <typename T>
struct Plain {
    using Row = T;
    using Value = T;
    static T value(T element) { return element; }
};

struct Flushed {
    using Row = float;
    using Value = float;
    static float value(float element) { return flush(element); }
};

/// A half, or with Row uint32 the lower (shift 0) or upper (shift 16) half of a pair.
template <typename Format, bool flushes, typename RowElement, unsigned shift>
struct Half {
    using Row = RowElement;
    using Value = float;
    static float value(Row element) {
        const auto half = static_cast<std::uint16_t>(element >> shift);
        return Format::decode(flushes ? flush_half<Format>(half) : half);
    }
};

template <typename Operand, auto Compare>
LaneMask compare_rows(Warp& warp, const Operation& operation) {
    const auto* const a = warp.row<typename Operand::Row>(operation.source[0]);
    const auto* const b = warp.row<typename Operand::Row>(operation.source[1]);
    alignas(warp_size) std::uint8_t flags[warp_size];
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        flags[lane] = Compare(Operand::value(a[lane]), Operand::value(b[lane])) ? 1 : 0;
    }
    return mask_of_flags(flags);
}

using CompareRows = LaneMask (*)(Warp&, const Operation&);

/// How the result of the comparison meets the predicate operand c.
enum class Combination : std::uint8_t { none, logical_and, logical_or, logical_xor };

// Operation::immediate of setp and set: bits 31..0 the value that stands for true (set), then these.
constexpr unsigned combination_shift = 32;
constexpr std::int64_t negate_bit = std::int64_t{1} << 40;

LaneMask combine(Warp& warp, const Operation& operation, LaneMask compared) {
    const auto combination = static_cast<Combination>(operation.immediate >> combination_shift & 3);
    if (combination == Combination::none) return compared;
    LaneMask c = warp.predicate(operation.source[2]);
    if ((operation.immediate & negate_bit) != 0) c = ~c;
    if (combination == Combination::logical_and) return compared & c;
    return combination == Combination::logical_or ? compared | c : compared ^ c;
}

template <CompareRows compare>
void execute_setp(Warp& warp, const Operation& operation, LaneMask lanes) {
    write_predicate(warp, operation.destination, compare(warp, operation), lanes);
}

/// setp with a third operand or a second result, which combines the opposite comparison.
template <CompareRows compare>
void execute_setp_combined(Warp& warp, const Operation& operation, LaneMask lanes) {
    const LaneMask compared = compare(warp, operation);
    const LaneMask positive = combine(warp, operation, compared);
    const LaneMask negative = combine(warp, operation, ~compared);
    if (operation.destination != no_slot) write_predicate(warp, operation.destination, positive, lanes);
    if (operation.destination2 != no_slot) write_predicate(warp, operation.destination2, negative, lanes);
}

/// setp.f16x2 d|p: the lower halves decide d, the upper halves p.
template <CompareRows low, CompareRows high>
void execute_setp_pair(Warp& warp, const Operation& operation, LaneMask lanes) {
    const LaneMask lower = combine(warp, operation, low(warp, operation));
    const LaneMask upper = combine(warp, operation, high(warp, operation));
    if (operation.destination != no_slot) write_predicate(warp, operation.destination, lower, lanes);
    if (operation.destination2 != no_slot) write_predicate(warp, operation.destination2, upper, lanes);
}

template <typename D>
void write_truth(Warp& warp, const Operation& operation, LaneMask lanes, LaneMask truth) {
    const auto value = static_cast<D>(static_cast<std::uint64_t>(operation.immediate) & 0xffffffffu);
    alignas(64) D values[warp_size];
    for (unsigned lane = 0; lane < warp_size; ++lane) values[lane] = (truth & lane_bit[lane]) != 0 ? value : D{0};
    write_lanes(warp.row<D>(operation.destination), values, lanes);
}

template <CompareRows compare, typename D>
void execute_set(Warp& warp, const Operation& operation, LaneMask lanes) {
    write_truth<D>(warp, operation, lanes, combine(warp, operation, compare(warp, operation)));
}

/// set of a pair of halves: each half of the result is one or zero.
template <CompareRows low, CompareRows high>
void execute_set_pair(Warp& warp, const Operation& operation, LaneMask lanes) {
    const LaneMask lower = combine(warp, operation, low(warp, operation));
    const LaneMask upper = combine(warp, operation, high(warp, operation));
    const auto value = static_cast<std::uint64_t>(operation.immediate);
    const auto low_value = static_cast<std::uint32_t>(value & 0xffffu);
    const auto high_value = static_cast<std::uint32_t>(value & 0xffff0000u);
    alignas(64) std::uint32_t values[warp_size];
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        values[lane] =
            ((lower & lane_bit[lane]) != 0 ? low_value : 0u) | ((upper & lane_bit[lane]) != 0 ? high_value : 0u);
    }
    write_lanes(warp.row<std::uint32_t>(operation.destination), values, lanes);
}

/// All handlers of one comparison of one type of operand.
struct Comparison {
    Execute setp = nullptr;
    Execute setp_combined = nullptr;
    Execute set_16_bits = nullptr;
    Execute set_32_bits = nullptr;
};

template <CompareRows compare>
Comparison comparison() {
    return {execute_setp<compare>, execute_setp_combined<compare>, execute_set<compare, std::uint16_t>,
            execute_set<compare, std::uint32_t>};
}

/// Both handlers of one comparison of pairs.
template <CompareRows low, CompareRows high>
Comparison pair_comparison() {
    return {nullptr, execute_setp_pair<low, high>, nullptr, execute_set_pair<low, high>};
}

/// Calls `choose` with Compare for the comparison that the form names; nothing if it names none of these.
template <typename T, typename Choose>
Comparison take_ordered(Form& form, Choose choose) {
    if (form.take("eq")) return choose.template operator()<equal<T>>();
    if (form.take("lt") || (std::is_unsigned_v<T> && form.take("lo"))) return choose.template operator()<less<T>>();
    if (form.take("le") || (std::is_unsigned_v<T> && form.take("ls"))) {
        return choose.template operator()<less_equal<T>>();
    }
    if (form.take("gt") || (std::is_unsigned_v<T> && form.take("hi"))) return choose.template operator()<greater<T>>();
    if (form.take("ge") || (std::is_unsigned_v<T> && form.take("hs"))) {
        return choose.template operator()<greater_equal<T>>();
    }
    if (form.take("ne")) return choose.template operator()<not_equal<T>>();
    return {};
}

template <typename T, typename Choose>
Comparison take_floating(Form& form, Choose choose) {
    if (form.take("equ")) return choose.template operator()<equal_unordered<T>>();
    if (form.take("neu")) return choose.template operator()<not_equal_unordered<T>>();
    if (form.take("ltu")) return choose.template operator()<less_unordered<T>>();
    if (form.take("leu")) return choose.template operator()<less_equal_unordered<T>>();
    if (form.take("gtu")) return choose.template operator()<greater_unordered<T>>();
    if (form.take("geu")) return choose.template operator()<greater_equal_unordered<T>>();
    if (form.take("num")) return choose.template operator()<both_numbers<T>>();
    if (form.take("nan")) return choose.template operator()<any_nan<T>>();
    return take_ordered<T>(form, choose);
}

template <typename Operand>
Comparison take_comparison(Form& form) {
    using Value = typename Operand::Value;
    const auto choose = []<auto Compare>() {
        return comparison<compare_rows<Operand, Compare>>();
    };
    if constexpr (std::is_floating_point_v<Value>) {
        return take_floating<Value>(form, choose);
    } else {
        return take_ordered<Value>(form, choose);
    }
}

template <typename Format, bool flushes>
Comparison take_pair_comparison(Form& form) {
    return take_floating<float>(
        form, []<auto Compare>() {
            return pair_comparison<compare_rows<Half<Format, flushes, std::uint32_t, 0>, Compare>,
                                   compare_rows<Half<Format, flushes, std::uint32_t, 16>, Compare>>();
        });
}

Comparison take_comparison_of(Form& form, ptx::Type type, bool flushes) {
    using ptx::Type;
    switch (type) {
        case Type::b16:
        case Type::u16:
            return take_comparison<Plain<std::uint16_t>>(form);
        case Type::b32:
        case Type::u32:
            return take_comparison<Plain<std::uint32_t>>(form);
        case Type::b64:
        case Type::u64:
            return take_comparison<Plain<std::uint64_t>>(form);
        case Type::s16:
            return take_comparison<Plain<std::int16_t>>(form);
        case Type::s32:
            return take_comparison<Plain<std::int32_t>>(form);
        case Type::s64:
            return take_comparison<Plain<std::int64_t>>(form);
        case Type::f32:
            return flushes ? take_comparison<Flushed>(form) : take_comparison<Plain<float>>(form);
        case Type::f64:
            return take_comparison<Plain<double>>(form);
        case Type::f16:
            return flushes ? take_comparison<Half<Binary16, true, std::uint16_t, 0>>(form)
                           : take_comparison<Half<Binary16, false, std::uint16_t, 0>>(form);
        case Type::bf16:
            return take_comparison<Half<Brain16, false, std::uint16_t, 0>>(form);
        case Type::f16x2:
            return flushes ? take_pair_comparison<Binary16, true>(form) : take_pair_comparison<Binary16, false>(form);
        case Type::bf16x2:
            return take_pair_comparison<Brain16, false>(form);
        default:
            return {};
    }
}

Combination take_combination(Form& form) {
    if (form.take("and")) return Combination::logical_and;
    if (form.take("or")) return Combination::logical_or;
    if (form.take("xor")) return Combination::logical_xor;
    return Combination::none;
}

bool can_flush(ptx::Type type) {
    return type == ptx::Type::f32 || type == ptx::Type::f16 || type == ptx::Type::f16x2;
}

/// Fills in what setp and set share: the operands compared, and c if there is one.
void add_operands(Form& form, Selection& selection, ptx::Type compared, Combination combination) {
    selection.source = {compared, compared};
    if (combination == Combination::none) return;
    selection.source[2] = ptx::Type::pred;
    selection.immediate |= static_cast<std::int64_t>(combination) << combination_shift;
    if (form.take_negation(form.operands().size() - 1)) selection.immediate |= negate_bit;
}

Selection select_setp(Form& form) {
    const bool flushes = form.take("ftz");
    const Combination combination = take_combination(form);
    const ptx::Type type = form.take_type();
    if (flushes && !can_flush(type)) return {};
    const Comparison chosen = take_comparison_of(form, type, flushes);
    const bool plain = combination == Combination::none && !form.dual() && chosen.setp != nullptr;
    Selection selection;
    selection.execute = plain ? chosen.setp : chosen.setp_combined;
    selection.destination = ptx::Type::pred;
    add_operands(form, selection, type, combination);
    return selection;
}

/// What stands for true in a result of the type; 0 if set has no such result.
std::uint32_t truth_of(ptx::Type type) {
    using ptx::Type;
    switch (type) {
        case Type::u32:
        case Type::s32:
            return 0xffffffffu;
        case Type::u16:
        case Type::s16:
            return 0xffffu;
        case Type::f32:
            return std::bit_cast<std::uint32_t>(1.0f);
        case Type::f16:
            return Binary16::one;
        case Type::bf16:
            return Brain16::one;
        case Type::f16x2:
            return std::uint32_t{Binary16::one} << 16 | Binary16::one;
        case Type::bf16x2:
            return std::uint32_t{Brain16::one} << 16 | Brain16::one;
        default:
            return 0;
    }
}

Selection select_set(Form& form) {
    const bool flushes = form.take("ftz");
    const Combination combination = take_combination(form);
    const ptx::Type destination = form.take_type();
    const ptx::Type compared = form.take_type();
    if (flushes && !can_flush(compared)) return {};
    const std::uint32_t truth = truth_of(destination);
    if (truth == 0) return {};
    const Comparison chosen = take_comparison_of(form, compared, flushes);
    Selection selection;
    selection.execute = ptx::size_of(destination) == 2 ? chosen.set_16_bits : chosen.set_32_bits;
    selection.destination = destination;
    selection.immediate = truth;
    add_operands(form, selection, compared, combination);
    return selection;
}

template <typename T>
T select_by_predicate(T a, T b, bool p) {
    return p ? a : b;
}

template <typename T>
T select_by_sign(T a, T b, std::int32_t c) {
    return c >= 0 ? a : b;
}

/// -0 counts as 0, NaN as negative.
template <typename T, bool flushes>
T select_by_float_sign(T a, T b, float c) {
    return input<flushes>(c) >= 0.0f ? a : b;
}

Selection select_selp(Form& form) {
    return for_bits(form.take_type(),
                    []<typename T>(std::type_identity<T>) { return on_rows<select_by_predicate<T>>(); });
}

Selection select_slct(Form& form) {
    const bool flushes = form.take("ftz");
    const ptx::Type type = form.take_type();
    const ptx::Type deciding = form.take_type();
    return for_bits(type, [&]<typename T>(std::type_identity<T>) {
        if (deciding == ptx::Type::s32 && !flushes) return on_rows<select_by_sign<T>>();
        if (deciding != ptx::Type::f32) return Selection{};
        return flushes ? on_rows<select_by_float_sign<T, true>>() : on_rows<select_by_float_sign<T, false>>();
    });
}

template <typename T>
bool is_finite(T a) {
    return std::fabs(a) <= std::numeric_limits<T>::max();
}

template <typename T>
bool is_infinite(T a) {
    return std::fabs(a) > std::numeric_limits<T>::max();
}

template <typename T>
bool is_number(T a) {
    return !std::isnan(a);
}

template <typename T>
bool is_nan(T a) {
    return std::isnan(a);
}

/// Zeros count as normal.
template <typename T>
bool is_normal(T a) {
    return (std::fabs(a) >= std::numeric_limits<T>::min() || a == 0) && is_finite(a);
}

template <typename T>
bool is_subnormal(T a) {
    return std::fabs(a) < std::numeric_limits<T>::min() && a != 0;
}

template <typename T>
Selection select_typed_testp(Form& form) {
    if (form.take("finite")) return on_rows<is_finite<T>>();
    if (form.take("infinite")) return on_rows<is_infinite<T>>();
    if (form.take("number")) return on_rows<is_number<T>>();
    if (form.take("notanumber")) return on_rows<is_nan<T>>();
    if (form.take("normal")) return on_rows<is_normal<T>>();
    if (form.take("subnormal")) return on_rows<is_subnormal<T>>();
    return {};
}

Selection select_testp(Form& form) {
    const ptx::Type type = form.take_type();
    return type == ptx::Type::f32 ? select_typed_testp<float>(form) : select_typed_testp<double>(form);
}

}  // namespace

Selection select_compare(Form& form) {
    const std::string& opcode = form.opcode();
    if (opcode == "setp") return select_setp(form);
    if (opcode == "set") return select_set(form);
    if (opcode == "selp") return select_selp(form);
    if (opcode == "slct") return select_slct(form);
    return select_testp(form);
}

}  // namespace lanes::emulator
