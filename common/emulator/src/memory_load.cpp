#include "memory_choose.hpp"
#include "memory_handlers.hpp"

#include <array>
#include <cstring>

namespace lanes::emulator {
namespace {

/// Register i = element i of memory that holds `elements` for each lane. Plain moves, so that they vectorise: a kernel
/// that races with itself is for the emulator's own checks to report, not for the host's.
template <typename Memory, typename Register, unsigned elements, unsigned lanes>
__attribute__((no_sanitize("thread"))) void gather_unit(Register* registers, const std::byte* from) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
        Memory value;
        std::memcpy(&value, from + lane * elements * sizeof value, sizeof value);
        registers[lane] = static_cast<Register>(value);
    }
}

/// Moves values from memory to rows, extended to the width of the row.
/// @tparam others_write  other host threads may be writing the memory
template <typename Memory, typename Register, bool others_write>
struct Loading {
    static Register value(const std::byte* from) {
        if constexpr (others_write) return static_cast<Register>(read_value<Memory>(from));
        return static_cast<Register>(read_own<Memory>(from));
    }

    static void move(Warp& warp, const Operation& operation, LaneMask lanes, const LaneAccess& access) {
        const unsigned elements = operation.elements;
        const Slot* const slots = elements == 1 ? &operation.destination : vector_slots(warp, operation);
        const bool uniform = access.rows.step == 0;
        const bool together = elements > 1 && operation.order != MemoryOrder::weak;
        if (together) return move_together(warp, slots, elements, lanes, access);
        const bool in_rows =
            access.rows.exist() && access.lane_stride == 0 && (uniform || operation.order == MemoryOrder::weak);
        for (unsigned element = 0; element < elements; ++element) {
            if (slots[element] == no_slot) continue;
            Register* const registers = warp.row<Register>(slots[element]);
            const std::size_t offset = element * sizeof(Memory);
            if (!in_rows) {
                for_each_lane(lanes, [&](unsigned lane) { registers[lane] = value(access.at(lane) + offset); });
            } else if (uniform) {
                copy_to_rows(access, offset, registers);
            } else {
                gather_rows(access, elements, offset, registers);
            }
        }
    }

private:
    /// Each lane's vector as one.
    static void move_together(Warp& warp, const Slot* slots, unsigned elements, LaneMask lanes,
                              const LaneAccess& access) {
        with_elements(elements, [&](auto count) {
            using Unit = VectorUnit<count * sizeof(Memory)>;
            for_each_lane(lanes, [&](unsigned lane) {
                const std::byte* const from = access.at(lane);
                std::array<Unit, count * sizeof(Memory) / sizeof(Unit)> units;
                for (std::size_t unit = 0; unit < units.size(); ++unit)
                    units[unit] = others_write ? read_value<Unit>(from + unit * sizeof(Unit))
                                               : read_own<Unit>(from + unit * sizeof(Unit));
                const auto values = std::bit_cast<std::array<Memory, count>>(units);
                for (unsigned element = 0; element < count; ++element)
                    if (slots[element] != no_slot)
                        warp.row<Register>(slots[element])[lane] = static_cast<Register>(values[element]);
            });
        });
    }

    static void copy_to_rows(const LaneAccess& access, std::size_t offset, Register* registers) {
        with_rows(access.rows.count, [&](auto count) {
            constexpr unsigned row_lanes = warp_size / count;
            for (unsigned row = 0; row < count; ++row) {
                const Register same = value(access.on_host(access.rows.first[row] + offset));
                for (unsigned lane = 0; lane < row_lanes; ++lane) registers[row * row_lanes + lane] = same;
            }
        });
    }

    static void gather_rows(const LaneAccess& access, unsigned elements, std::size_t offset, Register* registers) {
        with_rows(access.rows.count, [&](auto count) {
            constexpr unsigned row_lanes = warp_size / count;
            with_elements(elements, [&](auto element_count) {
                for (unsigned row = 0; row < count; ++row)
                    gather_unit<Memory, Register, element_count, row_lanes>(
                        registers + row * row_lanes, access.on_host(access.rows.first[row] + offset));
            });
        });
    }
};

template <typename Memory, typename Register, ptx::Space space>
struct Load {
    static constexpr bool allowed = true;

    template <typename Address>
    static void execute(Warp& warp, const Operation& operation, LaneMask lanes) {
        constexpr bool others_write = space == ptx::Space::global || space == ptx::Space::generic;
        const auto bytes = static_cast<std::uint32_t>(sizeof(Memory) * operation.elements);
        access_memory<space, Address>(warp, operation, lanes, Intent::load, bytes,
                                      Loading<Memory, Register, others_write>::move);
    }
};

bool is_signed(ptx::Type type) {
    return type == ptx::Type::s8 || type == ptx::Type::s16 || type == ptx::Type::s32;
}

Execute choose_load(ptx::Type type, std::uint32_t register_bytes, ptx::Space space, std::uint32_t address_bytes) {
    const bool sign = is_signed(type) && register_bytes > ptx::size_of(type);
    switch (ptx::size_of(type)) {
        case 1:
            return sign ? choose_register<Load, std::int8_t>(register_bytes, space, address_bytes)
                        : choose_register<Load, std::uint8_t>(register_bytes, space, address_bytes);
        case 2:
            return sign ? choose_register<Load, std::int16_t>(register_bytes, space, address_bytes)
                        : choose_register<Load, std::uint16_t>(register_bytes, space, address_bytes);
        case 4:
            return sign ? choose_register<Load, std::int32_t>(register_bytes, space, address_bytes)
                        : choose_register<Load, std::uint32_t>(register_bytes, space, address_bytes);
        case 8:
            return choose_register<Load, std::uint64_t>(register_bytes, space, address_bytes);
        case 16:
            return choose_register<Load, Bits128>(register_bytes, space, address_bytes);
        default:
            return nullptr;
    }
}

}  // namespace

Selection select_load(MemoryForm& form) {
    Selection selection;
    selection.order = form.take_order();
    const ptx::Space space = form.take_space();
    form.take_hints();
    const unsigned elements = form.take_elements();
    const ptx::Type type = form.take_type();
    if (form.operand_count() != 2) return {};
    selection.destination = form.data_type(0, type, elements);
    selection.source[0] = form.address_type(1);
    if (selection.source[0] == ptx::Type::none) return {};
    selection.execute =
        choose_load(type, ptx::size_of(selection.destination), space, ptx::size_of(selection.source[0]));
    return selection;
}

}  // namespace lanes::emulator
