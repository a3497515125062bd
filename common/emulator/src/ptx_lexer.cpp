#include "ptx_lexer.hpp"

#include <array>

namespace lanes::emulator::ptx {

namespace {

enum CharacterClass : std::uint8_t { other = 0, letter = 1, digit = 2, blank = 4 };

/// Classes of the 128 ASCII characters; '_' and '$' count as letters.
constexpr std::array<std::uint8_t, 256> classes = [] {
    std::array<std::uint8_t, 256> table{};
    for (int c = 'a'; c <= 'z'; ++c) table[c] = table[c - 'a' + 'A'] = letter;
    for (int c = '0'; c <= '9'; ++c) table[c] = digit;
    table['_'] = table['$'] = letter;
    table[' '] = table['\t'] = table['\r'] = table['\f'] = table['\v'] = blank;
    return table;
}();

/// Kinds of punctuation of one character.
constexpr std::array<TokenKind, 256> single_characters = [] {
    std::array<TokenKind, 256> table{};
    table.fill(TokenKind::invalid);
    constexpr std::string_view characters = "{}()[],;:?@=+-*/%|&^~!<>";
    constexpr std::array kinds{TokenKind::left_brace,
                               TokenKind::right_brace,
                               TokenKind::left_parenthesis,
                               TokenKind::right_parenthesis,
                               TokenKind::left_bracket,
                               TokenKind::right_bracket,
                               TokenKind::comma,
                               TokenKind::semicolon,
                               TokenKind::colon,
                               TokenKind::question,
                               TokenKind::at,
                               TokenKind::equal,
                               TokenKind::plus,
                               TokenKind::minus,
                               TokenKind::star,
                               TokenKind::slash,
                               TokenKind::percent,
                               TokenKind::bar,
                               TokenKind::ampersand,
                               TokenKind::caret,
                               TokenKind::tilde,
                               TokenKind::exclamation,
                               TokenKind::less,
                               TokenKind::greater};
    static_assert(characters.size() == kinds.size());
    for (std::size_t i = 0; i < kinds.size(); ++i) table[static_cast<unsigned char>(characters[i])] = kinds[i];
    return table;
}();

/// Punctuation of two characters.
struct Pair {
    char first;
    char second;
    TokenKind kind;
};
constexpr std::array<Pair, 8> pairs{{{'|', '|', TokenKind::bar_bar},
                                     {'&', '&', TokenKind::ampersand_ampersand},
                                     {'!', '=', TokenKind::exclamation_equal},
                                     {'=', '=', TokenKind::equal_equal},
                                     {'<', '<', TokenKind::less_less},
                                     {'<', '=', TokenKind::less_equal},
                                     {'>', '>', TokenKind::greater_greater},
                                     {'>', '=', TokenKind::greater_equal}}};

bool is(char c, std::uint8_t wanted) {
    return (classes[static_cast<unsigned char>(c)] & wanted) != 0;
}
bool is_word(char c) {
    return is(c, letter | digit);
}

}  // namespace

Token Lexer::next() {
    const std::size_t before = position_;
    if (!skip_blank()) return take(TokenKind::invalid, text_.size() - position_);
    const bool glued = before == position_ && position_ > 0;
    if (position_ == text_.size()) return take(TokenKind::end, 0);
    const char c = text_[position_];
    const bool starts_name = is(c, letter) || (c == '%' && (is(at(1), letter) || (is(at(1), digit) && !after_value_)));
    Token token;
    if (starts_name)
        token = identifier();
    else if (c == '.' && is_word(at(1)) && (glued || !is(at(1), digit)))
        token = dotted();
    else if (is(c, digit) || (c == '.' && is(at(1), digit)))
        token = number();
    else if (c == '"')
        token = string();
    else
        token = punctuation();
    token.glued = glued;
    after_value_ = token.kind == TokenKind::number || token.kind == TokenKind::right_parenthesis;
    return token;
}

bool Lexer::skip_blank() {
    while (position_ < text_.size()) {
        const char c = text_[position_];
        if (c == '\n') {
            ++line_;
            ++position_;
        } else if (is(c, blank)) {
            ++position_;
        } else if ((c == '/' || c == '@') && at(1) == c) {
            skip_line();
        } else if (c == '/' && at(1) == '*') {
            if (!skip_block_comment()) return false;
        } else {
            break;
        }
    }
    return true;
}

void Lexer::skip_line() {
    const std::size_t end = text_.find('\n', position_);
    position_ = end == std::string_view::npos ? text_.size() : end;
}

bool Lexer::skip_block_comment() {
    const std::size_t end = text_.find("*/", position_ + 2);
    if (end == std::string_view::npos) return false;
    for (; position_ < end; ++position_) line_ += text_[position_] == '\n' ? 1 : 0;
    position_ = end + 2;
    return true;
}

Token Lexer::take(TokenKind kind, std::size_t length) {
    Token token;
    token.kind = kind;
    token.line = line_;
    token.text = text_.substr(position_, length);
    position_ += length;
    return token;
}

Token Lexer::identifier() {
    std::size_t length = 1;
    while (is_word(at(length))) ++length;
    return take(TokenKind::identifier, length);
}

Token Lexer::dotted() {
    ++position_;
    std::size_t length = 1;
    while (true) {
        if (is_word(at(length)))
            ++length;
        else if (at(length) == ':' && at(length + 1) == ':' && is_word(at(length + 2)))
            length += 3;
        else
            break;
    }
    return take(TokenKind::dotted, length);
}

Token Lexer::number() {
    std::size_t length = 0;
    while (is_word(at(length))) ++length;
    if (at(length) == '.') {
        ++length;
        while (is_word(at(length))) ++length;
    }
    const char last = length > 0 ? at(length - 1) : '\0';
    const bool hexadecimal = at(0) == '0' && is(at(1), letter) && at(1) != 'e' && at(1) != 'E';
    if ((last == 'e' || last == 'E') && !hexadecimal && (at(length) == '+' || at(length) == '-')) {
        ++length;
        while (is(at(length), digit)) ++length;
    }
    return take(TokenKind::number, length);
}

Token Lexer::string() {
    std::size_t length = 1;
    while (at(length) != '"') {
        if (at(length) == '\\') ++length;
        if (position_ + length >= text_.size() || at(length) == '\n') return take(TokenKind::invalid, 1);
        ++length;
    }
    ++position_;
    const Token token = take(TokenKind::string, length - 1);
    ++position_;
    return token;
}

Token Lexer::punctuation() {
    for (const Pair& pair : pairs)
        if (at(0) == pair.first && at(1) == pair.second) return take(pair.kind, 2);
    const auto c = static_cast<unsigned char>(text_[position_]);
    return take(single_characters[c], 1);
}

}  // namespace lanes::emulator::ptx
