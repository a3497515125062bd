/// f32 and f64 add, sub, mul, fma, div, rcp, sqrt, abs, neg, min, max and copysign.

#include "arithmetic.hpp"
#include "arithmetic_exact.hpp"
#include "arithmetic_numbers.hpp"
#include "arithmetic_rows.hpp"

namespace lanes::emulator {
namespace {

// f32

template <Rounding rounding, bool flushes, bool saturates>
float add(float a, float b) {
    return output<flushes, saturates>(rounded_add<rounding>(input<flushes>(a), input<flushes>(b)));
}

template <Rounding rounding, bool flushes, bool saturates>
float subtract(float a, float b) {
    return add<rounding, flushes, saturates>(a, -b);
}

template <Rounding rounding, bool flushes, bool saturates>
float multiply(float a, float b) {
    const float x = input<flushes>(a);
    const float y = input<flushes>(b);
    const float product = rounded_multiply<rounding>(x, y);
    if constexpr (!flushes) return output<false, saturates>(product);
    return output<false, saturates>(flush_result(product, rounded_multiply<rounding>(x * flush_scale, y)));
}

template <Rounding rounding, bool flushes, bool saturates>
float multiply_add(float a, float b, float c) {
    const float x = input<flushes>(a);
    const float y = input<flushes>(b);
    const float z = input<flushes>(c);
    const float sum = rounded_fma<rounding>(x, y, z);
    if constexpr (!flushes) return output<false, saturates>(sum);
    const float scaled = rounded_fma<rounding>(x * flush_scale, y, z * flush_scale);
    return output<false, saturates>(flush_result(sum, scaled));
}

template <Rounding rounding, bool flushes>
float divide(float a, float b) {
    const float x = input<flushes>(a);
    const float y = input<flushes>(b);
    const float quotient = rounded_divide<rounding>(x, y);
    if constexpr (!flushes) return canonical(quotient);
    return canonical(flush_result(quotient, rounded_divide<rounding>(x * flush_scale, y)));
}

/// div.approx is a times the approximate reciprocal of b, which is 0 for |b| > 2^126.
template <bool flushes>
float divide_approximately(float a, float b) {
    const bool reciprocal_vanishes = std::fabs(b) > 0x1p126f && std::fabs(b) <= std::numeric_limits<float>::max();
    const float zero = a * std::copysign(0.0f, b);
    const float quotient = divide<Rounding::nearest_even, flushes>(a, b);
    return reciprocal_vanishes ? output<flushes, false>(zero) : quotient;
}

template <Rounding rounding, bool flushes>
float reciprocal(float a) {
    return divide<rounding, flushes>(1.0f, a);
}

template <Rounding rounding, bool flushes>
float square_root(float a) {
    return output<flushes, false>(rounded_square_root<rounding>(input<flushes>(a)));
}

template <bool flushes>
float absolute(float a) {
    return canonical(std::fabs(input<flushes>(a)));
}

template <bool flushes>
float negate(float a) {
    return canonical(-input<flushes>(a));
}

template <typename T>
T with_sign_of_product(T magnitude, T a, T b) {
    const bool negative = is_negative(a) != is_negative(b);
    return std::isnan(magnitude) ? magnitude : negative ? -magnitude : magnitude;
}

/// What min.f32 and max.f32 do with their operands, as bits of a template argument.
constexpr unsigned flushing = 1;
constexpr unsigned propagates_nan = 2;
constexpr unsigned xors_signs = 4;

template <float (*choose)(float, float), unsigned flags>
float choose_extreme(float a, float b) {
    const float x = input<(flags & flushing) != 0>(a);
    const float y = input<(flags & flushing) != 0>(b);
    const bool magnitudes = (flags & xors_signs) != 0;
    const float chosen = magnitudes ? choose(std::fabs(x), std::fabs(y)) : choose(x, y);
    const bool any_nan = std::isnan(x) || std::isnan(y);
    const float result = (flags & propagates_nan) != 0 && any_nan ? std::bit_cast<float>(canonical_nan_f32) : chosen;
    return canonical(magnitudes ? with_sign_of_product(result, x, y) : result);
}

double minimum_f64(double a, double b) {
    return output_f64(smaller(a, b), b, a);
}

double maximum_f64(double a, double b) {
    return output_f64(larger(a, b), b, a);
}

template <typename T>
T copy_sign(T a, T b) {
    return std::copysign(b, a);
}

// f64

double add_f64(double a, double b) {
    return output_f64(a + b, b, a);
}

double subtract_f64(double a, double b) {
    return output_f64(a - b, b, a);
}

double multiply_f64(double a, double b) {
    return output_f64(a * b, b, a);
}

double multiply_add_f64(double a, double b, double c) {
    return output_f64(std::fma(a, b, c), b, c, a);
}

// A division is a sequence of instructions: there the first operand's NaN comes out.
double divide_f64(double a, double b) {
    return output_f64(a / b, a, b);
}

double reciprocal_f64(double a) {
    return output_f64(1.0 / a, a);
}

double square_root_f64(double a) {
    return output_f64(std::sqrt(a), a);
}

// A NaN keeps its sign: hardware adds -0, and that changes nothing of a NaN but to make it quiet.

double absolute_f64(double a) {
    return std::isnan(a) ? quiet(a) : std::fabs(a);
}

double negate_f64(double a) {
    return std::isnan(a) ? quiet(a) : -a;
}

template <Rounding rounding>
double rounded_add_f64(double a, double b) {
    return output_f64(exact_add(a, b, rounding), b, a);
}

template <Rounding rounding>
double rounded_subtract_f64(double a, double b) {
    return output_f64(exact_add(a, -b, rounding), b, a);
}

template <Rounding rounding>
double rounded_multiply_f64(double a, double b) {
    return output_f64(exact_multiply(a, b, rounding), b, a);
}

template <Rounding rounding>
double rounded_multiply_add_f64(double a, double b, double c) {
    return output_f64(exact_multiply_add(a, b, c, rounding), b, c, a);
}

template <Rounding rounding>
double rounded_divide_f64(double a, double b) {
    return output_f64(exact_divide(a, b, rounding), a, b);
}

template <Rounding rounding>
double rounded_reciprocal_f64(double a) {
    return output_f64(exact_divide(1.0, a, rounding), a);
}

template <Rounding rounding>
double rounded_square_root_f64(double a) {
    return output_f64(exact_square_root(a, rounding), a);
}

Selection select_f64_nearest(const std::string& opcode) {
    if (opcode == "add") return on_rows<add_f64>();
    if (opcode == "sub") return on_rows<subtract_f64>();
    if (opcode == "mul") return on_rows<multiply_f64>();
    if (opcode == "fma" || opcode == "mad") return on_rows<multiply_add_f64>();
    if (opcode == "div") return on_rows<divide_f64>();
    if (opcode == "rcp") return on_rows<reciprocal_f64>();
    if (opcode == "sqrt") return on_rows<square_root_f64>();
    return {};
}

Selection select_f64_directed(const std::string& opcode, Rounding rounding) {
    return for_mode(rounding, false, false, [&]<Rounding r, bool f, bool s>(Mode<r, f, s>) {
        if (opcode == "add") return on_lanes<rounded_add_f64<r>>();
        if (opcode == "sub") return on_lanes<rounded_subtract_f64<r>>();
        if (opcode == "mul") return on_lanes<rounded_multiply_f64<r>>();
        if (opcode == "fma" || opcode == "mad") return on_lanes<rounded_multiply_add_f64<r>>();
        if (opcode == "div") return on_lanes<rounded_divide_f64<r>>();
        if (opcode == "rcp") return on_lanes<rounded_reciprocal_f64<r>>();
        if (opcode == "sqrt") return on_lanes<rounded_square_root_f64<r>>();
        return Selection{};
    });
}

Selection select_f64(Form& form) {
    const std::string& opcode = form.opcode();
    form.take("f64");
    if (opcode == "min") return on_rows<minimum_f64>();
    if (opcode == "max") return on_rows<maximum_f64>();
    if (opcode == "abs") return on_rows<absolute_f64>();
    if (opcode == "neg") return on_rows<negate_f64>();
    if (opcode == "copysign") return on_rows<copy_sign<double>>();
    if (opcode == "rcp" && form.take("approx")) {
        return form.take("ftz") ? on_rows<of_upper_word<reciprocal_f64>>() : Selection{};
    }
    const Rounding rounding = form.take_rounding();
    return rounding == Rounding::nearest_even ? select_f64_nearest(opcode) : select_f64_directed(opcode, rounding);
}

Selection select_f32_arithmetic(Form& form) {
    const std::string& opcode = form.opcode();
    const Rounding rounding = form.take_rounding();
    const bool flushes = form.take("ftz");
    const bool saturates = form.take("sat");
    return for_mode(rounding, flushes, saturates, [&]<Rounding r, bool f, bool s>(Mode<r, f, s>) {
        if (opcode == "add") return on_rows<add<r, f, s>>();
        if (opcode == "sub") return on_rows<subtract<r, f, s>>();
        if (opcode == "mul") return on_rows<multiply<r, f, s>>();
        return on_rows<multiply_add<r, f, s>>();
    });
}

/// div, rcp and sqrt: `.approx` and `.full` are computed as exactly as `.rn`, but for the range that div.approx loses.
Selection select_f32_division(Form& form) {
    const std::string& opcode = form.opcode();
    const bool approximate = form.take("approx");
    const bool full = opcode == "div" && form.take("full");
    const Rounding rounding = approximate || full ? Rounding::nearest_even : form.take_rounding();
    const bool flushes = form.take("ftz");
    return for_mode(rounding, flushes, false, [&]<Rounding r, bool f, bool s>(Mode<r, f, s>) {
        if (opcode == "rcp") return on_rows<reciprocal<r, f>>();
        if (opcode == "sqrt") return on_rows<square_root<r, f>>();
        return approximate ? on_rows<divide_approximately<f>>() : on_rows<divide<r, f>>();
    });
}

template <float (*choose)(float, float)>
Selection select_extreme(unsigned flags) {
    switch (flags) {
        case 0:
            return on_rows<choose_extreme<choose, 0>>();
        case 1:
            return on_rows<choose_extreme<choose, 1>>();
        case 2:
            return on_rows<choose_extreme<choose, 2>>();
        case 3:
            return on_rows<choose_extreme<choose, 3>>();
        case 4:
            return on_rows<choose_extreme<choose, 4>>();
        case 5:
            return on_rows<choose_extreme<choose, 5>>();
        case 6:
            return on_rows<choose_extreme<choose, 6>>();
        case 7:
            return on_rows<choose_extreme<choose, 7>>();
        default:
            return {};
    }
}

Selection select_f32_extreme(Form& form) {
    unsigned flags = form.take("ftz") ? flushing : 0;
    if (form.take("NaN")) flags |= propagates_nan;
    if (form.take("xorsign") && form.take("abs")) flags |= xors_signs;
    return form.opcode() == "min" ? select_extreme<smaller<float>>(flags) : select_extreme<larger<float>>(flags);
}

Selection select_f32(Form& form) {
    const std::string& opcode = form.opcode();
    form.take("f32");
    if (opcode == "min" || opcode == "max") return select_f32_extreme(form);
    if (opcode == "copysign") return on_rows<copy_sign<float>>();
    if (opcode == "abs") return form.take("ftz") ? on_rows<absolute<true>>() : on_rows<absolute<false>>();
    if (opcode == "neg") return form.take("ftz") ? on_rows<negate<true>>() : on_rows<negate<false>>();
    if (opcode == "div" || opcode == "rcp" || opcode == "sqrt") return select_f32_division(form);
    return select_f32_arithmetic(form);
}

}  // namespace

Selection select_float(Form& form) {
    return form.has("f64") ? select_f64(form) : select_f32(form);
}

}  // namespace lanes::emulator
