"""The directive `results-plot`: results over a parameter, or bars, as a picture with its numbers folded below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from docutils.parsers.rst import directives

from .columns import Column, Columns, files_of, rows_with_values
from .counters import MEASURES
from .directive import BookDirective, fold, raw_html, sources_line
from .errors import BookError
from .number_format import format_number
from .plot_svg import Naming, Panel, Plot, Series, draw
from .repeat import repeat_block
from .results_table import RowLabels, results_table

if TYPE_CHECKING:
    from .results import Results, Row

WIDTHS = {"wide": 680, "narrow": 350}
KINDS = ("line", "bar")


def default_columns(results: Results, program: str, y: str) -> list[Column]:
    """The series for a quantity: a measure by model and every device that counted, or a field of every device timed."""
    columns = Columns(results, program)
    if y in MEASURES:
        words = ["predicted", *results.devices(program, "counts")]
        return [columns.counts(y, word) for word in words]
    series = [columns.times(y, device) for device in results.devices(program, "times")]
    if not series:
        raise BookError(f"no device but the emulator has measured {program}: there are no times to plot")
    return series


def panels_of(columns: list[Column], rows: list[Row]) -> list[Panel]:
    """One pair of axes for each group of columns."""
    groups: dict[str, list[Series]] = {}
    for column in columns:
        values = [column.value(row) for row in rows]
        if any(isinstance(value, str) for value in values):
            raise BookError(f"'{column.head}' holds words: only numbers can be plotted")
        series = Series(column.head, [None if value is None else float(value) for value in values])
        groups.setdefault(column.group, []).append(series)
    return [Panel(group, series) for group, series in groups.items()]


def describe(plot: Plot) -> str:
    """The picture in words, from its data."""
    sentences = [_describe_series(plot, panel, series) for panel in plot.panels for series in panel.series]
    return " ".join(sentences)


def _describe_series(plot: Plot, panel: Panel, series: Series) -> str:
    points = [(x, y) for x, y in zip(plot.x, series.values, strict=True) if y is not None]
    if not points:
        return f"{panel.y_label}, {series.label}: no values."
    low, high = min(points, key=lambda point: point[1]), max(points, key=lambda point: point[1])
    place = f"at {plot.x_label} " if plot.kind == "line" else "for "
    return (
        f"{panel.y_label}, {series.label}: {len(points)} values, lowest {format_number(low[1])} {place}"
        f"{format_number(low[0])}, highest {format_number(high[1])} {place}{format_number(high[0])}."
    )


class ResultsPlot(BookDirective):
    """Argument: the program. Content: series of one's own, a line each."""

    required_arguments = 1
    has_content = True
    option_spec = {
        "rows": directives.unchanged_required,
        "row-names": directives.unchanged_required,
        "x": directives.unchanged,
        "x-scale": lambda value: directives.choice(value, ("linear", "log2")),
        "y": directives.unchanged,
        "kind": lambda value: directives.choice(value, KINDS),
        "alt": directives.unchanged_required,
        "caption": directives.unchanged,
        "name": directives.unchanged,
    }

    def make(self) -> list[nodes.Node]:
        program, results = self.arguments[0], self.book.results
        if not self.options.get("alt", "").strip():
            raise BookError("no :alt: option: say in a sentence what the picture shows")
        columns = self._columns(program)
        rows = rows_with_values(results.rows(program, self.options.get("rows", "*")), columns)
        labels = RowLabels(results, program, self.options.get("x", ""))
        if "row-names" in self.options:
            labels.say(self.options["row-names"], rows)
        self.depend_on(files_of(columns))
        plot = Plot(
            kind=self.options.get("kind", "line"),
            x_label=labels.head,
            x=self._x(program, rows, labels),
            panels=panels_of(columns, rows),
            logarithmic_x=self.options.get("x-scale") == "log2",
        )
        numbers = [results_table(labels, columns, rows), repeat_block(program, columns)]
        table = fold("The numbers of this picture", numbers, "fold picture-numbers")
        return [self._figure(plot), *table, sources_line(files_of(columns), self.env.docname)]

    def _columns(self, program: str) -> list[Column]:
        quantities = self.options.get("y", "").split()
        columns = [column for y in quantities for column in default_columns(self.book.results, program, y)]
        columns += [Columns(self.book.results, program).custom(line) for line in self.content if line.strip()]
        if not columns:
            raise BookError("nothing to plot: give :y: or lines of your own")
        return columns

    def _x(self, program: str, rows: list[Row], labels: RowLabels) -> list[float | str]:
        parameter = self.options.get("x", "").partition("|")[0].strip()
        if self.options.get("kind") == "bar":
            return [labels.text(row) for row in rows]
        if not parameter:
            raise BookError("no :x: option: name the parameter that runs along the axis")
        values = [self.book.results.parameter(program, row.name, parameter) for row in rows]
        if any(isinstance(value, str) for value in values):
            raise BookError(f"the parameter '{parameter}' is a word: use :kind: bar")
        return [float(value) for value in values]

    def _figure(self, plot: Plot) -> nodes.figure:
        name = f"plot-{self.env.new_serialno('results-plot')}"
        title = self.options.get("caption") or ", ".join(panel.y_label for panel in plot.panels)
        description = f"{self.options['alt']} {describe(plot)}"
        figure = nodes.figure(classes=["picture", "results-plot"])
        for size, width in WIDTHS.items():
            svg = draw(plot, width, Naming(f"{name}-{size}", title, description))
            figure += raw_html(f'<div class="picture-{size}">{svg}</div>')
        if "caption" in self.options:
            figure += nodes.caption("", "", *self.inline(self.options["caption"]))
        self.set_source_info(figure)
        self.add_name(figure)
        return figure
