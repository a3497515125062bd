#include "documented_error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string_view>

namespace lanes::emulator::hardware {
namespace {

/// A bound: units of the last place, or an error relative to the result, or one whatever the result.
struct Bound {
    double units = 0;
    double relative = 0;
    double absolute = 0;
};

/// A documented bound of all forms that begin and end with these, wherever low <= |operand| <= high.
struct DocumentedError {
    std::string_view opcode;
    std::string_view type;
    double low;
    double high;
    Bound bound;
};

constexpr double largest = std::numeric_limits<double>::infinity();
constexpr double pi = 3.14159265358979;

const DocumentedError documented_errors[] = {
    {"div.approx", ".f32", 0, largest, {.units = 2}},
    {"div.full", ".f32", 0, largest, {.units = 2}},
    {"rcp.approx", ".f32", 0, largest, {.units = 1}},
    {"sqrt.approx", ".f32", 0, largest, {.relative = 0x1p-23}},
    {"rsqrt.approx", ".f32", 0, largest, {.relative = 1.072 * 0x1p-23}},  // 2^-22.9
    {"sin.approx", ".f32", 0, 2 * pi, {.absolute = 0x1p-20 / 1.4142}},    // 2^-20.5
    {"cos.approx", ".f32", 0, 2 * pi, {.absolute = 0x1p-20 / 1.4142}},
    {"sin.approx", ".f32", 0, 100 * pi, {.absolute = 1.231 * 0x1p-15}},  // 2^-14.7
    {"cos.approx", ".f32", 0, 100 * pi, {.absolute = 1.231 * 0x1p-15}},
    // Beyond, "there are no defined error guarantees": all that is left is the range.
    {"sin.approx", ".f32", 0, largest, {.absolute = 2}},
    {"cos.approx", ".f32", 0, largest, {.absolute = 2}},
    {"lg2.approx", ".f32", 0.5, 2, {.absolute = 0x1p-22}},
    {"lg2.approx", ".f32", 0, largest, {.relative = 0x1p-22}},
    {"ex2.approx", ".f32", 0, largest, {.units = 2}},
    {"tanh.approx", ".f32", 0, largest, {.relative = 0x1p-11}},
    {"ex2.approx", ".f16", 0, largest, {.relative = 1.072 * 0x1p-10}},  // 2^-9.9
    {"ex2.approx", ".bf16", 0, largest, {.relative = 0x1p-7}},
    {"tanh.approx", ".f16", 0, largest, {.absolute = 1.0091 * 0x1p-11}},  // 2^-10.987
    {"tanh.approx", ".bf16", 0, largest, {.absolute = 0x1p-8}},
    // No bound is documented: one unit of the result's digits. rcp.approx.ftz.f64 is exact.
    {"rsqrt.approx.ftz", ".f64", 0, largest, {.relative = 0x1p-20}},
    {"rsqrt.approx.f64", ".f64", 0, largest, {.units = 1}},
};

/// A floating-point format: its digits, the leading one counted, and the exponent of its smallest number.
struct Format {
    int digits;
    int smallest;
};

Format format_of(std::string_view form) {
    if (form.ends_with(".bf16")) return {8, -133};
    if (form.ends_with(".f16")) return {11, -24};
    return form.ends_with(".f64") ? Format{53, -1074} : Format{24, -149};
}

double decode(std::string_view form, std::uint64_t bits) {
    if (form.ends_with(".f64")) return std::bit_cast<double>(bits);
    if (form.ends_with(".f32")) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (form.ends_with(".bf16")) return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
    const auto fraction = static_cast<double>(bits & 0x3ffu);
    const int exponent = static_cast<int>(bits >> 10 & 0x1fu);
    const double magnitude = exponent == 0    ? std::ldexp(fraction, -24)
                             : exponent == 31 ? (fraction == 0 ? HUGE_VAL : std::nan(""))
                                              : std::ldexp(1024 + fraction, exponent - 25);
    return (bits & 0x8000u) != 0 ? -magnitude : magnitude;
}

/// The distance of a number from the next one of the format.
double unit_of(Format format, double value) {
    return std::ldexp(1.0,
                      std::max(std::ilogb(std::max(std::fabs(value), 0x1p-1074)) + 1 - format.digits, format.smallest));
}

bool within(std::string_view form, const Bound& bound, double expected, double actual) {
    const double magnitude = std::max(std::fabs(expected), std::fabs(actual));
    const double unit = unit_of(format_of(form), magnitude);
    return std::fabs(expected - actual) <= (bound.units + 0.5) * unit + bound.relative * magnitude + bound.absolute;
}

bool agree_once(std::string_view form, std::uint64_t operand, std::uint64_t expected_bits, std::uint64_t actual_bits) {
    if (expected_bits == actual_bits) return true;
    const double expected = decode(form, expected_bits);
    const double actual = decode(form, actual_bits);
    if (!std::isfinite(expected) || !std::isfinite(actual)) return false;
    const double size = std::fabs(decode(form, operand));
    for (const DocumentedError& error : documented_errors) {
        const bool covers =
            form.starts_with(error.opcode) && form.ends_with(error.type) && error.low <= size && size <= error.high;
        if (covers) return within(form, error.bound, expected, actual);
    }
    return false;
}

}  // namespace

bool agree(const std::string& form, std::uint64_t operand, std::uint64_t expected, std::uint64_t actual,
           std::size_t bytes) {
    if (!form.ends_with("16x2") || bytes != 4) return agree_once(form, operand, expected, actual);
    const std::string of_half = form.substr(0, form.size() - 2);
    return agree_once(of_half, operand & 0xffffu, expected & 0xffffu, actual & 0xffffu) &&
           agree_once(of_half, operand >> 16 & 0xffffu, expected >> 16, actual >> 16);
}

}  // namespace lanes::emulator::hardware
