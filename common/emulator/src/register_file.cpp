#include "register_file.hpp"

#include <algorithm>
#include <bit>

namespace lanes::emulator {

namespace {

constexpr std::uint32_t line_bytes = 64;

bool is_single(ptx::Type type) {
    return type == ptx::Type::f32;
}
bool is_double(ptx::Type type) {
    return type == ptx::Type::f64;
}

}  // namespace

std::uint32_t row_width(ptx::Type type) {
    if (type == ptx::Type::pred) return 0;
    return std::max<std::uint32_t>(2, ptx::size_of(type));
}

std::uint64_t immediate_bits(const ptx::Operand& operand, ptx::Type type) {
    if (is_double(operand.literal_type) && is_single(type)) {
        return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
    }
    if (is_single(operand.literal_type) && is_double(type)) {
        const auto single = std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits));
        return std::bit_cast<std::uint64_t>(static_cast<double>(single));
    }
    if (type == ptx::Type::pred) return operand.bits != 0 ? 1 : 0;
    const std::uint32_t bytes = ptx::size_of(type);
    return bytes >= sizeof(std::uint64_t) ? operand.bits : operand.bits & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

Slot RegisterFile::reserve(std::uint32_t bytes) {
    const Slot slot = program_.register_bytes;
    program_.register_bytes += (bytes + line_bytes - 1) / line_bytes * line_bytes;
    return slot;
}

Slot RegisterFile::add(ptx::Type type) {
    if (type != ptx::Type::pred) return reserve(warp_size * row_width(type));
    if (predicates_ == predicates_end_) {
        predicates_ = reserve(line_bytes);
        predicates_end_ = predicates_ + line_bytes;
    }
    const Slot slot = predicates_;
    predicates_ += sizeof(LaneMask);
    return slot;
}

Slot RegisterFile::scratch(ptx::Type type) {
    const auto [known, is_new] = scratch_.try_emplace(row_width(type), no_slot);
    if (is_new) known->second = add(type);
    return known->second;
}

Slot RegisterFile::constant(std::uint32_t width, std::uint64_t bits) {
    const auto [known, is_new] = constants_.try_emplace({width, bits}, no_slot);
    if (!is_new) return known->second;
    known->second = reserve(width == 0 ? line_bytes : warp_size * width);
    program_.constants.push_back({known->second, width, bits});
    return known->second;
}

Slot RegisterFile::special(std::string_view name, std::uint32_t width) {
    const auto [known, is_new] = specials_.try_emplace({std::string(name), width}, no_slot);
    if (!is_new) return known->second;
    known->second = reserve(width == 0 ? line_bytes : warp_size * width);
    program_.specials.push_back({known->second, std::string(name), width});
    return known->second;
}

}  // namespace lanes::emulator
