/// @file
/// @brief lanes-draw-issue: the instructions that one warp issues for a branch or a loop, as SVG, drawn from the model.
///
/// A row an instruction, a column a lane, filled where the lane is active. Colours are CSS variables, so that a page
/// decides them for light and for dark.
#include <CLI/CLI.hpp>
#include <lanes/model/divergence.hpp>

#include <array>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace model = lanes::model;

/// What to draw: an if and else, or a loop if there are turns.
struct Request {
    std::string title;
    unsigned taken = 16;  ///< lanes that take the first arm
    unsigned then_instructions = 4;
    unsigned else_instructions = 4;
    unsigned turns = 0;  ///< of the slowest lane of a loop with one instruction a turn
};

/// Consecutive instructions with the same lanes.
struct Part {
    std::string name;
    model::LaneMask lanes;
    unsigned instructions;
};

/// A warp's way through the code, and what it costs by the model.
struct Course {
    std::vector<Part> parts;
    model::IssueCount cost;
};

Course course_of_branch(const Request& request) {
    const auto taken = static_cast<model::LaneMask>((std::uint64_t{1} << request.taken) - 1);
    Course course{{},
                  model::branch_cost(model::all_lanes, taken, request.then_instructions, request.else_instructions)};
    for (const Part& part : {Part{"one arm", taken, request.then_instructions},
                             Part{"the other arm", model::all_lanes & ~taken, request.else_instructions}})
        if (part.lanes != 0) course.parts.push_back(part);
    return course;
}

/// The lanes' numbers of turns grow evenly from 1 to those of the slowest.
Course course_of_loop(const Request& request) {
    std::array<std::uint32_t, model::warp_size> trips{};
    for (unsigned lane = 0; lane < model::warp_size; ++lane) trips[lane] = 1 + lane * request.turns / model::warp_size;
    Course course{{}, model::loop_cost(trips, 1)};
    model::replay_loop(trips, 1, model::all_lanes, [&](const model::IssuedInstruction& issued) {
        course.parts.push_back({"turn " + std::to_string(issued.part + 1), issued.lanes, 1});
    });
    return course;
}

std::string summary_of(const model::IssueCount& cost) {
    std::ostringstream text;
    text << cost.issues << " instructions, " << std::fixed << std::setprecision(1) << 100 * cost.lane_efficiency()
         << " % of the lanes' places used";
    return text.str();
}

constexpr double left = 110;
constexpr double top = 30;
constexpr double lane_width = 17;
constexpr double row_height = 13;

void write_text(std::ostream& out, double x, double y, const char* anchor, const std::string& words) {
    out << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor
        << "\" fill=\"var(--lanes-ink, currentColor)\">" << words << "</text>\n";
}

void write_row(std::ostream& out, model::LaneMask lanes, double y) {
    for (unsigned lane = 0; lane < model::warp_size; ++lane) {
        const bool active = model::is_active(lanes, lane);
        out << "<rect x=\"" << left + lane * lane_width + 1 << "\" y=\"" << y + 1 << "\" width=\"" << lane_width - 2
            << "\" height=\"" << row_height - 2 << "\" fill=\"" << (active ? "var(--lanes-used, #4c8dd6)" : "none")
            << "\" stroke=\"var(--lanes-wire, currentColor)\" stroke-width=\"" << (active ? 0.8 : 0.3) << "\"/>\n";
    }
}

void write_svg(std::ostream& out, const std::string& title, const Course& course) {
    const std::string summary = summary_of(course.cost);
    const double height = top + static_cast<double>(course.cost.issues) * row_height + 30;
    out << R"(<svg xmlns="http://www.w3.org/2000/svg" class="lanes-drawing" viewBox="0 0 660 )" << height
        << R"(" role="img" font-family="inherit" font-size="12"><title>)" << title << "</title><desc>"
        << "A row for each instruction that a warp issues, a column for each of its 32 lanes, filled where the lane is "
        << "active.";
    for (const Part& part : course.parts)
        out << ' ' << part.name << ": rows " << part.instructions << ", active lanes " << model::lane_count(part.lanes)
            << '.';
    out << ' ' << summary << ".</desc>\n";
    write_text(out, left, 18, "start", title);
    double y = top;
    for (const Part& part : course.parts) {
        write_text(out, left - 8, y + row_height * (part.instructions + 1) / 2 - 3, "end", part.name);
        for (unsigned i = 0; i < part.instructions; ++i, y += row_height) write_row(out, part.lanes, y);
    }
    write_text(out, left, y + 18, "start", summary);
    out << "</svg>\n";
}

}  // namespace

/// Exit status: 0, or 1 for a wrong command line.
int main(int argc, char** argv) {
    CLI::App app{"Draws the instructions that a warp issues for a branch or a loop, as SVG on the standard output."};
    Request request;
    app.add_option("--title", request.title, "Heading of the picture")->required()->check([](const std::string& text) {
        return text.find_first_of("<>&") == std::string::npos ? "" : "a title without <, > and &";
    });
    app.add_option("--taken", request.taken, "Lanes that take the first arm")->check(CLI::Range(0U, model::warp_size));
    app.add_option("--then", request.then_instructions, "Instructions of the first arm")->check(CLI::Range(1, 32));
    app.add_option("--else", request.else_instructions, "Instructions of the second arm")->check(CLI::Range(1, 32));
    app.add_option("--turns", request.turns, "A loop in place of a branch: turns of the slowest lane")
        ->check(CLI::Range(1, 32));
    CLI11_PARSE(app, argc, argv);
    write_svg(std::cout, request.title, request.turns > 0 ? course_of_loop(request) : course_of_branch(request));
    return 0;
}
