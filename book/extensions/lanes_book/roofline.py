"""The directive `roofline`: measurements below what the machine reaches at most, both from results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docutils import nodes
from docutils.parsers.rst import directives

from .columns import Column, Columns, files_of
from .directive import BookDirective, fold, raw_html, sources_line
from .errors import BookError
from .number_format import format_number
from .plot_svg import Naming
from .repeat import repeat_block
from .results_plot import WIDTHS
from .results_table import RowLabels, results_table
from .roofline_svg import Point, Roof, RooflinePlot, draw_roofline

if TYPE_CHECKING:
    from .results import Row

REQUIRED = ("x", "y", "slope", "peak", "alt")


@dataclass(frozen=True)
class Axis:
    """What is drawn in one direction."""

    column: Column
    values: list[float]


class Roofline(BookDirective):
    """Argument: the program. `x`, `y`, `slope` and `peak` are columns: HEAD | EXPRESSION | FORMAT."""

    required_arguments = 1
    option_spec = {
        "rows": directives.unchanged_required,
        "row-names": directives.unchanged_required,
        "x": directives.unchanged,
        "y": directives.unchanged,
        "slope": directives.unchanged,
        "peak": directives.unchanged,
        "alt": directives.unchanged,
        "caption": directives.unchanged,
        "name": directives.unchanged,
    }

    def make(self) -> list[nodes.Node]:
        program, results = self.arguments[0], self.book.results
        for option in REQUIRED:
            if not self.options.get(option, "").strip():
                raise BookError(f"no :{option}: option; there must be {', '.join(REQUIRED)} and rows")
        rows = results.rows(program, self.options.get("rows", "*"))
        x, y = self._axis("x", rows), self._axis("y", rows)
        slope, peak = self._axis("slope", rows[:1]), self._axis("peak", rows[:1])
        files = files_of([axis.column for axis in (x, y, slope, peak)])
        self.depend_on(files)
        labels = RowLabels(results, program, "")
        if "row-names" in self.options:
            labels.say(self.options["row-names"], rows)
        names = [labels.text(row) for row in rows]
        plot = RooflinePlot(
            x_label=x.column.head,
            y_label=y.column.head,
            roof=Roof(slope.values[0], peak.values[0], slope.column.head, peak.column.head),
            points=[Point(*pair) for pair in zip(x.values, y.values, strict=True)],
        )
        columns = [x.column, y.column, slope.column, peak.column]
        numbers = [results_table(labels, columns[:2], rows), repeat_block(program, columns)]
        table = fold("The numbers of this picture", numbers, "fold picture-numbers")
        figure = self._figure(plot, names)
        figure["numbers"] = numbers_of(plot, names, slope.column.files[0].device_name)
        return [figure, *table, sources_line(files, self.env.docname)]

    def _axis(self, option: str, rows: list[Row]) -> Axis:
        column = Columns(self.book.results, self.arguments[0]).custom(self.options[option])
        values = []
        for row in rows:
            value = column.value(row)
            if isinstance(value, str) or value is None or not value > 0:
                raise BookError(f":{option}: is {value} for {row.name}: only numbers above 0 can be drawn")
            values.append(float(value))
        return Axis(column, values)

    def _figure(self, plot: RooflinePlot, names: list[str]) -> nodes.figure:
        name = f"roofline-{self.env.new_serialno('roofline')}"
        title = self.options.get("caption") or plot.y_label
        figure = nodes.figure(classes=["picture", "roofline"])
        for size, width in WIDTHS.items():
            svg = draw_roofline(plot, width, Naming(f"{name}-{size}", title, self._describe(plot, names)))
            figure += raw_html(f'<div class="picture-{size}">{svg}</div>')
        caption = nodes.caption("", "", *self.inline(self.options.get("caption", "")))
        caption += nodes.Text(" \u2014 " if "caption" in self.options else "")
        for number, name in enumerate(names, start=1):
            caption += nodes.Text(f"{number}:\u00a0")
            caption += nodes.Text(name) if "row-names" in self.options else nodes.literal("", name)
            caption += nodes.Text(", " if number < len(names) else "")
        figure += caption
        self.set_source_info(figure)
        self.add_name(figure)
        return figure

    def _describe(self, plot: RooflinePlot, names: list[str]) -> str:
        roof = plot.roof
        sentences = [
            self.options["alt"],
            f"The roof rises up to {format_number(roof.peak)}, which it reaches at {format_number(roof.ridge)}.",
        ]
        for name, point in zip(names, plot.points, strict=True):
            share = format_number(point.y / roof.at(point.x), ".0%")
            sentences.append(
                f"{name}: {format_number(point.y)} at {format_number(point.x)}, {share} of the roof there."
            )
        return " ".join(sentences)


def numbers_of(plot: RooflinePlot, names: list[str], device: str) -> dict[str, object]:
    """What a live figure around the picture draws it from."""
    points = [{"name": name, "x": point.x, "y": point.y} for name, point in zip(names, plot.points, strict=True)]
    return {"device": device, "slope": plot.roof.slope, "peak": plot.roof.peak, "points": points}
