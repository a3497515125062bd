#include "device_printf.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <string_view>

namespace lanes::emulator {

namespace {

constexpr std::int32_t greatest_width = 99999;  // as many blanks, or digits behind the point
constexpr std::size_t width_digits = 5;

/// Goes through a format and its arguments.
class Formatter {
public:
    Formatter(const GenericMemory& memory, std::string_view format, std::uint64_t arguments, std::string& text)
        : memory_(memory), format_(format), address_(arguments), text_(text) {}

    int run() {
        while (position_ < format_.size() && good_) {
            if (format_[position_] == '%') {
                conversion();
            } else {
                text_ += format_[position_++];
            }
        }
        return good_ ? count_ : -1;
    }

private:
    /// The next argument, of 4 or 8 bytes.
    std::uint64_t argument(std::uint32_t bytes) {
        address_ = (address_ + bytes - 1) / bytes * bytes;
        std::uint64_t value = 0;
        good_ = good_ && memory_.read(address_, &value, bytes);
        address_ += bytes;
        ++count_;
        return value;
    }

    bool next_is_one_of(std::string_view characters) const {
        return position_ < format_.size() && characters.find(format_[position_]) != std::string_view::npos;
    }

    /// "%-*.3": flags, width and precision; `*` replaced by its argument. A width that is a forgotten argument would
    /// fill memory with blanks: numbers are cut.
    std::string flags() {
        std::string specification = "%";
        for (++position_; next_is_one_of("-+ #0123456789.*"); ++position_) {
            if (format_[position_] == '*') {
                const auto number = static_cast<std::int32_t>(argument(4));
                specification += std::to_string(std::clamp(number, -greatest_width, greatest_width));
            } else if (!ends_in_long_number(specification) || !next_is_one_of("0123456789")) {
                specification += format_[position_];
            }
        }
        return specification;
    }

    /// True if another digit would make a number greater than greatest_width.
    static bool ends_in_long_number(const std::string& specification) {
        const std::size_t before = specification.find_last_not_of("0123456789");
        return specification.size() - before > width_digits;
    }

    /// Bytes of an integer by its length modifiers: those of a 64-bit Linux.
    std::uint32_t integer_bytes() {
        std::uint32_t bytes = 4;
        for (; next_is_one_of("hlLqjzt"); ++position_) {
            if (format_[position_] != 'h') bytes = 8;
        }
        return bytes;
    }

    void conversion() {
        const std::string specification = flags();
        const std::uint32_t bytes = integer_bytes();
        if (position_ >= format_.size()) return;
        const char kind = format_[position_++];
        switch (kind) {
            case '%':
                text_ += '%';
                break;
            case 'd':
            case 'i':
                signed_integer(specification, bytes);
                break;
            case 'u':
            case 'o':
            case 'x':
            case 'X':
                append(specification + "ll" + kind, static_cast<unsigned long long>(argument(bytes)));
                break;
            case 'c':
                append(specification + kind, static_cast<int>(argument(4)));
                break;
            case 'p':
                append(specification + kind, reinterpret_cast<void*>(argument(8)));
                break;
            case 's':
                string(specification);
                break;
            default:
                floating(specification, kind);
        }
    }

    void floating(const std::string& specification, char kind) {
        if (std::string_view("aAeEfFgG").find(kind) == std::string_view::npos) {
            text_ += specification + kind;  // no conversion: printed as it stands
        } else {
            append(specification + kind, std::bit_cast<double>(argument(8)));
        }
    }

    void signed_integer(const std::string& specification, std::uint32_t bytes) {
        const std::uint64_t bits = argument(bytes);
        const long long value = bytes == 4 ? static_cast<std::int32_t>(bits) : static_cast<long long>(bits);
        append(specification + "lld", value);
    }

    void string(const std::string& specification) {
        const std::optional<std::string> value = memory_.string(argument(8));
        good_ = good_ && value.has_value();
        if (good_) append(specification + "s", value->c_str());
    }

    template <typename T>
    void append(const std::string& specification, T value) {
        const int length = std::snprintf(nullptr, 0, specification.c_str(), value);
        if (length < 0) return;
        std::string piece(static_cast<std::size_t>(length) + 1, '\0');
        std::snprintf(piece.data(), piece.size(), specification.c_str(), value);
        piece.pop_back();
        text_ += piece;
    }

    const GenericMemory& memory_;
    std::string_view format_;
    std::uint64_t address_;
    std::string& text_;
    std::size_t position_ = 0;
    int count_ = 0;
    bool good_ = true;
};

}  // namespace

int format_device_printf(const GenericMemory& memory, std::uint64_t format, std::uint64_t arguments,
                         std::string& text) {
    const std::optional<std::string> format_text = memory.string(format);
    if (!format_text) return -1;
    return Formatter(memory, *format_text, arguments, text).run();
}

}  // namespace lanes::emulator
