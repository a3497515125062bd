/// @file
/// @brief lanes-draw-banks: pattern in, map of banks out: one warp's access to shared memory, drawn from the model.
///
/// Banks are buckets: each holds the different words that the lanes want of it, in the order in which they are served.
/// As SVG for a page, with colours that are CSS variables, or as text for a terminal.
#include "svg_words.hpp"

#include <CLI/CLI.hpp>
#include <lanes/model/banks.hpp>
#include <lanes/model/tile_access.hpp>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace model = lanes::model;

/// Which element each lane accesses: one of a tile, or simply element l * stride.
struct Pattern {
    std::string title;
    std::string format = "svg";
    std::uint64_t stride = 1;
    bool in_a_tile = false;  ///< the tile counts, and not the stride
    model::TileAccess tile;
    bool store = false;
    unsigned bytes = 4;
    unsigned banks = model::bank_count;
    unsigned columns = model::bank_count;  ///< banks side by side in the picture

    std::uint64_t element_of(unsigned lane) const { return in_a_tile ? tile.element_of(lane) : lane * stride; }
};

/// An element in a bucket, and the lanes that want it.
struct Box {
    unsigned bank;
    unsigned banks;      ///< neighbouring banks that it fills
    unsigned wavefront;  ///< that serves it
    std::uint64_t element;
    std::vector<unsigned> lanes;
};

/// All of a picture but its looks.
struct BankPicture {
    std::vector<Box> boxes;
    unsigned wavefronts = 0;
    unsigned ideal = 0;
};

/// Where the model puts each lane: a warp and 32 banks, or a small machine of 8 banks and 8 lanes, for words of 4
/// bytes.
model::BankMap map_of(const Pattern& pattern) {
    if (pattern.banks == model::bank_count) {
        const auto operation = pattern.store ? model::SharedOperation::store : model::SharedOperation::load;
        const auto addresses =
            model::lane_addresses([&](unsigned lane) { return pattern.element_of(lane) * pattern.bytes; });
        return model::bank_map(operation, addresses, pattern.bytes);
    }
    std::vector<std::uint64_t> words;
    for (unsigned lane = 0; lane < pattern.banks; ++lane) words.push_back(pattern.element_of(lane));
    return model::small_bank_map(words, pattern.banks);
}

BankPicture picture_of(const Pattern& pattern) {
    const model::BankMap map = map_of(pattern);
    BankPicture picture{{}, map.cost.wavefronts, map.cost.ideal_wavefronts};
    std::map<std::pair<std::uint64_t, unsigned>, std::size_t> box_of;  // by element and phase
    for (unsigned lane = 0; lane < std::min(pattern.banks, model::warp_size); ++lane) {
        const model::BankPlacement& place = map.lanes[lane];
        const std::uint64_t element = pattern.element_of(lane);
        const auto [entry, is_new] = box_of.try_emplace({element, place.phase}, picture.boxes.size());
        if (is_new) picture.boxes.push_back({place.bank, place.banks, place.wavefront, element, {}});
        picture.boxes[entry->second].lanes.push_back(lane);
    }
    return picture;
}

/// "3" or "0-31", or "0,4,8,..": lanes in few letters.
std::string lanes_text(const std::vector<unsigned>& lanes) {
    if (lanes.size() == 1) return std::to_string(lanes[0]);
    const bool in_a_row = lanes.back() - lanes.front() + 1 == lanes.size();
    return std::to_string(lanes.front()) + (in_a_row ? "-" : "..") + std::to_string(lanes.back());
}

std::string summary(const BankPicture& picture) {
    const unsigned conflicts = picture.wavefronts - picture.ideal;
    std::ostringstream line;
    line << picture.wavefronts << (picture.wavefronts == 1 ? " wavefront, " : " wavefronts, ") << picture.ideal
         << " at best: " << conflicts << (conflicts == 1 ? " conflict" : " conflicts");
    return line.str();
}

/// The map for a terminal: a line for each bank that is used.
std::string text_of(const Pattern& pattern, const BankPicture& picture) {
    std::ostringstream out;
    out << pattern.title << (pattern.title.empty() ? "" : "\n");
    for (unsigned bank = 0; bank < pattern.banks; ++bank) {
        std::ostringstream line;
        for (const Box& box : picture.boxes)
            if (box.bank == bank) line << "  element " << box.element << " (lane " << lanes_text(box.lanes) << ")";
        if (!line.str().empty()) out << "bank " << bank << ":" << line.str() << "\n";
    }
    out << summary(picture) << "\n";
    return out.str();
}

/// Where things are in the picture: rows of `columns` banks, one below the other, as tall as the fullest bank.
class Layout {
public:
    Layout(const Pattern& pattern, const BankPicture& picture)
        : columns_(std::min(pattern.columns, pattern.banks)),
          rows_((pattern.banks + columns_ - 1) / columns_),
          box_width_(pattern.banks == model::bank_count ? 20 : 44),
          bucket_height_(box_height * picture.wavefronts),
          title_(lines_of(pattern.title, static_cast<std::size_t>(width() / letter_width))) {}

    static constexpr double box_height = 17;
    static constexpr double margin = 10;

    double width() const { return margin * 2 + box_width_ * columns_; }
    double height() const { return bottom_of_row(rows_ - 1) + 44; }
    double box_width() const { return box_width_; }
    double bucket_height() const { return bucket_height_; }
    double x_of(unsigned bank) const { return margin + (bank % columns_) * box_width_; }
    /// The floor of a bucket.
    double bottom_of(unsigned bank) const { return bottom_of_row(bank / columns_); }
    const std::vector<std::string>& title() const { return title_; }

private:
    static constexpr double letter_width = 6.2;
    static constexpr double line_height = 15;
    static constexpr double under_a_row = 22;  ///< for the numbers of the banks

