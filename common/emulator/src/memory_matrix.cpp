/// ldmatrix and stmatrix: 8x8 matrices of 16-bit elements between shared memory and a warp's registers.
///
/// Lanes 8m to 8m + 7 hold the addresses of the rows of matrix m, 16 bytes each. In registers, lane t holds elements
/// (t / 4, 2 (t % 4)) and the next one of each matrix, or with .trans those of the transposed matrix (PTX ISA,
/// "ldmatrix").
#include "memory_handlers.hpp"
#include "memory_values.hpp"
#include "position.hpp"

#include <string>

namespace lanes::emulator {
namespace {

constexpr unsigned matrix_rows = 8;
constexpr std::uint32_t row_bytes = 16;

/// Locates and admits the rows of `count` matrices and calls `move(matrix, lane, low, high)` with the host addresses of
/// the two elements that each lane holds.
template <unsigned count, bool transposed, typename Address, typename Move>
void access_matrices(Warp& warp, const Operation& operation, LaneMask lanes, Intent intent, const Move& move) {
    if (lanes != all_lanes) {
        const auto lane = first_lane(lanes);
        return raise(warp, operation, lane, FaultKind::invalid_mask, Severity::error,
                     "a matrix instruction needs all 32 lanes of the warp; only " + text_of_lanes(lanes) + " came");
    }
    constexpr LaneMask row_lanes = all_lanes >> (warp_size - count * matrix_rows);
    LaneAccess access;
    locate<Address>(warp, operation.source[0], operation.immediate, row_bytes, row_lanes, access);
    ptx::Space space = ptx::Space::shared;
    if (access.of(0) >= local_window) narrow_generic(access, space);
    if (!admit(warp, operation, row_lanes, {space, intent, row_bytes}, access)) return;
    const auto element = [&](unsigned matrix, unsigned row, unsigned column) {
        return access.at(matrix * matrix_rows + row) + column * sizeof(std::uint16_t);
    };
    for (unsigned matrix = 0; matrix < count; ++matrix)
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const unsigned row = lane / 4;
            const unsigned column = lane % 4 * 2;
            move(matrix, lane, transposed ? element(matrix, column, row) : element(matrix, row, column),
                 transposed ? element(matrix, column + 1, row) : element(matrix, row, column + 1));
        }
}

template <unsigned count, bool transposed, typename Address>
void execute_load(Warp& warp, const Operation& operation, LaneMask lanes) {
    const Slot* const slots = vector_slots(warp, operation);
    access_matrices<count, transposed, Address>(
        warp, operation, lanes, Intent::load,
        [&](unsigned matrix, unsigned lane, const std::byte* low, const std::byte* high) {
            if (slots[matrix] == no_slot) return;
            warp.row<std::uint32_t>(slots[matrix])[lane] =
                read_own<std::uint16_t>(low) | std::uint32_t{read_own<std::uint16_t>(high)} << 16;
        });
}

template <unsigned count, bool transposed, typename Address>
void execute_store(Warp& warp, const Operation& operation, LaneMask lanes) {
    const Slot* const slots = vector_slots(warp, operation);
    access_matrices<count, transposed, Address>(
        warp, operation, lanes, Intent::store, [&](unsigned matrix, unsigned lane, std::byte* low, std::byte* high) {
            const std::uint32_t pair = warp.row<std::uint32_t>(slots[matrix])[lane];
            write_own(low, static_cast<std::uint16_t>(pair));
            write_own(high, static_cast<std::uint16_t>(pair >> 16));
        });
}

template <unsigned count, bool transposed>
Execute choose_address(bool stores, std::uint32_t address_bytes) {
    if (address_bytes == 4)
        return stores ? &execute_store<count, transposed, std::uint32_t>
                      : &execute_load<count, transposed, std::uint32_t>;
    return stores ? &execute_store<count, transposed, std::uint64_t> : &execute_load<count, transposed, std::uint64_t>;
}

template <bool transposed>
Execute choose_count(bool stores, unsigned count, std::uint32_t address_bytes) {
    switch (count) {
        case 1:
            return choose_address<1, transposed>(stores, address_bytes);
        case 2:
            return choose_address<2, transposed>(stores, address_bytes);
        case 4:
            return choose_address<4, transposed>(stores, address_bytes);
        default:
            return nullptr;
    }
}

Execute choose_matrix(bool stores, unsigned count, bool transposed, std::uint32_t address_bytes) {
    return transposed ? choose_count<true>(stores, count, address_bytes)
                      : choose_count<false>(stores, count, address_bytes);
}

}  // namespace

/// ldmatrix {d...}, [a] and stmatrix [a], {b...}
Selection select_matrix(MemoryForm& form) {
    const bool stores = form.opcode() == "stmatrix";
    const bool known =
        form.take("sync") && form.take("aligned") && form.take("m8n8") && form.take_type() == ptx::Type::b16;
    const unsigned count = form.take("x1") ? 1 : form.take("x2") ? 2 : form.take("x4") ? 4 : 0;
    const bool transposed = form.take("trans");
    form.take_space();
    if (!known || count == 0 || form.operand_count() != 2) return {};
    Selection selection;
    const ptx::Type rows = form.vector_type(stores ? 1 : 0, ptx::Type::b32, count);
    selection.source[0] = form.address_type(stores ? 0 : 1);
    (stores ? selection.source[1] : selection.destination) = rows;
    if (selection.source[0] == ptx::Type::none || ptx::size_of(rows) != sizeof(std::uint32_t)) return {};
    selection.execute = choose_matrix(stores, count, transposed, ptx::size_of(selection.source[0]));
    return selection;
}

}  // namespace lanes::emulator
