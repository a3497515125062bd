#include "memory_choose.hpp"
#include "memory_handlers.hpp"

#include <array>
#include <cstring>

namespace lanes::emulator {
namespace {

/// Element i of memory that holds `elements` for each lane = register i, cut to the element's width. Plain moves: see
/// gather_unit of the loads.
template <typename Memory, typename Register, unsigned elements, unsigned lanes>
__attribute__((no_sanitize("thread"))) void scatter_unit(std::byte* to, const Register* registers) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const auto value = static_cast<Memory>(registers[lane]);
        std::memcpy(to + lane * elements * sizeof value, &value, sizeof value);
    }
}

/// Moves values from rows to memory, cut to the width of the memory.
/// @tparam others_read  other host threads may be reading the memory
template <typename Memory, typename Register, bool others_read>
struct Storing {
    static void write(std::byte* to, Register value) {
        if constexpr (others_read) {
            write_value(to, static_cast<Memory>(value));
        } else {
            write_own(to, static_cast<Memory>(value));
        }
    }

    static void move(Warp& warp, const Operation& operation, LaneMask lanes, const LaneAccess& access) {
        const unsigned elements = operation.elements;
        const Slot* const slots = elements == 1 ? &operation.source[1] : vector_slots(warp, operation);
        const bool together = elements > 1 && operation.order != MemoryOrder::weak;
        if (together) return move_together(warp, slots, elements, lanes, access);
        const bool in_rows = access.rows.exist() && access.rows.step != 0 && access.lane_stride == 0 &&
                             operation.order == MemoryOrder::weak;
        for (unsigned element = 0; element < elements; ++element) {
            const Register* const registers = warp.row<Register>(slots[element]);
            const std::size_t offset = element * sizeof(Memory);
            // In the order of the lanes: of several that write one address, the last is left.
            if (in_rows) {
                scatter_rows(access, elements, offset, registers);
            } else {
                for_each_lane(lanes, [&](unsigned lane) { write(access.at(lane) + offset, registers[lane]); });
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
                std::array<Memory, count> values;
                for (unsigned element = 0; element < count; ++element)
                    values[element] = static_cast<Memory>(warp.row<Register>(slots[element])[lane]);
                std::byte* to = access.at(lane);
                for (const Unit unit : std::bit_cast<std::array<Unit, sizeof values / sizeof(Unit)>>(values)) {
                    if constexpr (others_read) {
                        write_value(to, unit);
                    } else {
                        write_own(to, unit);
                    }
                    to += sizeof unit;
                }
            });
        });
    }

    static void scatter_rows(const LaneAccess& access, unsigned elements, std::size_t offset,
                             const Register* registers) {
        with_rows(access.rows.count, [&](auto count) {
            constexpr unsigned row_lanes = warp_size / count;
            with_elements(elements, [&](auto element_count) {
                for (unsigned row = 0; row < count; ++row)
                    scatter_unit<Memory, Register, element_count, row_lanes>(
                        access.on_host(access.rows.first[row] + offset), registers + row * row_lanes);
            });
        });
    }
};

template <typename Memory, typename Register, ptx::Space space>
struct Store {
    static constexpr bool allowed = space != ptx::Space::constant && space != ptx::Space::param;  // read-only

    template <typename Address>
    static void execute(Warp& warp, const Operation& operation, LaneMask lanes) {
        constexpr bool others_read = space == ptx::Space::global || space == ptx::Space::generic;
        const auto bytes = static_cast<std::uint32_t>(sizeof(Memory) * operation.elements);
        access_memory<space, Address>(warp, operation, lanes, Intent::store, bytes,
                                      Storing<Memory, Register, others_read>::move);
    }
};

Execute choose_store(ptx::Type type, std::uint32_t register_bytes, ptx::Space space, std::uint32_t address_bytes) {
    switch (ptx::size_of(type)) {
        case 1:
            return choose_register<Store, std::uint8_t>(register_bytes, space, address_bytes);
        case 2:
            return choose_register<Store, std::uint16_t>(register_bytes, space, address_bytes);
        case 4:
            return choose_register<Store, std::uint32_t>(register_bytes, space, address_bytes);
        case 8:
            return choose_register<Store, std::uint64_t>(register_bytes, space, address_bytes);
        case 16:
            return choose_register<Store, Bits128>(register_bytes, space, address_bytes);
        default:
            return nullptr;
    }
}

}  // namespace

Selection select_store(MemoryForm& form) {
    Selection selection;
    selection.order = form.take_order();
    const ptx::Space space = form.take_space();
    form.take_hints();
    const unsigned elements = form.take_elements();
    const ptx::Type type = form.take_type();
    if (form.operand_count() != 2) return {};
    selection.source[0] = form.address_type(0);
    selection.source[1] = form.data_type(1, type, elements);
    if (selection.source[0] == ptx::Type::none) return {};
    selection.execute = choose_store(type, ptx::size_of(selection.source[1]), space, ptx::size_of(selection.source[0]));
    return selection;
}

}  // namespace lanes::emulator
