/// @file
/// @brief lanes-draw-march: a step of the tiled matrix product, as SVG, drawn from the model.
///
/// B stands above C and A to its left, so that an element of C lies where a row of A and a column of B meet. Colours
/// are CSS variables, so that a page decides them for light and for dark.
#include "svg_words.hpp"

#include <CLI/CLI.hpp>
#include <lanes/model/tile_march.hpp>

#include <iostream>
#include <sstream>
#include <string>

namespace {

namespace model = lanes::model;

constexpr double cell = 20;
constexpr double left = 10;
constexpr double top = 50;
constexpr double gap = 30;

/// What to draw.
struct Picture {
    model::MatmulSizes sizes{.m = 8, .n = 8, .k = 8, .tile = 4};
    unsigned step = 1;  ///< of all blocks, from 1
    std::string title;
};

/// A matrix in the picture.
struct Matrix {
    const char* name;
    double x, y;
    unsigned rows, columns;
};

/// Draws one picture.
class Drawing {
public:
    explicit Drawing(Picture picture)
        : picture_(std::move(picture)),
          now_(model::march_step(sizes(), picture_.step - 1)),
          a_{"A", left, top + sizes().k * cell + gap, sizes().m, sizes().k},
          b_{"B", left + sizes().k * cell + gap, top, sizes().k, sizes().n},
          c_{"C", b_.x, a_.y, sizes().m, sizes().n} {}

    std::string svg() {
        const double height = a_.y + sizes().m * cell + 40;
        out_ << R"(<svg xmlns="http://www.w3.org/2000/svg" class="lanes-drawing" viewBox="0 0 660 )" << height
             << R"(" role="img" font-family="inherit" font-size="12"><title>)" << escaped(picture_.title)
             << "</title><desc>" << step_words() << ' ' << sum_words() << "</desc>\n";
        text(left, 20, escaped(picture_.title));
        for (const Matrix& matrix : {a_, b_, c_}) draw_cells(matrix);
        draw_tile(a_, now_.block_row, now_.along, "var(--lanes-used, #4c8dd6)");
        draw_tile(b_, now_.along, now_.block_column, "var(--lanes-used, #4c8dd6)");
        draw_tile(c_, now_.block_row, now_.block_column, "none");
        text(left, height - 10, step_words() + ' ' + sum_words());
        out_ << "</svg>\n";
        return out_.str();
    }

private:
    const model::MatmulSizes& sizes() const { return picture_.sizes; }

    std::string step_words() const {
        std::ostringstream words;
        words << "Step " << picture_.step << " of " << sizes().steps() << ": block (" << now_.block_row << ", "
              << now_.block_column << ") loads " << model::march_step_cost(sizes(), now_).loads << " elements.";
        return words.str();
    }

    std::string sum_words() const {
        const model::MarchCost sum = model::march_cost(sizes(), picture_.step);
        std::ostringstream words;
        words << "So far " << sum.loads << " elements, where the naive product loads " << sum.naive_loads() << ".";
        return words.str();
    }

    void text(double x, double y, const std::string& words) {
        out_ << "<text x=\"" << x << "\" y=\"" << y << "\" fill=\"var(--lanes-ink, currentColor)\">" << words
             << "</text>\n";
    }

    void box(double x, double y, double width, double height, const char* fill, double stroke) {
        out_ << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << width << "\" height=\"" << height
             << "\" fill=\"" << fill << "\" stroke=\"var(--lanes-ink, currentColor)\" stroke-width=\"" << stroke
             << "\"/>\n";
    }

    void draw_cells(const Matrix& matrix) {
        const double width = matrix.columns * cell, height = matrix.rows * cell;
        text(matrix.x, matrix.y - 7, matrix.name);
        box(matrix.x, matrix.y, width, height, "var(--lanes-lane, none)", 0.8);
        out_ << "<path d=\"";
        for (unsigned column = 1; column < matrix.columns; ++column)
            out_ << 'M' << matrix.x + column * cell << ' ' << matrix.y << 'v' << height;
        for (unsigned row = 1; row < matrix.rows; ++row)
            out_ << 'M' << matrix.x << ' ' << matrix.y + row * cell << 'h' << width;
        out_ << "\" stroke=\"var(--lanes-wire, currentColor)\" stroke-width=\"0.5\"/>\n";
    }

    /// The part of a tile that lies in the matrix.
    void draw_tile(const Matrix& matrix, unsigned row, unsigned column, const char* fill) {
        const double side = sizes().tile * cell;
        box(matrix.x + column * side, matrix.y + row * side, sizes().covered(matrix.columns, column) * cell,
            sizes().covered(matrix.rows, row) * cell, fill, 2);
    }

    Picture picture_;
    model::MarchStep now_;
    Matrix a_, b_, c_;
    std::ostringstream out_;
};

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Draws a step of the tiled matrix product, as SVG on the standard output."};
    Picture picture;
    app.add_option("--title", picture.title, "Heading of the picture")->required();
    const CLI::Range side(1, 14);
    app.add_option("--m", picture.sizes.m, "Rows of A and C")->check(side);
    app.add_option("--n", picture.sizes.n, "Columns of B and C")->check(side);
    app.add_option("--k", picture.sizes.k, "Columns of A, rows of B")->check(side);
    app.add_option("--tile", picture.sizes.tile, "Width of a tile and of a block")->check(side);
    app.add_option("--step", picture.step, "Which step of all blocks, from 1")->check(CLI::PositiveNumber);
    CLI11_PARSE(app, argc, argv);
    if (picture.step > picture.sizes.steps()) {
        std::cerr << "lanes-draw-march: --step " << picture.step << " was asked for, but there are "
                  << picture.sizes.steps() << " steps\n";
        return 2;
    }
    std::cout << Drawing(picture).svg();
    return 0;
}
