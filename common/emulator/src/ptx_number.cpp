/// @file
/// @brief Number tokens: decimal, hexadecimal, octal, binary, 0f, 0d, decimal fractions.
#include "ptx_constant.hpp"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

namespace lanes::emulator::ptx {

namespace {

bool read_digits(std::string_view digits, int base, std::uint64_t& value) {
    const char* end = digits.data() + digits.size();
    const auto [stop, problem] = std::from_chars(digits.data(), end, value, base);
    return !digits.empty() && stop == end && problem == std::errc();
}

/// Exactly as many hexadecimal digits as the pattern has.
bool read_pattern(std::string_view digits, std::size_t length, Type type, Constant& value) {
    value.type = type;
    return digits.size() == length && read_digits(digits, 16, value.bits);
}

bool read_integer(std::string_view text, Constant& value) {
    const bool is_unsigned = text.back() == 'U';
    if (is_unsigned) text.remove_suffix(1);
    int base = 10;
    if (text.size() > 1 && text[0] == '0') {
        const char mark = text[1];
        base = mark == 'x' || mark == 'X' ? 16 : mark == 'b' || mark == 'B' ? 2 : 8;
        text.remove_prefix(base == 8 ? 1 : 2);
    }
    if (!read_digits(text, base, value.bits)) return false;
    const bool fits = value.bits <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    value.type = is_unsigned || !fits ? Type::u64 : Type::s64;
    return true;
}

/// from_chars does not ask the locale; a C++ library without it for double (the browser's) has only the "C" locale.
bool read_fraction(std::string_view text, Constant& value) {
    double number = 0.0;
#ifdef __cpp_lib_to_chars
    const char* end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, number);
    if (stop != end || problem != std::errc()) return false;
#else
    const std::string copy(text);
    char* stop = nullptr;
    number = std::strtod(copy.c_str(), &stop);
    if (stop != copy.c_str() + copy.size()) return false;
#endif
    value.type = Type::f64;
    std::memcpy(&value.bits, &number, sizeof number);
    return true;
}

}  // namespace

bool read_number(std::string_view text, Constant& value) {
    if (text.empty()) return false;
    const char mark = text.size() > 2 && text[0] == '0' ? text[1] : '\0';
    if (mark == 'f' || mark == 'F') return read_pattern(text.substr(2), 8, Type::f32, value);
    if (mark == 'd' || mark == 'D') return read_pattern(text.substr(2), 16, Type::f64, value);
    const bool hexadecimal = mark == 'x' || mark == 'X';
    if (!hexadecimal && text.find_first_of(".eE") != std::string_view::npos) return read_fraction(text, value);
    return read_integer(text, value);
}

}  // namespace lanes::emulator::ptx
