/// @file
/// @brief lanes-draw-occupancy: what a multiprocessor has and what each resident block takes of it, as SVG, drawn from
/// the model.
///
/// Four bars, one for each limit; the blocks that fit lie in them side by side. The bar in which no further block has
/// room is the limit that binds.
#include "svg_words.hpp"

#include <CLI/CLI.hpp>
#include <lanes/model/occupancy.hpp>
#include <lanes/table.hpp>

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

namespace {

namespace model = lanes::model;

/// What to draw.
struct Picture {
    std::string title;
    model::MultiprocessorLimits limits;
    model::BlockResources block;
};

/// One bar: how much there is, and how much of it a block takes.
struct Budget {
    model::OccupancyLimit limit;
    std::string name;
    std::string unit;
    std::uint64_t available;
    std::uint64_t taken_by_a_block;
};

constexpr double left = 10;
constexpr double width = 640;
constexpr double first_bar = 62;
constexpr double bar_distance = 50;
constexpr double bar_height = 20;
constexpr double narrowest_number = 18;

/// Draws one picture.
class Drawing {
public:
    explicit Drawing(Picture picture)
        : picture_(std::move(picture)), occupancy_(model::occupancy(picture_.limits, picture_.block)) {}

    std::string svg() {
        open();
        double y = first_bar;
        for (const Budget& budget :
             {Budget{model::OccupancyLimit::blocks, "Places for blocks", "", picture_.limits.blocks, 1},
              Budget{model::OccupancyLimit::warps, "Places for warps", "", picture_.limits.warps,
                     model::warp_count(picture_.block.threads)},
              Budget{model::OccupancyLimit::registers, "Registers", "", picture_.limits.registers,
                     occupancy_.registers_per_block},
              Budget{model::OccupancyLimit::shared_memory, "Shared memory", " bytes", occupancy_.carve_out_bytes,
                     occupancy_.shared_bytes_per_block}}) {
            draw(budget, y);
            y += bar_distance;
        }
        out_ << "</svg>\n";
        return out_.str();
    }

private:
    std::string summary() const {
        char share[16];
        std::snprintf(share, sizeof share, "%.1f %%", 100.0 * occupancy_.fraction());
        return std::to_string(occupancy_.blocks) + (occupancy_.blocks == 1 ? " block, " : " blocks, ") +
               std::to_string(occupancy_.warps) + " of " + std::to_string(occupancy_.max_warps) + " warps: " + share;
    }

    /// What a bar shows, in words.
    std::string words_of(const Budget& budget) const {
        const bool full = occupancy_.binds(budget.limit);
        return budget.name + ": " + lanes::grouped(budget.taken_by_a_block * occupancy_.blocks) + " of " +
               lanes::grouped(budget.available) + budget.unit + (full ? ", no room for another block" : "");
    }

    void open() {
        const double height = first_bar + 4 * bar_distance - 12;
        out_ << R"(<svg xmlns="http://www.w3.org/2000/svg" class="lanes-drawing" viewBox="0 0 660 )" << height
             << R"(" role="img" font-family="inherit" font-size="12"><title>)" << escaped(picture_.title)
             << "</title><desc>A bar for each thing that a multiprocessor hands out, with the resident blocks in it. "
             << summary() << ".</desc>\n";
        words(left, 20, "start", escaped(picture_.title) + ". " + summary());
    }

    void words(double x, double y, const char* anchor, const std::string& text) {
        out_ << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor
             << "\" fill=\"var(--lanes-ink, currentColor)\">" << text << "</text>\n";
    }

    void bar(double x, double y, double bar_width, const char* fill, double stroke) {
        out_ << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << bar_width << "\" height=\"" << bar_height
             << "\" fill=\"" << fill << "\" stroke=\"var(--lanes-ink, currentColor)\" stroke-width=\"" << stroke
             << "\"/>\n";
    }

    void draw(const Budget& budget, double y) {
        words(left, y - 6, "start", words_of(budget));
        bar(left, y, width, "none", occupancy_.binds(budget.limit) ? 2.5 : 0.8);
        if (budget.available == 0) return;
        const double block_width =
            width * static_cast<double>(budget.taken_by_a_block) / static_cast<double>(budget.available);
        for (std::uint32_t block = 0; block < occupancy_.blocks; ++block) {
            const double x = left + block * block_width;
            bar(x, y, block_width, "var(--lanes-used, #4c8dd6)", 0.8);
            if (block_width >= narrowest_number)
                words(x + block_width / 2, y + 14, "middle", std::to_string(block + 1));
        }
    }

    Picture picture_;
    model::Occupancy occupancy_;
    std::ostringstream out_;
};

/// "8.9" as a capability; nothing if it is no such number.
std::optional<model::ComputeCapability> capability_of(const std::string& text) {
    unsigned major_version = 0, minor_version = 0;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%3u.%3u%c", &major_version, &minor_version, &rest) != 2) return std::nullopt;
    return model::ComputeCapability{major_version, minor_version};
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Draws how many blocks of a kernel a multiprocessor holds, and why, as SVG on the standard output."};
    Picture picture;
    std::string capability_text;
    std::uint32_t shared_bytes = 0;
    app.add_option("--title", picture.title, "Heading of the picture")->required();
    app.add_option("--capability", capability_text, "Compute capability, such as 8.9")->required();
    app.add_option("--threads", picture.block.threads, "Threads of a block")->check(CLI::Range(1, 1024))->required();
    app.add_option("--registers", picture.block.registers_per_thread, "Registers of a thread")
        ->check(CLI::Range(1, 255))
        ->required();
    app.add_option("--shared", shared_bytes, "Bytes of shared memory of a block, opted in to")
        ->check(CLI::Range(0, 1 << 20));
    CLI11_PARSE(app, argc, argv);
    const auto capability = capability_of(capability_text);
    const auto limits = capability ? model::multiprocessor_limits(*capability) : std::nullopt;
    if (!limits) {
        std::cerr << "lanes-draw-occupancy: " << capability_text
                  << " is no compute capability that the model knows; 8.9 is one\n";
        return 2;
    }
    picture.limits = *limits;
    picture.block.dynamic_shared_bytes = shared_bytes;
    picture.block.max_dynamic_shared_bytes = limits->shared_bytes_per_block;
    std::cout << Drawing(picture).svg();
    return 0;
}
