#include "memory_form.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace lanes::emulator {
namespace {

constexpr std::string_view cache_hints[] = {"nc", "ca", "cg", "cs", "lu", "cv", "wb", "wt"};
constexpr std::string_view scopes[] = {"cta", "cluster", "gpu", "gl", "sys"};

constexpr std::pair<std::string_view, MemoryOrder> orders[] = {{"weak", MemoryOrder::weak},
                                                               {"relaxed", MemoryOrder::relaxed},
                                                               {"volatile", MemoryOrder::relaxed},
                                                               {"mmio", MemoryOrder::relaxed},
                                                               {"acquire", MemoryOrder::acquire},
                                                               {"release", MemoryOrder::release},
                                                               {"acq_rel", MemoryOrder::acquire_release},
                                                               {"sc", MemoryOrder::acquire_release}};

constexpr std::pair<std::string_view, ptx::Space> spaces[] = {
    {"global", ptx::Space::global},
    {"shared", ptx::Space::shared},
    {"shared::cta", ptx::Space::shared},
    // Every cluster is of one block here, so its shared memory is the block's.
    {"shared::cluster", ptx::Space::shared},
    {"local", ptx::Space::local},
    {"const", ptx::Space::constant},
    {"param", ptx::Space::param},
    {"param::entry", ptx::Space::param}};

bool is_cache_hint(std::string_view modifier) {
    return modifier.substr(0, 4) == "L1::" || modifier.substr(0, 4) == "L2::" ||
           std::find(std::begin(cache_hints), std::end(cache_hints), modifier) != std::end(cache_hints);
}

}  // namespace

std::string_view MemoryForm::take_any(std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names)
        if (take(name)) return name;
    return {};
}

MemoryOrder MemoryForm::take_order(MemoryOrder otherwise) {
    MemoryOrder order = otherwise;
    for (const auto& [name, meaning] : orders)
        if (take(name)) order = std::max(order, meaning);
    for (const std::string_view scope : scopes) take(scope);
    return order;
}

ptx::Space MemoryForm::take_space() {
    for (const auto& [name, space] : spaces)
        if (take(name)) return space;
    return ptx::Space::generic;
}

void MemoryForm::take_hints() {
    for (const std::string& modifier : instruction_.modifiers) {
        if (!is_cache_hint(modifier) || !take(modifier)) continue;
        has_policy_ = has_policy_ || modifier == "L2::cache_hint";
    }
}

unsigned MemoryForm::take_elements() {
    if (take("v2")) return 2;
    if (take("v4")) return 4;
    return take("v8") ? 8 : 1;
}

ptx::Type MemoryForm::address_type(std::size_t index) const {
    const ptx::Operand& address = operand(index);
    if (address.kind != ptx::OperandKind::address) return ptx::Type::none;
    if (address.index < 0) return ptx::Type::u64;
    switch (ptx::size_of(registers_[static_cast<std::size_t>(address.index)].type)) {
        case 4:
            return ptx::Type::u32;
        case 8:
            return ptx::Type::u64;
        default:
            return ptx::Type::none;
    }
}

bool MemoryForm::is_predicate(std::size_t index) const {
    const ptx::Operand& value = operand(index);
    return value.kind == ptx::OperandKind::reg &&
           registers_[static_cast<std::size_t>(value.index)].type == ptx::Type::pred;
}

ptx::Type MemoryForm::vector_type(std::size_t index, ptx::Type type, unsigned elements) const {
    const ptx::Operand& value = operand(index);
    if (value.kind != ptx::OperandKind::vector || value.elements.size() != elements) return ptx::Type::none;
    // All elements go through one handler, so their rows must be equally wide.
    ptx::Type common = ptx::Type::none;
    for (const ptx::Operand& element : value.elements) {
        if (element.kind == ptx::OperandKind::discard) continue;
        const ptx::Type row = row_type(element, type);
        if (row == ptx::Type::none) return row;
        if (common != ptx::Type::none && ptx::size_of(common) != ptx::size_of(row)) return ptx::Type::none;
        common = row;
    }
    return common == ptx::Type::none ? row_type({}, type) : common;
}

ptx::Type MemoryForm::row_type(const ptx::Operand& operand, ptx::Type type) const {
    if (operand.kind == ptx::OperandKind::reg) {
        const ptx::Type row = registers_[static_cast<std::size_t>(operand.index)].type;
        return row == ptx::Type::pred || ptx::size_of(row) < 2 ? ptx::Type::none : row;
    }
    const bool holds_value = operand.kind == ptx::OperandKind::immediate || operand.kind == ptx::OperandKind::discard;
    if (!holds_value) return ptx::Type::none;
    if (type == ptx::Type::s8) return ptx::Type::s16;
    return ptx::size_of(type) == 1 ? ptx::Type::u16 : type;
}

}  // namespace lanes::emulator
