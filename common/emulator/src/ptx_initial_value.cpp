/// @file
/// @brief Initial values of variables: numbers, nested lists, addresses of symbols.
#include "ptx_declaration.hpp"
#include "ptx_expression.hpp"

#include <cstring>
#include <string>

namespace lanes::emulator::ptx {

namespace {

/// Fills Variable::initial and Variable::references.
class InitialValueParser {
public:
    InitialValueParser(Reader& reader, const std::vector<std::uint64_t>& extents, std::uint64_t budget,
                       Variable& variable)
        : reader_(reader), variable_(variable), budget_(budget), element_(size_of(variable.element)) {
        strides_.assign(extents.size() + 1, element_);
        for (std::size_t level = extents.size(); level > 0; --level)
            strides_[level - 1] = strides_[level] * extents[level - 1];
        unlimited_ = !extents.empty() && extents[0] == 0;
    }

    bool parse() { return reader_.accept(TokenKind::left_brace) ? list(0, 0) : scalar(0); }

private:
    /// A list after its '{'. `strides_[level]` are the bytes it may fill.
    bool list(std::size_t level, std::uint64_t start) {
        const std::uint64_t end = level == 0 && unlimited_ ? budget_ : start + strides_[level];
        std::uint64_t position = start;
        while (!reader_.at(TokenKind::right_brace)) {
            if (position >= end) return reader_.fail("more initial values than elements");
            if (!item(level, start, position)) return false;
            if (!reader_.accept(TokenKind::comma)) break;
        }
        return reader_.expect(TokenKind::right_brace, "',' or '}' in an initial value");
    }

    /// A value or a nested list at `position`, which is moved past it.
    bool item(std::size_t level, std::uint64_t start, std::uint64_t& position) {
        if (!reader_.accept(TokenKind::left_brace)) {
            const std::uint64_t here = position;
            position += element_;
            return scalar(here);
        }
        if (level + 1 >= strides_.size()) return reader_.fail("an initial value has more braces than dimensions");
        const std::uint64_t stride = strides_[level + 1];
        if (stride == 0) return reader_.fail("an initial value for an empty array");
        const std::uint64_t row = start + (position - start + stride - 1) / stride * stride;
        position = row + stride;
        return list(level + 1, row) && grow(position);
    }

    bool scalar(std::uint64_t position) {
        if (!grow(position + element_)) return false;
        if (reader_.at(TokenKind::identifier) && !reader_.at_word("WARP_SZ")) return reference(position);
        Constant value;
        if (!parse_constant(reader_, value)) return false;
        if (reader_.accept(TokenKind::left_parenthesis)) return masked_reference(position, value);
        return store(position, value);
    }

    bool grow(std::uint64_t bytes) {
        if (bytes > budget_) return reader_.fail("too large an initial value");
        if (variable_.initial.size() < bytes) variable_.initial.resize(bytes);
        return true;
    }

    bool store(std::uint64_t position, const Constant& value) {
        std::uint64_t bits = value.bits;
        if (variable_.element == Type::f64) {
            const double number = to_double(value);
            std::memcpy(&bits, &number, sizeof number);
        } else if (variable_.element == Type::f32 && value.type != Type::f32) {
            const auto number = static_cast<float>(to_double(value));
            std::uint32_t pattern = 0;
            std::memcpy(&pattern, &number, sizeof number);
            bits = pattern;
        } else if (is_float(value) && size_of(value.type) != element_) {
            return reader_.fail("a fraction cannot initialise a ." + std::string(name_of(variable_.element)));
        }
        for (std::uint32_t i = 0; i < element_ && i < 8; ++i)
            variable_.initial[position + i] = static_cast<std::uint8_t>(bits >> (8 * i));
        return true;
    }

    /// "symbol", "symbol + 8", "generic(symbol) + 8".
    bool reference(std::uint64_t position) {
        SymbolReference reference;
        reference.offset = position;
        reference.bytes = element_;
        if (!symbol(reference)) return false;
        variable_.references.push_back(std::move(reference));
        return true;
    }

    /// After "0xFF00(": "symbol)".
    bool masked_reference(std::uint64_t position, const Constant& mask) {
        SymbolReference reference;
        reference.offset = position;
        reference.bytes = element_;
        const std::uint64_t ones = element_ >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * element_)) - 1;
        while (reference.shift < 64 && (ones << reference.shift) != mask.bits) reference.shift += 8;
        if (reference.shift >= 64) return reader_.fail("the mask of an address does not fit the element's type");
        if (!symbol(reference) || !reader_.expect(TokenKind::right_parenthesis, "')' of a masked address"))
            return false;
        variable_.references.push_back(std::move(reference));
        return true;
    }

    bool symbol(SymbolReference& reference) {
        Token name;
        if (!reader_.expect_identifier("a symbol", name)) return false;
        reference.generic = name.text == "generic" && reader_.accept(TokenKind::left_parenthesis);
        if (reference.generic && (!reader_.expect_identifier("a symbol", name) || !addend(reference) ||
                                  !reader_.expect(TokenKind::right_parenthesis, "')' of generic(...)")))
            return false;
        reference.symbol = std::string(name.text);
        return addend(reference);
    }

    bool addend(SymbolReference& reference) {
        if (!reader_.at(TokenKind::plus) && !reader_.at(TokenKind::minus)) return true;
        std::int64_t value = 0;
        if (!parse_integer(reader_, value)) return false;
        reference.addend =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(reference.addend) + static_cast<std::uint64_t>(value));
        return true;
    }

    Reader& reader_;
    Variable& variable_;
    std::uint64_t budget_;
    std::uint32_t element_;
    std::vector<std::uint64_t> strides_;  ///< bytes of the variable, of an element of it, ..., of a scalar
    bool unlimited_ = false;              ///< the first dimension is unspecified
};

}  // namespace

bool parse_initial_value(Reader& reader, std::vector<std::uint64_t>& extents, std::uint64_t& budget,
                         Variable& variable) {
    const Token start = reader.token();
    if (variable.space != Space::global && variable.space != Space::constant)
        return reader.fail("only .global and .const variables have initial values");
    if (!InitialValueParser(reader, extents, budget, variable).parse()) return false;
    if (!extents.empty() && extents[0] == 0) {
        std::uint64_t row = size_of(variable.element);
        for (std::size_t i = 1; i < extents.size(); ++i) row *= extents[i];
        extents[0] = row == 0 ? 0 : (variable.initial.size() + row - 1) / row;
        variable.bytes = extents[0] * row;
    }
    if (variable.bytes > budget) return reader.fail_at(start, "too large an initial value");
    budget -= variable.bytes;
    variable.initial.resize(variable.bytes);
    return true;
}

}  // namespace lanes::emulator::ptx
