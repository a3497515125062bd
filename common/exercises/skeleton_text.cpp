#include "skeleton_text.hpp"

#include <cstddef>
#include <stdexcept>

namespace lanes::exercises {

namespace {

enum class Place { outside, solution, skeleton };

[[noreturn]] void fail(std::size_t line, const std::string& what) {
    throw std::runtime_error("line " + std::to_string(line) + ": " + what);
}

std::string_view without_indentation(std::string_view line) {
    const auto first = line.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view{} : line.substr(first);
}

// "    //|     x = 1;" stands for "    x = 1;": its own indentation begins after one space.
std::string skeleton_line(std::string_view line, std::size_t number) {
    std::string_view text = without_indentation(line);
    if (text.substr(0, 3) != "//|") fail(number, "a line of a skeleton begins with //|");
    text.remove_prefix(3);
    if (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    return std::string(text);
}

// Follows the markers from line to line.
class Reader {
public:
    explicit Reader(Version version) : version_(version) {}

    void read(std::string_view line) {
        ++number_;
        if (move(without_indentation(line))) return;
        if (place_ == Place::outside || (place_ == Place::solution && version_ == Version::solution))
            text_ += std::string(line) + '\n';
        if (place_ != Place::skeleton) return;
        const std::string kept = skeleton_line(line, number_);
        if (version_ == Version::skeleton) text_ += kept + '\n';
    }

    std::string finish() const {
        if (place_ != Place::outside) fail(number_, "// [/solution] is missing");
        return text_;
    }

private:
    // Whether the line is a marker.
    bool move(std::string_view line) {
        if (line == "// [solution]") return go(Place::outside, Place::solution, line);
        if (line == "// [skeleton]") return go(Place::solution, Place::skeleton, line);
        if (line == "// [/solution]") return go(Place::skeleton, Place::outside, line);
        return false;
    }

    bool go(Place from, Place to, std::string_view line) {
        if (place_ != from) fail(number_, "there is no place for " + std::string(line) + " here");
        place_ = to;
        return true;
    }

    Version version_;
    Place place_ = Place::outside;
    std::size_t number_ = 0;
    std::string text_;
};

}  // namespace

std::string version_of(std::string_view source, Version version) {
    Reader reader(version);
    while (!source.empty()) {
        const auto end = source.find('\n');
        reader.read(source.substr(0, end));
        source = end == std::string_view::npos ? std::string_view{} : source.substr(end + 1);
    }
    return reader.finish();
}

}  // namespace lanes::exercises
