/// @file
/// @brief lanes-draw-sectors: a picture of one warp's access to global memory, as SVG, drawn from the model.
///
/// 32 lanes above, the sectors they touch below, a line from each lane to its bytes. Colours are CSS variables, so that
/// a page decides them for light and for dark.
#include "svg_words.hpp"

#include <CLI/CLI.hpp>
#include <lanes/model/sectors.hpp>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace model = lanes::model;

/// What to draw: lane l reads `bytes` bytes of element (l * multiplier mod 32) * stride + offset.
struct Picture {
    std::uint64_t offset = 0;
    std::uint64_t stride = 1;
    std::uint64_t multiplier = 1;
    unsigned bytes = 4;
    std::string title;
};

constexpr double left = 10;
constexpr double lane_width = 20;
constexpr double row_width = lane_width * model::warp_size;
constexpr double lane_bottom = 52;
constexpr double sector_top = 118;
constexpr double sector_height = 24;

model::LaneAddresses addresses_of(const Picture& picture) {
    return model::lane_addresses([&](unsigned lane) {
        const std::uint64_t element = lane * picture.multiplier % model::warp_size * picture.stride + picture.offset;
        return element * picture.bytes;
    });
}

/// The numbers of the sectors that are touched, ascending.
std::vector<std::uint64_t> touched_sectors(const model::LaneAddresses& addresses, unsigned bytes) {
    std::vector<std::uint64_t> sectors;
    for (const std::uint64_t address : addresses)
        for (std::uint64_t sector = address / model::sector_bytes;
             sector <= (address + bytes - 1) / model::sector_bytes; ++sector)
            sectors.push_back(sector);
    std::sort(sectors.begin(), sectors.end());
    sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
    return sectors;
}

/// Draws one picture.
class Drawing {
public:
    explicit Drawing(Picture picture)
        : picture_(std::move(picture)),
          addresses_(addresses_of(picture_)),
          sectors_(touched_sectors(addresses_, picture_.bytes)),
          cost_(model::global_access_cost(addresses_, picture_.bytes)) {}

    std::string svg() {
        open();
        for (unsigned lane = 0; lane < model::warp_size; ++lane) draw_lane(lane);
        draw_sectors();
        text(left, 170, "start", summary());
        out_ << "</svg>\n";
        return out_.str();
    }

private:
    std::string summary() const {
        std::ostringstream line;
        const unsigned moved = cost_.sectors * model::sector_bytes;
        line << cost_.sectors << (cost_.sectors == 1 ? " sector, " : " sectors, ") << moved << " bytes moved, "
             << model::warp_size * picture_.bytes << " bytes used";
        return line.str();
    }

    void open() {
        out_ << R"(<svg xmlns="http://www.w3.org/2000/svg" class="lanes-drawing" viewBox="0 0 660 182" role="img" )"
             << R"(font-family="inherit" font-size="12"><title>)" << escaped(picture_.title) << "</title><desc>"
             << "32 lanes of a warp, each with a line to the bytes it reads. " << summary() << ".</desc>\n";
        text(left, 20, "start", escaped(picture_.title));
    }

    void text(double x, double y, const char* anchor, const std::string& words) {
        out_ << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor
             << "\" fill=\"var(--lanes-ink, currentColor)\">" << words << "</text>\n";
    }

    void box(double x, double y, double width, double height, const char* fill, double stroke = 0.8) {
        out_ << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << width << "\" height=\"" << height
             << "\" fill=\"" << fill << "\" stroke=\"var(--lanes-ink, currentColor)\" stroke-width=\"" << stroke
             << "\"/>\n";
    }

    double sector_width() const {
        return std::min(row_width / static_cast<double>(std::max<std::size_t>(sectors_.size(), 1)), 128.0);
    }

    /// Where a byte is drawn: the sectors that are not touched are left out.
    double position_of(std::uint64_t address) const {
        const auto sector = std::lower_bound(sectors_.begin(), sectors_.end(), address / model::sector_bytes);
        const auto place = static_cast<double>(sector - sectors_.begin());
        const auto inside = static_cast<double>(address % model::sector_bytes) / model::sector_bytes;
        return left + (place + inside) * sector_width();
    }

    void draw_sectors() {
        for (std::size_t i = 0; i < sectors_.size(); ++i) {
            const double x = left + static_cast<double>(i) * sector_width();
            box(x, sector_top, sector_width(), sector_height, "none", 2);
            if (sectors_.size() <= 16)
                text(x + sector_width() / 2, sector_top + sector_height + 13, "middle",
                     std::to_string(sectors_[i] * model::sector_bytes));
        }
    }

    void draw_lane(unsigned lane) {
        const double x = left + lane * lane_width;
        const double per_byte = sector_width() / model::sector_bytes;
        const double target = position_of(addresses_[lane]);
        box(x + 1, lane_bottom - 18, lane_width - 2, 18, "var(--lanes-lane, none)");
        text(x + lane_width / 2, lane_bottom - 5, "middle", std::to_string(lane));
        box(target, sector_top, per_byte * picture_.bytes, sector_height, "var(--lanes-used, #4c8dd6)");
        out_ << "<line x1=\"" << x + lane_width / 2 << "\" y1=\"" << lane_bottom << "\" x2=\""
             << target + per_byte * picture_.bytes / 2 << "\" y2=\"" << sector_top
             << "\" stroke=\"var(--lanes-wire, currentColor)\" stroke-width=\"0.8\"/>\n";
    }

    Picture picture_;
    model::LaneAddresses addresses_;
    std::vector<std::uint64_t> sectors_;
    model::GlobalAccessCost cost_;
    std::ostringstream out_;
};

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Draws which sectors one warp's access touches, as SVG on the standard output."};
    Picture picture;
    app.add_option("--title", picture.title, "Heading of the picture")->required();
    app.add_option("--offset", picture.offset, "Elements by which the start is shifted")->check(CLI::Range(0, 1 << 20));
    app.add_option("--stride", picture.stride, "Elements between neighbouring lanes")->check(CLI::Range(0, 1 << 20));
    app.add_option("--multiplier", picture.multiplier, "Lane l reads element l * multiplier mod 32")
        ->check(CLI::Range(0, 31));
    app.add_option("--bytes", picture.bytes, "Bytes of an element")->check(CLI::IsMember({1, 2, 4, 8, 16}));
    CLI11_PARSE(app, argc, argv);
    std::cout << Drawing(picture).svg();
    return 0;
}
