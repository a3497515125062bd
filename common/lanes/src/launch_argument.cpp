#include "launch_argument.hpp"

#include "files.hpp"

#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <sstream>

namespace lanes {

namespace {

using emulator::Error;
using emulator::Result;
using emulator::ptx::Type;
using runtime::LaunchArgument;

constexpr std::uint64_t most_elements = std::uint64_t{1} << 32;

template <typename T>
void append(std::vector<std::byte>& bytes, T value) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

template <typename T>
std::optional<T> parse_whole(std::string_view text) {
    T value{};
    std::from_chars_result result{};
    if constexpr (std::is_integral_v<T>) {
        const bool hexadecimal = text.starts_with("0x");
        if (hexadecimal) text.remove_prefix(2);
        result = std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
    } else {
        result = std::from_chars(text.data(), text.data() + text.size(), value);
    }
    if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

template <typename T>
bool append_value(std::string_view text, std::vector<std::byte>& bytes) {
    const auto value = parse_whole<T>(text);
    if (value) append(bytes, *value);
    return value.has_value();
}

template <typename T>
void print_value(std::ostream& stream, std::span<const std::byte> values, std::size_t index) {
    T value;
    std::memcpy(&value, values.data() + index * sizeof value, sizeof value);
    if constexpr (sizeof(T) == 1)
        stream << static_cast<int>(value);
    else
        stream << value;
}

// What can be done with a type that an argument may have.
struct TypeActions {
    Type type;
    bool (*append)(std::string_view text, std::vector<std::byte>& bytes);
    void (*print)(std::ostream& stream, std::span<const std::byte> values, std::size_t index);
};

template <typename T>
constexpr TypeActions actions_for(Type type) {
    return {type, append_value<T>, print_value<T>};
}

constexpr TypeActions known_types[] = {
    actions_for<std::uint8_t>(Type::u8),   actions_for<std::uint16_t>(Type::u16), actions_for<std::uint32_t>(Type::u32),
    actions_for<std::uint64_t>(Type::u64), actions_for<std::int8_t>(Type::s8),    actions_for<std::int16_t>(Type::s16),
    actions_for<std::int32_t>(Type::s32),  actions_for<std::int64_t>(Type::s64),  actions_for<float>(Type::f32),
    actions_for<double>(Type::f64),
};

const TypeActions* actions_of(Type type) {
    for (const TypeActions& actions : known_types)
        if (actions.type == type) return &actions;
    return nullptr;
}

std::string quoted(std::string_view text) {
    return '"' + std::string(text) + '"';
}

Error bad_value(std::string_view value, std::string_view type) {
    return Error{quoted(value) + " is not a value of type " + std::string(type)};
}

// "[1,2,3]" without its brackets.
Result<LaunchArgument> parse_list(std::string_view list, std::string_view type, const TypeActions& actions,
                                  LaunchArgument argument) {
    argument.is_array = true;
    argument.count = 0;
    while (!list.empty()) {
        const std::size_t comma = list.find(',');
        const std::string_view value = list.substr(0, comma);
        if (!actions.append(value, argument.values)) return bad_value(value, type);
        ++argument.count;
        list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    }
    if (argument.count == 0) return Error{"an array must have at least one element"};
    return argument;
}

// "u32[256]" before the colon: the number of elements.
Result<std::uint64_t> parse_count(std::string_view text) {
    const auto count = parse_whole<std::uint64_t>(text);
    if (!count || *count == 0 || *count > most_elements) return Error{quoted(text) + " is not a number of elements"};
    return *count;
}

// "@in.bin" without the @: the elements as they lie in memory.
Result<LaunchArgument> read_elements(const std::string& path, LaunchArgument argument) {
    const auto bytes = read_file(path);
    if (!bytes) return bytes.error();
    const std::size_t size = emulator::ptx::size_of(argument.type);
    if (bytes->empty() || bytes->size() % size != 0)
        return Error{path + " has " + std::to_string(bytes->size()) + " bytes, which is no whole number of " +
                     std::to_string(size) + "-byte elements above 0"};
    argument.is_array = true;
    argument.count = bytes->size() / size;
    argument.values = *bytes;
    return argument;
}

Result<LaunchArgument> fill(LaunchArgument argument, std::string_view value, std::string_view type,
                            const TypeActions& actions) {
    for (std::uint64_t i = 0; i < argument.count; ++i)
        if (!actions.append(value, argument.values)) return bad_value(value, type);
    return argument;
}

}  // namespace

Result<LaunchArgument> parse_argument(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::string_view head = text.substr(0, colon);
    const std::size_t bracket = head.find('[');
    const std::string_view type = head.substr(0, bracket);
    LaunchArgument argument;
    argument.type = emulator::ptx::type_from_name(type);
    const TypeActions* actions = actions_of(argument.type);
    if (actions == nullptr)
        return Error{quoted(type) + " is not a type: there are u8 to u64, s8 to s64, f32 and f64, as in u32:5"};
    if (bracket != std::string_view::npos) {
        if (!head.ends_with(']')) return Error{quoted(head) + " lacks a ]"};
        const auto count = parse_count(head.substr(bracket + 1, head.size() - bracket - 2));
        if (!count) return count.error();
        argument.is_array = true;
        argument.count = *count;
        if (colon == std::string_view::npos) return argument;
        return fill(std::move(argument), text.substr(colon + 1), type, *actions);
    }
    if (colon == std::string_view::npos)
        return Error{quoted(text) + " has no value: write " + std::string(type) + ":VALUE"};
    const std::string_view value = text.substr(colon + 1);
    if (value.starts_with('@')) return read_elements(std::string(value.substr(1)), std::move(argument));
    if (value.starts_with('[') && value.ends_with(']'))
        return parse_list(value.substr(1, value.size() - 2), type, *actions, std::move(argument));
    return fill(std::move(argument), value, type, *actions);
}

std::string describe_array(Type type, std::span<const std::byte> values, std::size_t most) {
    const TypeActions* actions = actions_of(type);
    const std::size_t count = actions == nullptr ? 0 : values.size() / emulator::ptx::size_of(type);
    std::ostringstream stream;
    stream.precision(std::numeric_limits<float>::max_digits10);
    for (std::size_t i = 0; i < count && i < most; ++i) {
        stream << (i == 0 ? "[" : ", ");
        actions->print(stream, values, i);
    }
    stream << (count > most ? ", ...]" : "]");
    return stream.str();
}

}  // namespace lanes
