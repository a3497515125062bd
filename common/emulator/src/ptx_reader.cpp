#include "ptx_reader.hpp"

namespace lanes::emulator::ptx {

namespace {

constexpr std::size_t longest_quote = 100;

/// A piece of the text for a message: cut if long, one space for each blank, '?' for what no terminal should see.
std::string printable(std::string_view text) {
    std::string result;
    for (const char c : text.substr(0, longest_quote)) {
        if (c == '\t' || c == '\r')
            result += ' ';
        else
            result += c >= ' ' && c <= '~' ? c : '?';
    }
    if (text.size() > longest_quote) result += "...";
    return result;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string describe(const Token& token) {
    if (token.kind == TokenKind::end) return "the end of the text";
    if (token.kind == TokenKind::dotted) return "\"." + printable(token.text) + '"';
    return '"' + printable(token.text) + '"';
}

std::string_view describe_invalid(const Token& token) {
    if (token.text.substr(0, 2) == "/*") return "a comment that does not end";
    if (token.text.substr(0, 1) == "\"") return "a string that does not end";
    return "a character that PTX does not use";
}

}  // namespace

Reader::Reader(std::string_view text) : text_(text), lexer_(text) {
    advance();
}

Token Reader::ahead() const {
    Lexer copy = lexer_;
    return copy.next();
}

void Reader::advance() {
    if (failed()) return;
    token_ = lexer_.next();
    if (token_.kind == TokenKind::invalid) fail(describe_invalid(token_));
}

bool Reader::accept(TokenKind kind) {
    if (!at(kind)) return false;
    advance();
    return true;
}

bool Reader::accept_directive(std::string_view name) {
    if (!at_directive(name)) return false;
    advance();
    return true;
}

bool Reader::expect(TokenKind kind, std::string_view wanted) {
    return accept(kind) || fail_expected(wanted);
}

bool Reader::expect_identifier(std::string_view wanted, Token& identifier) {
    identifier = token_;
    return expect(TokenKind::identifier, wanted);
}

bool Reader::skip_to_closing(TokenKind open, TokenKind close) {
    const Token start = token_;
    for (std::size_t depth = 1; depth > 0; advance()) {
        if (at(TokenKind::end)) return fail_at(start, "what starts here does not end");
        if (at(open)) ++depth;
        if (at(close)) --depth;
    }
    return true;
}

bool Reader::fail(std::string_view message) {
    return fail_at(token_, message);
}

bool Reader::fail_at(const Token& where, std::string_view message) {
    if (failed()) return false;
    error_.message = "PTX line " + std::to_string(where.line) + ": " + std::string(message) + quote(where.text);
    token_ = Token{};
    return false;
}

bool Reader::fail_expected(std::string_view wanted) {
    return fail("expected " + std::string(wanted) + ", found " + describe(token_));
}

std::string Reader::quote(std::string_view position) const {
    const auto offset = static_cast<std::size_t>(position.data() - text_.data());
    const std::size_t newline = offset == 0 ? std::string_view::npos : text_.rfind('\n', offset - 1);
    const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
    const std::string_view line = trimmed(text_.substr(start, text_.find('\n', offset) - start));
    return line.empty() ? std::string() : ", in: " + printable(line);
}

}  // namespace lanes::emulator::ptx
