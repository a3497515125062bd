#include "memory_faults.hpp"

#include "source_name.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <string>

namespace lanes::emulator {
namespace {

/// Addresses below this are a null pointer with an index or a member's offset.
constexpr std::uint64_t null_page_bytes = 4096;

std::string hexadecimal(std::uint64_t address) {
    char text[2 + 16 + 1];
    std::snprintf(text, sizeof text, "0x%" PRIx64, address);
    return text;
}

std::string count_of(std::uint64_t number, const char* unit) {
    return std::to_string(number) + " " + unit + (number == 1 ? "" : "s");
}

/// "read of 4 bytes"
std::string access_of(Intent intent, std::uint32_t bytes) {
    const char* const verb = intent == Intent::load    ? "read of "
                             : intent == Intent::store ? "write of "
                                                       : "atomic update of ";
    return verb + count_of(bytes, "byte");
}

/// Offsets that wrapped below 0 are shown as negative.
std::string offset_of(std::uint64_t address) {
    const bool wrapped_at_32_bits = address > 0x7fffffffU && address <= 0xffffffffU;
    return wrapped_at_32_bits ? std::to_string(static_cast<std::int32_t>(address))
                              : std::to_string(static_cast<std::int64_t>(address));
}

/// "0x7f..." or "shared offset 4096"
std::string place_of(ptx::Space space, std::uint64_t address) {
    switch (space) {
        case ptx::Space::shared:
            return "shared offset " + offset_of(address);
        case ptx::Space::local:
            return "local offset " + offset_of(address);
        case ptx::Space::param:
            return "parameter offset " + offset_of(address);
        case ptx::Space::generic:
        case ptx::Space::global:
        case ptx::Space::constant:
            break;
    }
    return hexadecimal(address);
}

/// "a 400-byte allocation" or "the 400-byte variable table"
std::string name_of(const Allocation& allocation) {
    const std::string size = std::to_string(allocation.bytes) + "-byte ";
    return allocation.name.empty() ? "a " + size + "allocation" : "the " + size + "variable " + allocation.name;
}

/// "is 4 bytes past the end of a 400-byte allocation"
std::string relative_to(const Allocation& allocation, std::uint64_t address, std::uint32_t bytes) {
    const std::uint64_t end = allocation.address + allocation.bytes;
    if (address < allocation.address)
        return "is " + count_of(allocation.address - address, "byte") + " before the start of " + name_of(allocation);
    if (address < end)
        return "reaches " + count_of(address + bytes - end, "byte") + " past the end of " + name_of(allocation);
    if (address == end) return "is just past the end of " + name_of(allocation);
    return "is " + count_of(address - end, "byte") + " past the end of " + name_of(allocation);
}

std::uint64_t distance_to(const Allocation& allocation, std::uint64_t address) {
    return address < allocation.address ? allocation.address - address
                                        : address - std::min(address, allocation.address + allocation.bytes);
}

/// What is wrong with a device address that is in no live allocation.
std::string device_address_problem(const DeviceMemory& memory, std::uint64_t address, std::uint32_t bytes) {
    const Allocation nearest = memory.nearest(address);
    if (nearest.bytes == 0) return "is in no allocation: no device memory is allocated";
    // Far from everything, "past the end" would name an allocation that has nothing to do with it.
    const std::uint64_t distance = distance_to(nearest, address);
    if (distance <= std::max<std::uint64_t>(4 * nearest.bytes, std::uint64_t{1} << 20))
        return relative_to(nearest, address, bytes);
    return "is in no allocation of device memory; the nearest, " + name_of(nearest) + " at " +
           hexadecimal(nearest.address) + ", is " + count_of(distance, "byte") +
           " away: is this a pointer of the host?";
}

/// Where a shared offset behind the last variable lies in terms of it, or nothing.
std::string behind_shared_variable(const Program& program, std::uint64_t offset) {
    const SharedVariable* last = nullptr;
    for (const SharedVariable& variable : program.shared_variables)
        if (variable.bytes != 0 && (last == nullptr || variable.offset > last->offset)) last = &variable;
    if (last == nullptr || offset < last->offset + last->bytes || offset > 0x7fffffffU) return {};
    return "(" + source_name(last->name) + " + " + count_of(offset - last->offset, "byte") + ") ";
}

/// "read of 4 bytes at 0x..."
std::string text_of(AccessKind kind, std::uint64_t address) {
    return access_of(kind.intent, kind.bytes) + " at " + place_of(kind.space, address);
}

/// The shared variable that begins where a range does; nullptr if the range is no variable's.
const SharedVariable* variable_of(const Program& program, SharedRange range) {
    const bool dynamic = range.end == SharedRange{}.end;
    for (const SharedVariable& variable : program.shared_variables)
        if (variable.offset == range.begin && (variable.bytes == 0) == dynamic) return &variable;
    return nullptr;
}

/// ", in Bs" if the offset lies in a static variable.
std::string in_variable(const Program& program, std::uint64_t offset) {
    for (const SharedVariable& variable : program.shared_variables)
        if (offset >= variable.offset && offset - variable.offset < variable.bytes)
            return ", in " + source_name(variable.name);
    return {};
}

/// Where an access lies in terms of the shared variable that it had to stay in: "is just past the end of the 1024-byte
/// variable As, in Bs". Nothing if the variable is not known, or far away.
std::string variable_problem(const Block& block, const Operation& operation, std::uint64_t offset,
                             std::uint32_t bytes) {
    const Program& program = block.launch->program;
    const SharedVariable* const variable = variable_of(program, operation.variable);
    if (operation.variable == SharedRange{} || variable == nullptr || offset > 0x7fffffffU) return {};
    const std::uint64_t end = std::min(operation.variable.end, block.shared_bytes);
    if (end <= variable->offset) return {};
    const Allocation place{
        .address = variable->offset, .bytes = end - variable->offset, .name = source_name(variable->name)};
    return relative_to(place, offset, bytes) + in_variable(program, offset);
}

/// "is outside the 4096 bytes of shared memory of this block"
std::string offset_problem(const Warp& warp, const Operation& operation, AccessKind kind, std::uint64_t offset) {
    const Block& block = *warp.block;
    const ptx::Space space = kind.space;
    if (space == ptx::Space::shared) {
        const std::string problem = variable_problem(block, operation, offset, kind.bytes);
        if (!problem.empty()) return problem;
    }
    if (space == ptx::Space::shared)
        return behind_shared_variable(block.launch->program, offset) + "is outside the " +
               count_of(block.shared_bytes, "byte") + " of shared memory of this block";
    if (space == ptx::Space::local)
        return "is outside the " + count_of(warp.local_bytes, "byte") + " of local memory of this thread";
    return "is outside the " + count_of(block.launch->config.parameters.size(), "byte") + " of kernel parameters";
}

}  // namespace

void raise_misaligned(Warp& warp, const Operation& operation, unsigned lane, AccessKind kind, std::uint64_t address,
                      std::uint32_t alignment) {
    raise(warp, operation, lane, FaultKind::misaligned, Severity::error,
          text_of(kind, address) + " needs an address that is a multiple of " + std::to_string(alignment) +
              "; this one is " + std::to_string(address % alignment) + " more than one");
}

void raise_out_of_bounds(Warp& warp, const Operation& operation, unsigned lane, AccessKind kind,
                         std::uint64_t address) {
    const std::string what = text_of(kind, address) + " ";
    const auto out_of_bounds = [&](const std::string& problem) {
        raise(warp, operation, lane, FaultKind::out_of_bounds, Severity::error, what + problem);
    };
    const bool is_offset =
        kind.space == ptx::Space::shared || kind.space == ptx::Space::local || kind.space == ptx::Space::param;
    if (is_offset) return out_of_bounds(offset_problem(warp, operation, kind, address));
    if (address == 0) return out_of_bounds("goes through a null pointer");
    if (address < null_page_bytes)
        return out_of_bounds("goes through a null pointer plus " + count_of(address, "byte"));
    const DeviceMemory& memory = warp.block->launch->memory;
    const Allocation owner = memory.find(address);
    if (!owner.freed) return out_of_bounds(device_address_problem(memory, address, kind.bytes));
    raise(warp, operation, lane, FaultKind::use_after_free, Severity::error,
          what + "is " + count_of(address - owner.address, "byte") + " into " + name_of(owner) +
              " that was freed before");
}

}  // namespace lanes::emulator
