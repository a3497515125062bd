/// @file
/// @brief Cuts PTX text into tokens. A token is a view into the text: nothing is copied.
#pragma once

#include <cstdint>
#include <string_view>

namespace lanes::emulator::ptx {

/// What a token is. Punctuation that can stand alone has a kind of its own.
enum class TokenKind : std::uint8_t {
    end,         ///< end of the text
    identifier,  ///< add, %r1, $L__BB0_2, _
    dotted,      ///< a directive or modifier; its text has no leading dot and keeps '::'
    number,      ///< 12, 0x1f, 0f3F800000, 1.5e3, 7U
    string,      ///< its text has no quotes
    left_brace,
    right_brace,
    left_parenthesis,
    right_parenthesis,
    left_bracket,
    right_bracket,
    comma,
    semicolon,
    colon,
    question,
    at,
    equal,
    plus,
    minus,
    star,
    slash,
    percent,
    bar,
    bar_bar,
    ampersand,
    ampersand_ampersand,
    caret,
    tilde,
    exclamation,
    exclamation_equal,
    equal_equal,
    less,
    less_equal,
    less_less,
    greater,
    greater_equal,
    greater_greater,
    invalid  ///< a character PTX does not use, an unfinished string or comment
};

/// One token.
struct Token {
    TokenKind kind = TokenKind::end;
    bool glued = false;      ///< nothing between it and the token before
    std::uint32_t line = 1;  ///< 1-based
    std::string_view text;
};

/// The tokens of a text, one after the other. Copies are cheap: a copy looks ahead.
class Lexer {
public:
    /// @param text  must outlive the lexer and every token
    explicit Lexer(std::string_view text) : text_(text) {}

    /// The next token; `end` for ever after the last one.
    Token next();

private:
    /// Skips spaces, comments and `@@DWARF` lines; false if a comment does not end.
    bool skip_blank();
    bool skip_block_comment();
    void skip_line();
    Token identifier();
    Token dotted();
    Token number();
    Token string();
    Token punctuation();
    Token take(TokenKind kind, std::size_t length);
    char at(std::size_t offset) const { return position_ + offset < text_.size() ? text_[position_ + offset] : '\0'; }

    std::string_view text_;
    std::size_t position_ = 0;
    std::uint32_t line_ = 1;
    bool after_value_ = false;  ///< the last token ended an expression, so '%' divides
};

}  // namespace lanes::emulator::ptx
