/// Operations on the bytes and halfwords of 32-bit registers: prmt, dp4a, dp2a, the SIMD video instructions, and
/// integer pairs (u16x2, s16x2).

#include <algorithm>
#include <limits>

#include "arithmetic.hpp"
#include "arithmetic_rows.hpp"

namespace lanes::emulator {
namespace {

/// Byte `index` (0..7) of {b, a}, a being the lower word.
std::uint32_t byte_of(std::uint32_t a, std::uint32_t b, unsigned index) {
    const std::uint64_t both = std::uint64_t{b} << 32 | a;
    return static_cast<std::uint32_t>(both >> (8 * index)) & 0xffu;
}

std::uint32_t permute_bytes(std::uint32_t a, std::uint32_t b, std::uint32_t selectors) {
    std::uint32_t result = 0;
    for (unsigned place = 0; place < 4; ++place) {
        const unsigned selector = selectors >> (4 * place) & 0xfu;
        const std::uint32_t byte = byte_of(a, b, selector & 7u);
        const std::uint32_t sign = (byte >> 7 & 1u) * 0xffu;
        result |= ((selector & 8u) != 0 ? sign : byte) << (8 * place);
    }
    return result;
}

/// prmt's modes: for each value of c[1:0] the selectors, as in the default mode.
using PermuteMode = std::uint32_t[4];
constexpr PermuteMode forward_4_extract = {0x3210, 0x4321, 0x5432, 0x6543};
constexpr PermuteMode backward_4_extract = {0x5670, 0x6701, 0x7012, 0x0123};
constexpr PermuteMode replicate_8 = {0x0000, 0x1111, 0x2222, 0x3333};
constexpr PermuteMode edge_clamp_left = {0x3210, 0x3211, 0x3222, 0x3333};
constexpr PermuteMode edge_clamp_right = {0x0000, 0x1110, 0x2210, 0x3210};
constexpr PermuteMode replicate_16 = {0x1010, 0x3232, 0x1010, 0x3232};

template <const PermuteMode& mode>
std::uint32_t permute_by_mode(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return permute_bytes(a, b, mode[c & 3u]);
}

Selection select_permute(Form& form) {
    if (!form.take("b32")) return {};
    if (form.take("f4e")) return on_rows<permute_by_mode<forward_4_extract>>();
    if (form.take("b4e")) return on_rows<permute_by_mode<backward_4_extract>>();
    if (form.take("rc8")) return on_rows<permute_by_mode<replicate_8>>();
    if (form.take("ecl")) return on_rows<permute_by_mode<edge_clamp_left>>();
    if (form.take("ecr")) return on_rows<permute_by_mode<edge_clamp_right>>();
    if (form.take("rc16")) return on_rows<permute_by_mode<replicate_16>>();
    return on_rows<permute_bytes>();
}

/// Piece `index` of a register as a number, signed if Piece is.
template <typename Piece>
std::int32_t piece_of(std::uint32_t word, unsigned index) {
    return static_cast<Piece>(word >> (8 * sizeof(Piece) * index));
}

template <typename A, typename B>
std::uint32_t dot_of_4_bytes(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    std::uint32_t sum = c;
    for (unsigned i = 0; i < 4; ++i) sum += static_cast<std::uint32_t>(piece_of<A>(a, i) * piece_of<B>(b, i));
    return sum;
}

/// Two halfwords of a with bytes first, first + 1 of b.
template <typename A, typename B, unsigned first>
std::uint32_t dot_of_2_halfwords(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const auto low = static_cast<std::uint32_t>(piece_of<A>(a, 0) * piece_of<B>(b, first));
    const auto high = static_cast<std::uint32_t>(piece_of<A>(a, 1) * piece_of<B>(b, first + 1));
    return c + low + high;
}

/// Calls `select` with the signedness of two operands that .u32 or .s32 name, in order.
template <typename Select>
Selection with_signs(Form& form, Select select) {
    const ptx::Type a = form.take_type();
    const ptx::Type b = form.take_type();
    const auto is_word = [](ptx::Type type) { return type == ptx::Type::u32 || type == ptx::Type::s32; };
    if (!is_word(a) || !is_word(b)) return {};
    const bool a_signed = a == ptx::Type::s32;
    const bool b_signed = b == ptx::Type::s32;
    if (a_signed)
        return b_signed ? select(std::true_type{}, std::true_type{}) : select(std::true_type{}, std::false_type{});
    return b_signed ? select(std::false_type{}, std::true_type{}) : select(std::false_type{}, std::false_type{});
}

template <bool is_signed>
using Byte = std::conditional_t<is_signed, std::int8_t, std::uint8_t>;
template <bool is_signed>
using Halfword = std::conditional_t<is_signed, std::int16_t, std::uint16_t>;

Selection select_dot_of_bytes(Form& form) {
    return with_signs(form, []<bool a, bool b>(std::bool_constant<a>, std::bool_constant<b>) {
        return on_rows<dot_of_4_bytes<Byte<a>, Byte<b>>>();
    });
}

Selection select_dot_of_halfwords(Form& form) {
    const bool high = form.take("hi");
    if (!high && !form.take("lo")) return {};
    return with_signs(form, [&]<bool a, bool b>(std::bool_constant<a>, std::bool_constant<b>) {
        return high ? on_rows<dot_of_2_halfwords<Halfword<a>, Byte<b>, 2>>()
                    : on_rows<dot_of_2_halfwords<Halfword<a>, Byte<b>, 0>>();
    });
}

// SIMD video instructions and pairs: the same operation on each piece of a register.

std::int32_t piece_sum(std::int32_t a, std::int32_t b) {
    return a + b;
}
std::int32_t piece_difference(std::int32_t a, std::int32_t b) {
    return a - b;
}
std::int32_t piece_distance(std::int32_t a, std::int32_t b) {
    return a < b ? b - a : a - b;
}
std::int32_t piece_minimum(std::int32_t a, std::int32_t b) {
    return a < b ? a : b;
}
std::int32_t piece_maximum(std::int32_t a, std::int32_t b) {
    return a > b ? a : b;
}
/// Rounds halves away from zero.
std::int32_t piece_average(std::int32_t a, std::int32_t b) {
    return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
}
std::int32_t piece_minimum_relu(std::int32_t a, std::int32_t b) {
    return std::max(std::min(a, b), 0);
}
std::int32_t piece_maximum_relu(std::int32_t a, std::int32_t b) {
    return std::max(std::max(a, b), 0);
}

using PieceFunction = std::int32_t (*)(std::int32_t, std::int32_t);

template <typename Piece, PieceFunction function>
std::uint32_t each_piece(std::uint32_t a, std::uint32_t b) {
    std::uint32_t result = 0;
    for (unsigned i = 0; i < sizeof a / sizeof(Piece); ++i) {
        const auto piece =
            static_cast<std::make_unsigned_t<Piece>>(function(piece_of<Piece>(a, i), piece_of<Piece>(b, i)));
        result |= static_cast<std::uint32_t>(piece) << (8 * sizeof(Piece) * i);
    }
    return result;
}

/// A video instruction without a lane mask replaces all of c.
template <typename Piece, PieceFunction function, bool saturates>
std::uint32_t video(std::uint32_t a, std::uint32_t b, std::uint32_t) {
    using Limits = std::numeric_limits<Piece>;
    std::uint32_t result = 0;
    for (unsigned i = 0; i < sizeof a / sizeof(Piece); ++i) {
        const std::int32_t value = function(piece_of<Piece>(a, i), piece_of<Piece>(b, i));
        const std::int32_t kept = saturates ? std::clamp<std::int32_t>(value, Limits::min(), Limits::max()) : value;
        result |= static_cast<std::uint32_t>(static_cast<std::make_unsigned_t<Piece>>(kept)) << (8 * sizeof(Piece) * i);
    }
    return result;
}

/// The pieces' results added up, and c.
template <typename Piece, PieceFunction function>
std::uint32_t video_accumulated(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    std::uint32_t sum = c;
    for (unsigned i = 0; i < sizeof a / sizeof(Piece); ++i) {
        sum += static_cast<std::uint32_t>(function(piece_of<Piece>(a, i), piece_of<Piece>(b, i)));
    }
    return sum;
}

template <typename Piece, PieceFunction function>
Selection select_video_function(bool saturates, bool accumulates) {
    if (accumulates) return saturates ? Selection{} : on_rows<video_accumulated<Piece, function>>();
    return saturates ? on_rows<video<Piece, function, true>>() : on_rows<video<Piece, function, false>>();
}

template <typename Piece>
Selection select_video_pieces(std::string_view operation, bool saturates, bool accumulates) {
    if (operation == "vadd") return select_video_function<Piece, piece_sum>(saturates, accumulates);
    if (operation == "vsub") return select_video_function<Piece, piece_difference>(saturates, accumulates);
    if (operation == "vabsdiff") return select_video_function<Piece, piece_distance>(saturates, accumulates);
    if (operation == "vmin") return select_video_function<Piece, piece_minimum>(saturates, accumulates);
    if (operation == "vmax") return select_video_function<Piece, piece_maximum>(saturates, accumulates);
    if (operation == "vavrg") return select_video_function<Piece, piece_average>(saturates, accumulates);
    return {};
}

/// Only forms whose three types are the same: a mixture would need operands and results of different signs.
Selection select_video(Form& form) {
    const ptx::Type type = form.take_type();
    if (form.take_type() != type || form.take_type() != type) return {};
    const bool saturates = form.take("sat");
    const bool accumulates = form.take("add");
    const bool is_signed = type == ptx::Type::s32;
    if (!is_signed && type != ptx::Type::u32) return {};
    const std::string_view opcode = form.opcode();
    const std::string_view operation = opcode.substr(0, opcode.size() - 1);
    if (opcode.back() == '4') {
        return is_signed ? select_video_pieces<std::int8_t>(operation, saturates, accumulates)
                         : select_video_pieces<std::uint8_t>(operation, saturates, accumulates);
    }
    return is_signed ? select_video_pieces<std::int16_t>(operation, saturates, accumulates)
                     : select_video_pieces<std::uint16_t>(operation, saturates, accumulates);
}

template <typename Piece>
Selection select_typed_pair(Form& form) {
    const std::string& opcode = form.opcode();
    const bool relu = std::is_signed_v<Piece> && form.take("relu");
    if (opcode == "add") return on_rows<each_piece<Piece, piece_sum>>();
    if (opcode == "min") {
        return relu ? on_rows<each_piece<Piece, piece_minimum_relu>>() : on_rows<each_piece<Piece, piece_minimum>>();
    }
    if (opcode != "max") return {};
    return relu ? on_rows<each_piece<Piece, piece_maximum_relu>>() : on_rows<each_piece<Piece, piece_maximum>>();
}

/// add, min and max of u16x2 and s16x2.
Selection select_pair(Form& form) {
    if (form.take("u16x2")) return select_typed_pair<std::uint16_t>(form);
    return form.take("s16x2") ? select_typed_pair<std::int16_t>(form) : Selection{};
}

}  // namespace

Selection select_packed(Form& form) {
    const std::string& opcode = form.opcode();
    if (opcode == "prmt") return select_permute(form);
    if (opcode == "dp4a") return select_dot_of_bytes(form);
    if (opcode == "dp2a") return select_dot_of_halfwords(form);
    if (opcode.front() == 'v') return select_video(form);
    return select_pair(form);
}

}  // namespace lanes::emulator
