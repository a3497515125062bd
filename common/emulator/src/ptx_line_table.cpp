#include "ptx_line_table.hpp"

#include "ptx_expression.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace lanes::emulator::ptx {

namespace {

/// A chain of inlined calls longer than this (a recursion unrolled, or hostile text) ends here.
constexpr std::uint32_t longest_chain = 256;

/// A plain number: numbers follow each other here, so that an expression would swallow "1 -2".
bool parse_number(Reader& reader, std::string_view wanted, std::uint32_t& value) {
    const Token token = reader.token();
    if (!reader.expect(TokenKind::number, wanted)) return false;
    Constant number;
    if (!read_number(token.text, number) || is_float(number) || number.bits > std::numeric_limits<std::uint32_t>::max())
        return reader.fail_at(token, "expected " + std::string(wanted));
    value = static_cast<std::uint32_t>(number.bits);
    return true;
}

bool parse_place(Reader& reader, Location& place) {
    return parse_number(reader, "a file number", place.file) && parse_number(reader, "a line", place.line) &&
           parse_number(reader, "a column", place.column);
}

/// "function_name label+4, inlined_at": the name itself is in a debug section and not needed.
bool skip_function_name(Reader& reader) {
    if (!reader.at_word("function_name")) return reader.fail_expected("function_name");
    reader.advance();
    if (!reader.at(TokenKind::identifier) && !reader.at(TokenKind::dotted))
        return reader.fail_expected("the label of a function's name");
    reader.advance();
    std::int64_t offset = 0;
    if (reader.accept(TokenKind::plus) && !parse_integer(reader, offset)) return false;
    if (!reader.expect(TokenKind::comma, "','")) return false;
    if (!reader.at_word("inlined_at")) return reader.fail_expected("inlined_at");
    reader.advance();
    return true;
}

}  // namespace

bool LineTable::parse_file(Reader& reader) {
    File file;
    if (!parse_number(reader, "a file number", file.number)) return false;
    file.name = std::string(reader.token().text);
    if (!reader.expect(TokenKind::string, "a file name in quotes")) return false;
    for (int i = 0; i < 2 && reader.accept(TokenKind::comma); ++i) {
        std::int64_t time_or_size = 0;
        if (!parse_integer(reader, time_or_size)) return false;
    }
    module_.files.push_back(std::move(file));
    return true;
}

bool LineTable::parse_location(Reader& reader) {
    Location location;
    if (!parse_place(reader, location)) return false;
    if (reader.accept(TokenKind::comma)) {
        Location caller;
        if (!skip_function_name(reader) || !parse_place(reader, caller)) return false;
        location.inlined_at = last_at(caller);
        const bool too_long = depths_[static_cast<std::size_t>(location.inlined_at)] >= longest_chain;
        if (too_long) location.inlined_at = -1;
    }
    if (location.line == 0) return true;  // "no line": what follows belongs to the line before
    current_ = intern(location);
    Location place = location;
    place.inlined_at = -1;
    last_[place] = {current_, function_};
    return true;
}

bool LineTable::skip_section(Reader& reader) {
    while (reader.at(TokenKind::dotted) || reader.at(TokenKind::identifier) || reader.at(TokenKind::comma))
        reader.advance();
    return reader.expect(TokenKind::left_brace, "'{' of a section") &&
           reader.skip_to_closing(TokenKind::left_brace, TokenKind::right_brace);
}

void LineTable::start_function() {
    current_ = -1;
    ++function_;
}

void LineTable::finish() {
    std::vector<File>& files = module_.files;
    std::stable_sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.number < b.number; });
    const auto same = [](const File& a, const File& b) { return a.number == b.number; };
    files.erase(std::unique(files.begin(), files.end(), same), files.end());
}

std::int32_t LineTable::last_at(const Location& place) {
    const auto found = last_.find(place);
    const bool is_known = found != last_.end() && found->second.function == function_;
    return is_known ? found->second.location : intern(place);
}

std::int32_t LineTable::intern(const Location& location) {
    const auto [found, is_new] = known_.try_emplace(location, static_cast<std::int32_t>(module_.locations.size()));
    if (is_new) {
        const bool outermost = location.inlined_at < 0;
        depths_.push_back(outermost ? 1 : depths_[static_cast<std::size_t>(location.inlined_at)] + 1);
        module_.locations.push_back(location);
    }
    return found->second;
}

std::size_t LineTable::Hash::operator()(const Location& location) const {
    std::uint64_t mixed = (std::uint64_t{location.line} << 32 | location.file) * 0x9e3779b97f4a7c15ull;
    mixed ^= mixed >> 29;
    mixed += std::uint64_t{location.column} << 32 | static_cast<std::uint32_t>(location.inlined_at);
    mixed *= 0xbf58476d1ce4e5b9ull;
    return static_cast<std::size_t>(mixed ^ mixed >> 32);
}

bool LineTable::Equal::operator()(const Location& a, const Location& b) const {
    return a.file == b.file && a.line == b.line && a.column == b.column && a.inlined_at == b.inlined_at;
}

}  // namespace lanes::emulator::ptx