    double bottom_of_row(unsigned row) const {
        const double top = 19 + line_height * static_cast<double>(title_.size());
        return top + bucket_height_ + row * (bucket_height_ + under_a_row);
    }

    /// Words in lines of at most so many letters.
    static std::vector<std::string> lines_of(const std::string& words, std::size_t letters) {
        std::vector<std::string> lines(1);
        std::istringstream stream(words);
        for (std::string word; stream >> word;) {
            if (!lines.back().empty() && lines.back().size() + 1 + word.size() > letters) lines.emplace_back();
            lines.back() += (lines.back().empty() ? "" : " ") + word;
        }
        return lines;
    }

    unsigned columns_;
    unsigned rows_;
    double box_width_;
    double bucket_height_;
    std::vector<std::string> title_;
};

/// Draws buckets that fill from below.
std::string svg_of(const Pattern& pattern, const BankPicture& picture) {
    const Layout layout(pattern, picture);
    std::ostringstream out;
    const auto text = [&](double x, double y, const char* anchor, double size, const std::string& words) {
        out << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << "\" font-size=\"" << size
            << "\" fill=\"var(--lanes-ink, currentColor)\">" << words << "</text>\n";
    };
    const auto box = [&](double x, double y, double width, double height) {
        out << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << width << "\" height=\"" << height
            << "\" fill=\"var(--lanes-lane, none)\" stroke=\"var(--lanes-ink, currentColor)\" stroke-width=\"0.8\"/>\n";
    };
    out << R"(<svg xmlns="http://www.w3.org/2000/svg" class="lanes-drawing" viewBox="0 0 )" << layout.width() << ' '
        << layout.height() << R"(" role="img" font-family="inherit"><title>)" << escaped(pattern.title)
        << "</title><desc>" << pattern.banks << " banks, each with the words that lanes want of it. "
        << summary(picture) << ".</desc>\n";
    double baseline = 20;
    for (const std::string& line : layout.title()) {
        text(Layout::margin, baseline, "start", 12, escaped(line));
        baseline += 15;
    }
    for (unsigned bank = 0; bank < pattern.banks; ++bank) {
        const double x = layout.x_of(bank), bottom = layout.bottom_of(bank), top = bottom - layout.bucket_height();
        out << "<path d=\"M" << x << ' ' << top << 'V' << bottom << 'h' << layout.box_width() << 'V' << top
            << "\" fill=\"none\" stroke=\"var(--lanes-wire, currentColor)\" stroke-width=\"1\"/>\n";
        text(x + layout.box_width() / 2, bottom + 13, "middle", 9.5, std::to_string(bank));
    }
    for (const Box& element : picture.boxes) {
        const double x = layout.x_of(element.bank), width = element.banks * layout.box_width();
        const double y = layout.bottom_of(element.bank) - (element.wavefront + 1) * Layout::box_height;
        box(x + 1, y + 1, width - 2, Layout::box_height - 2);
        const std::string label = lanes_text(element.lanes);
        text(x + width / 2, y + Layout::box_height - 5, "middle", label.size() > 3 && width < 40 ? 6.5 : 9.5, label);
    }
    text(Layout::margin, layout.height() - 10, "start", 12, summary(picture));
    out << "</svg>\n";
    return out.str();
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Shows which banks one warp's access to shared memory uses, and how many wavefronts it needs."};
    Pattern pattern;
    app.add_option("--title", pattern.title, "Heading of the picture");
    app.add_option("--format", pattern.format, "svg or text")->check(CLI::IsMember({"svg", "text"}));
    app.add_option("--stride", pattern.stride, "Elements between neighbouring lanes")->check(CLI::Range(0, 1 << 16));
    const CLI::Option* const pitch =
        app.add_option("--pitch", pattern.tile.pitch, "Lanes stand in a tile with so many elements from row to row")
            ->check(CLI::Range(1, 1 << 16));
    app.add_option("--tile", pattern.tile.width, "Width and height of that tile")->check(CLI::IsMember({8, 16, 32}));
    app.add_flag("--down", pattern.tile.down, "Lanes go down the columns of the tile, not along its rows");
    app.add_flag("--swizzle", pattern.tile.swizzled, "The tile's columns are permuted: column XOR row");
    app.add_flag("--store", pattern.store, "A store, not a load: it matters for elements wider than 4 bytes");
    app.add_option("--width", pattern.bytes, "Bytes of an element")->check(CLI::IsMember({4, 8, 16}));
    app.add_option("--banks", pattern.banks, "32, or 8 with 8 lanes: a picture, not a machine")
        ->check(CLI::IsMember({8, 32}));
    app.add_option("--columns", pattern.columns, "Banks side by side in the picture: 16 for a narrow page")
        ->check(CLI::IsMember({8, 16, 32}));
    CLI11_PARSE(app, argc, argv);
    pattern.in_a_tile = !pitch->empty();
    const bool few = pattern.banks != model::bank_count;
    if (few && pattern.bytes != model::bank_bytes) {
        std::cerr << "lanes-draw-banks: 8 banks are drawn for elements of 4 bytes only; leave --width out\n";
        return 2;
    }
    const BankPicture picture = picture_of(pattern);
    std::cout << (pattern.format == "text" ? text_of(pattern, picture) : svg_of(pattern, picture));
    return 0;
}
