/// @file
/// @brief What a kernel printed, up to an amount that a page can show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanes::web {

/// Collects text, and says how much of it was left out.
class PrintedText {
public:
    /// Most bytes that are kept; a loop that prints would else fill the memory.
    static constexpr std::size_t most_bytes = std::size_t{64} << 10;

    /// Appends text.
    void add(std::string_view text) {
        const std::string_view kept = text.substr(0, most_bytes - text_.size());
        text_ += kept;
        left_out_ += text.size() - kept.size();
    }

    /// All of it, or its beginning and a last line about the rest.
    std::string text() const {
        if (left_out_ == 0) return text_;
        return text_ + "\n(" + std::to_string(left_out_) + " more bytes were printed.)\n";
    }

private:
    std::string text_;
    std::size_t left_out_ = 0;
};

}  // namespace lanes::web
