/// @file
/// @brief The parser's view of the text: the current token, and the first error.
#pragma once

#include "ptx_lexer.hpp"

#include <lanes/emulator/result.hpp>

#include <string>
#include <string_view>

namespace lanes::emulator::ptx {

/// Reads tokens. After the first failure every token is `end`, so that all loops of the parser come to their end.
class Reader {
public:
    explicit Reader(std::string_view text);

    const Token& token() const { return token_; }
    /// The token after the current one.
    Token ahead() const;
    void advance();

    bool at(TokenKind kind) const { return token_.kind == kind; }
    /// True if the current token is the identifier `word`.
    bool at_word(std::string_view word) const { return at(TokenKind::identifier) && token_.text == word; }
    /// True if the current token is `.name`.
    bool at_directive(std::string_view name) const { return at(TokenKind::dotted) && token_.text == name; }

    /// Goes past the current token if it is of this kind.
    bool accept(TokenKind kind);
    /// Goes past the current token if it is `.name`.
    bool accept_directive(std::string_view name);
    /// Goes past a token of this kind, or fails with "expected `wanted`, found ...".
    bool expect(TokenKind kind, std::string_view wanted);
    /// Takes an identifier, or fails.
    bool expect_identifier(std::string_view wanted, Token& identifier);

    /// Goes past everything up to the brace or parenthesis that closes the one just passed.
    bool skip_to_closing(TokenKind open, TokenKind close);

    /// Records an error at the current token, or at `where`. Always false, to be returned.
    bool fail(std::string_view message);
    bool fail_at(const Token& where, std::string_view message);
    /// Fails with "expected `wanted`, found ...".
    bool fail_expected(std::string_view wanted);

    bool failed() const { return !error_.message.empty(); }
    const Error& error() const { return error_; }

private:
    std::string quote(std::string_view position) const;

    std::string_view text_;
    Lexer lexer_;
    Token token_;
    Error error_;
};

}  // namespace lanes::emulator::ptx
