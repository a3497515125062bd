/// mov with its packing and unpacking of vectors, cvta and isspacep.

#include "arithmetic.hpp"
#include "arithmetic_rows.hpp"

namespace lanes::emulator {
namespace {

template <typename T>
T copy(T a) {
    return a;
}

void execute_mask_copy(Warp& warp, const Operation& operation, LaneMask lanes) {
    write_predicate(warp, operation.destination, warp.predicate(operation.source[0]), lanes);
}

Selection select_predicate_copy() {
    Selection selection;
    selection.execute = execute_mask_copy;
    selection.destination = ptx::Type::pred;
    selection.source = {ptx::Type::pred};
    return selection;
}

const std::vector<Slot>& vector_of(const Warp& warp, const Operation& operation) {
    return warp.block->launch->program.vectors[operation.extra];
}

template <typename Whole, typename Piece>
constexpr unsigned pieces_of = sizeof(Whole) / sizeof(Piece);

/// mov.b64 d, {a, b}: the first piece is the least significant.
template <typename Whole, typename Piece>
void execute_pack(Warp& warp, const Operation& operation, LaneMask lanes) {
    const std::vector<Slot>& slots = vector_of(warp, operation);
    alignas(64) Whole packed[warp_size] = {};
    for (unsigned piece = 0; piece < pieces_of<Whole, Piece>; ++piece) {
        const Piece* const source = warp.row<Piece>(slots[piece]);
        const unsigned shift = 8 * sizeof(Piece) * piece;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            packed[lane] = static_cast<Whole>(packed[lane] | static_cast<Whole>(source[lane]) << shift);
        }
    }
    write_lanes(warp.row<Whole>(operation.destination), packed, lanes);
}

/// mov.b64 {d, e}, a: pieces that are `_` have no row.
template <typename Whole, typename Piece>
void execute_unpack(Warp& warp, const Operation& operation, LaneMask lanes) {
    const std::vector<Slot>& slots = vector_of(warp, operation);
    const Whole* const source = warp.row<Whole>(operation.source[0]);
    for (unsigned piece = 0; piece < pieces_of<Whole, Piece>; ++piece) {
        if (slots[piece] == no_slot) continue;
        const unsigned shift = 8 * sizeof(Piece) * piece;
        alignas(64) Piece values[warp_size];
        for (unsigned lane = 0; lane < warp_size; ++lane) values[lane] = static_cast<Piece>(source[lane] >> shift);
        write_lanes(warp.row<Piece>(slots[piece]), values, lanes);
    }
}

template <typename Whole, typename Piece>
Selection pack_selection(bool unpack) {
    Selection selection;
    selection.execute = unpack ? execute_unpack<Whole, Piece> : execute_pack<Whole, Piece>;
    selection.destination = unpack ? row_type_of<Piece>() : row_type_of<Whole>();
    selection.source = {unpack ? row_type_of<Whole>() : row_type_of<Piece>()};
    return selection;
}

Selection select_vector_move(ptx::Type type, std::size_t pieces, bool unpack) {
    const std::uint32_t bytes = ptx::size_of(type);
    if (bytes == 8 && pieces == 2) return pack_selection<std::uint64_t, std::uint32_t>(unpack);
    if (bytes == 8 && pieces == 4) return pack_selection<std::uint64_t, std::uint16_t>(unpack);
    if (bytes == 4 && pieces == 2) return pack_selection<std::uint32_t, std::uint16_t>(unpack);
    return {};
}

Selection select_mov(Form& form) {
    if (form.take("pred")) return select_predicate_copy();
    const ptx::Type type = form.take_type();
    for (std::size_t i = 0; i < form.operands().size(); ++i) {
        const ptx::Operand& operand = form.operands()[i];
        if (operand.kind == ptx::OperandKind::vector) return select_vector_move(type, operand.elements.size(), i == 0);
    }
    return for_bits(type, []<typename T>(std::type_identity<T>) { return on_rows<copy<T>>(); });
}

/// Adds the window's start, modulo 2^64; subtracting it is adding its negative.
template <std::uint64_t offset>
std::uint64_t translate(std::uint64_t address) {
    return address + offset;
}

template <std::uint64_t window>
bool is_in(std::uint64_t address) {
    return address - window < window_bytes;
}

bool is_global(std::uint64_t address) {
    return !is_in<shared_window>(address) && !is_in<local_window>(address);
}

bool is_nowhere(std::uint64_t) {
    return false;
}

/// Global and constant memory have host addresses: generic as they are. Parameters have no generic address here.
Selection select_cvta(Form& form) {
    const bool to = form.take("to");
    if (!form.take("u64")) return {};
    if (form.take("shared") || form.take("shared::cta") || form.take("shared::cluster")) {
        return to ? on_rows<translate<0 - shared_window>>() : on_rows<translate<shared_window>>();
    }
    if (form.take("local")) return to ? on_rows<translate<0 - local_window>>() : on_rows<translate<local_window>>();
    if (form.take("global") || form.take("const")) return on_rows<copy<std::uint64_t>>();
    return {};
}

Selection select_isspacep(Form& form) {
    Selection selection;
    if (form.take("global")) selection = on_rows<is_global>();
    if (form.take("shared") || form.take("shared::cta") || form.take("shared::cluster")) {
        selection = on_rows<is_in<shared_window>>();
    }
    if (form.take("local")) selection = on_rows<is_in<local_window>>();
    if (form.take("const") || form.take("param")) selection = on_rows<is_nowhere>();
    return selection;
}

}  // namespace

Selection select_move(Form& form) {
    if (form.opcode() == "mov") return select_mov(form);
    if (form.opcode() == "cvta") return select_cvta(form);
    return select_isspacep(form);
}

}  // namespace lanes::emulator
