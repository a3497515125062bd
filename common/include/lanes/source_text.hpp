/// @file
/// @brief Named pieces of a source file, and a hash of code that comments and spacing do not change.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanes {

/// A source whose snippet markers do not match; `what()` names file and line.
class SourceError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A piece of source between the lines `// [name]` and `// [/name]`.
struct Snippet {
    std::string name;            ///< unique in its file
    std::size_t first_line = 0;  ///< number of its first line in the file, counted from 1
    std::string text;            ///< its lines without markers, without the indentation they share
    std::string hash;            ///< see text_hash()
};

namespace detail {

inline bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}
inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
inline bool is_identifier(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

/// @brief Cuts C++ (and CUDA) source into preprocessing tokens. Comments and spaces only separate.
///
/// It need not understand the language: the same code must give the same tokens, and different code different ones.
class Tokenizer {
public:
    explicit Tokenizer(std::string_view source) : source_(source) {}

    /// The next token; empty at the end. The end of a preprocessor directive is a token of its own, a line feed.
    std::string_view next() {
        if (skip_blanks()) return "\n";
        const std::size_t begin = at_;
        if (at_ == source_.size()) return {};
        if (begins_number())
            skip_number();
        else if (is_identifier(source_[at_]))
            skip_identifier_or_raw_string();
        else if (source_[at_] == '"' || source_[at_] == '\'')
            skip_quoted(source_[at_]);
        else
            skip_operator();
        const auto token = source_.substr(begin, at_ - begin);
        if (token == "#" && line_is_blank_before(begin)) in_directive_ = true;
        return token;
    }

private:
    bool follows(std::string_view text) const { return source_.substr(at_, text.size()) == text; }

    /// Skips spaces, comments and continued line ends; true if that ended a directive.
    bool skip_blanks() {
        while (at_ < source_.size()) {
            if (follows("//")) {
                skip_line_comment();
            } else if (follows("/*")) {
                const auto end = source_.find("*/", at_ + 2);
                at_ = end == std::string_view::npos ? source_.size() : end + 2;
            } else if (follows("\\\n")) {
                at_ += 2;
            } else if (follows("\\\r\n")) {
                at_ += 3;
            } else if (source_[at_] == '\n' && in_directive_) {
                ++at_;
                in_directive_ = false;
                return true;
            } else if (is_space(source_[at_])) {
                ++at_;
            } else {
                return false;
            }
        }
        return false;
    }

    /// To the end of the line, which a backslash before it carries on into the next.
    void skip_line_comment() {
        while (at_ < source_.size() && source_[at_] != '\n') at_ += follows("\\\n") ? 2 : 1;
    }

    bool begins_number() const {
        return is_digit(source_[at_]) ||
               (source_[at_] == '.' && at_ + 1 < source_.size() && is_digit(source_[at_ + 1]));
    }

    /// A preprocessing number: digits, letters, points, digit separators, and signs after an exponent's letter.
    void skip_number() {
        while (++at_ < source_.size()) {
            const char before = source_[at_ - 1];
            const bool exponent = before == 'e' || before == 'E' || before == 'p' || before == 'P';
            const bool sign = exponent && (source_[at_] == '+' || source_[at_] == '-');
            const bool separator = source_[at_] == '\'' && at_ + 1 < source_.size() && is_identifier(source_[at_ + 1]);
            if (!is_identifier(source_[at_]) && source_[at_] != '.' && !sign && !separator) return;
        }
    }

    void skip_identifier_or_raw_string() {
        const std::size_t begin = at_;
        while (at_ < source_.size() && is_identifier(source_[at_])) ++at_;
        const auto word = source_.substr(begin, at_ - begin);
        const bool raw = word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
        if (!raw || !follows("\"")) return;
        const auto open = source_.find('(', at_);
        if (open == std::string_view::npos) return;
        const auto close = ")" + std::string(source_.substr(at_ + 1, open - at_ - 1)) + "\"";
        const auto end = source_.find(close, open);
        at_ = end == std::string_view::npos ? source_.size() : end + close.size();
    }

    void skip_quoted(char quote) {
        for (++at_; at_ < source_.size() && source_[at_] != quote && source_[at_] != '\n'; ++at_) {
            if (source_[at_] == '\\') ++at_;
        }
        if (at_ < source_.size() && source_[at_] == quote) ++at_;
        at_ = std::min(at_, source_.size());
    }

    /// The longest operator that fits, so that `a = -b` and `a=-b` are the same and `a + +b` and `a ++b` are not.
    void skip_operator() {
        static constexpr std::array<std::string_view, 28> operators{
            "<<<", ">>>", "<<=", ">>=", "<=>", "->*", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&",
            "||",  "++",  "--",  "+=",  "-=",  "*=",  "/=",  "%=", "&=", "|=", "^=", "->", "::", "##"};
        for (const auto candidate : operators) {
            if (!follows(candidate)) continue;
            at_ += candidate.size();
            return;
        }
        ++at_;
    }

    bool line_is_blank_before(std::size_t position) const {
        while (position > 0 && source_[position - 1] != '\n') {
            if (!is_space(source_[--position])) return false;
        }
        return true;
    }

    std::string_view source_;
    std::size_t at_ = 0;
    bool in_directive_ = false;
};

/// The name in `// [name]` or `// [/name]`; `closing` tells which.
struct Marker {
    std::string name;
    bool closing = false;
};

/// The marker that a line consists of, if it is one.
inline std::optional<Marker> marker_in(std::string_view line) {
    while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
    while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
    if (line.substr(0, 4) != "// [" || line.back() != ']') return std::nullopt;
    line = line.substr(4, line.size() - 5);
    const bool closing = !line.empty() && line.front() == '/';
    if (closing) line.remove_prefix(1);
    if (line.empty()) return std::nullopt;
    for (const char c : line) {
        if (!is_identifier(c) && c != '-') return std::nullopt;
    }
    return Marker{std::string(line), closing};
}

/// Lines without their line ends.
inline std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        auto line = text.substr(0, end);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        lines.push_back(line);
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    return lines;
}

