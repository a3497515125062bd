/// @file
/// @brief Names and sizes of PTX types, and the small questions one asks of an instruction or a module.
#include <lanes/emulator/ptx.hpp>

#include <algorithm>
#include <array>

namespace lanes::emulator::ptx {

namespace {

struct TypeInfo {
    std::string_view name;
    std::uint32_t bytes;
};

/// In the order of Type.
constexpr std::array<TypeInfo, 21> types{{
    {"", 0},    {"pred", 0}, {"b8", 1},    {"b16", 2},  {"b32", 4},    {"b64", 8}, {"b128", 16},
    {"u8", 1},  {"u16", 2},  {"u32", 4},   {"u64", 8},  {"s8", 1},     {"s16", 2}, {"s32", 4},
    {"s64", 8}, {"f16", 2},  {"f16x2", 4}, {"bf16", 2}, {"bf16x2", 4}, {"f32", 4}, {"f64", 8},
}};
static_assert(types.size() == static_cast<std::size_t>(Type::f64) + 1);

}  // namespace

std::uint32_t size_of(Type type) {
    return types[static_cast<std::size_t>(type)].bytes;
}

std::string_view name_of(Type type) {
    return types[static_cast<std::size_t>(type)].name;
}

Type type_from_name(std::string_view name) {
    const auto* found =
        std::find_if(types.begin(), types.end(), [&](const TypeInfo& info) { return info.name == name; });
    return found == types.end() ? Type::none : static_cast<Type>(found - types.begin());
}

bool Instruction::has(std::string_view modifier) const {
    return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

Type Instruction::type() const {
    const auto names_type = [](const std::string& name) { return type_from_name(name) != Type::none; };
    const auto found = std::find_if(modifiers.rbegin(), modifiers.rend(), names_type);
    return found == modifiers.rend() ? Type::none : type_from_name(*found);
}

const std::string* Module::file_name(std::uint32_t number) const {
    const auto found = std::lower_bound(files.begin(), files.end(), number,
                                        [](const File& file, std::uint32_t wanted) { return file.number < wanted; });
    return found != files.end() && found->number == number ? &found->name : nullptr;
}

}  // namespace lanes::emulator::ptx
