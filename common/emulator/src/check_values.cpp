#include "check_values.hpp"

#include <cstddef>

namespace lanes::emulator {

bool has_known_values(const Access& access) {
    return access.writes && !access.reads && access.phase == AsyncPhase::none && access.operation.value_bytes != 0;
}

std::uint8_t written_byte(const Access& access, unsigned lane, std::uint32_t offset) {
    const Operation& operation = access.operation;
    const Program& program = access.warp.block->launch->program;
    const std::uint32_t element = offset / operation.width;
    const Slot slot = operation.elements == 1 ? operation.source[1] : program.vectors[operation.extra][element];
    const std::byte* const value = access.warp.registers + slot + lane * operation.value_bytes;
    return std::to_integer<std::uint8_t>(value[offset % operation.width]);
}

}  // namespace lanes::emulator