/// The lines as one text, without the indentation that all that are not blank share.
inline std::string without_indentation(const std::vector<std::string_view>& lines) {
    std::size_t shared = std::string_view::npos;
    for (const auto line : lines) {
        if (const auto first = line.find_first_not_of(" \t"); first < shared) shared = first;
    }
    std::string text;
    for (const auto line : lines) {
        text += line.size() > shared ? line.substr(shared) : std::string_view{};
        text += '\n';
    }
    return text;
}

}  // namespace detail

/// @brief A hash of code: the 64-bit FNV-1a of its tokens, so comments, spacing and line breaks do not change it.
/// @param source C++ or CUDA; strings and character literals count as they are written
/// @return 16 hexadecimal digits
inline std::string text_hash(std::string_view source) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    const auto add = [&hash](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3U; };
    detail::Tokenizer tokens(source);
    for (auto token = tokens.next(); !token.empty(); token = tokens.next()) {
        for (const char c : token) add(static_cast<unsigned char>(c));
        add(0);
    }
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
    return text.data();
}

namespace detail {

/// Follows the markers of one file and collects the lines between them.
class SnippetReader {
public:
    explicit SnippetReader(std::string_view file_name) : file_name_(file_name) {}

    void read_line(std::string_view line) {
        ++line_number_;
        const auto marker = marker_in(line);
        if (!marker) {
            for (auto& open : open_) open.lines.push_back(line);
        } else if (marker->closing) {
            close(marker->name);
        } else {
            begin(marker->name);
        }
    }

    std::vector<Snippet> finish() {
        if (!open_.empty()) fail("// [" + open_.back().name + "] is never closed");
        return std::move(snippets_);
    }

private:
    struct Open {
        std::string name;
        std::size_t index;
        std::vector<std::string_view> lines;
    };

    [[noreturn]] void fail(const std::string& what) const {
        throw SourceError(file_name_ + ":" + std::to_string(line_number_) + ": " + what);
    }

    void begin(const std::string& name) {
        for (const auto& snippet : snippets_) {
            if (snippet.name == name) fail("there already is a snippet [" + name + "]");
        }
        open_.push_back({name, snippets_.size(), {}});
        snippets_.push_back({name, line_number_ + 1, "", ""});
    }

    void close(const std::string& name) {
        if (open_.empty()) fail("// [/" + name + "] closes a snippet that is not open");
        if (open_.back().name != name) {
            fail("// [/" + name + "] where // [/" + open_.back().name + "] is due: snippets nest, they do not overlap");
        }
        auto& snippet = snippets_[open_.back().index];
        snippet.text = without_indentation(open_.back().lines);
        if (Tokenizer(snippet.text).next().empty()) fail("snippet [" + name + "] has no code");
        snippet.hash = text_hash(snippet.text);
        open_.pop_back();
    }

    std::string file_name_;
    std::size_t line_number_ = 0;
    std::vector<Open> open_;
    std::vector<Snippet> snippets_;
};

}  // namespace detail

/// @brief Finds the snippets of a source file.
///
/// A marker is a line `// [name]` or `// [/name]` with nothing but spaces around it. Snippets may nest; the markers
/// inside one do not belong to its text.
/// @param source    the file's text
/// @param file_name for messages
/// @return the snippets in the order in which they begin
/// @throws SourceError for a marker without its partner, snippets that overlap, one name used twice, and a snippet
///         without code
inline std::vector<Snippet> snippets_in(std::string_view source, std::string_view file_name) {
    detail::SnippetReader reader(file_name);
    for (const auto line : detail::lines_of(source)) reader.read_line(line);
    return reader.finish();
}

}  // namespace lanes
