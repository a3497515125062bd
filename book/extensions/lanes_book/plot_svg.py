"""Plots as SVG that belongs to the page: text stays text, colours are the page's, and none says anything alone."""

from __future__ import annotations

import io
from dataclasses import dataclass

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter, NullLocator

from .number_format import format_number
from .svg_for_page import page_element

# Stand-ins: matplotlib draws with these, and each becomes a colour of the page.
INK, MUTED = "#010101", "#020202"
SERIES = ["#010203", "#010204", "#010205", "#010206", "#010207", "#010208"]
COLOURS = {INK: "var(--plot-ink)", MUTED: "var(--plot-muted)"} | {
    stand_in: f"var(--plot-series-{index})" for index, stand_in in enumerate(SERIES, start=1)
}
MARKERS = ["o", "s", "^", "D", "v", "P"]
DASHES = ["-", "--", ":", "-.", (0, (5, 1)), (0, (1, 1))]
HATCHES = ["", "///", "...", "\\\\\\", "xxx", "ooo"]

UNITS_PER_INCH = 72
BAR_HEIGHT = 22
HEIGHT_OF_X_AXIS = 45
TITLE_SIZE = 12
GAP_BESIDE_TITLE = 8
SETTINGS = {
    "svg.fonttype": "none",
    "font.size": 12,
    "text.color": INK,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 11,
    "ytick.labelsize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.color": MUTED,
    "grid.alpha": 0.35,
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 11,
}


@dataclass(frozen=True)
class Series:
    """A line or a set of bars. A value of None leaves a gap."""

    label: str
    values: list[float | None]


@dataclass(frozen=True)
class Panel:
    """One pair of axes. Panels stand one below the other over the same x."""

    y_label: str
    series: list[Series]


@dataclass(frozen=True)
class Plot:
    """What to draw. `x` holds numbers for lines, or words for bars."""

    kind: str
    x_label: str
    x: list[float | str]
    panels: list[Panel]
    logarithmic_x: bool = False


@dataclass(frozen=True)
class Naming:
    """`name` makes the ids of the picture unique in its page; title and description are read aloud."""

    name: str
    title: str
    description: str


def draw(plot: Plot, width: int, naming: Naming) -> str:
    """The SVG element, `width` units wide."""
    with mpl.rc_context({**SETTINGS, "svg.hashsalt": naming.name}):
        output = io.StringIO()
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        _figure(plot, width).savefig(output, format="svg", transparent=True, metadata=nothing)
    return page_element(output.getvalue(), naming.name, naming.title, naming.description, COLOURS)


def _figure(plot: Plot, width: int) -> Figure:
    height = _panel_height(plot, width) * len(plot.panels) + HEIGHT_OF_X_AXIS
    figure = Figure(figsize=(width / UNITS_PER_INCH, height / UNITS_PER_INCH), layout="constrained")
    all_axes = figure.subplots(len(plot.panels), 1, sharex=plot.kind != "bar", squeeze=False)[:, 0]
    for axes, panel in zip(all_axes, plot.panels, strict=True):
        if plot.kind == "bar":
            _draw_bars(axes, plot, panel)
        else:
            _draw_lines(axes, plot, panel)
        _add_legend(axes, panel, width)
        _keep_legend_off_title(figure, axes)
    if plot.kind != "bar":
        _label_x(all_axes[-1], plot)
    return figure


def _panel_height(plot: Plot, width: int) -> float:
    if plot.kind == "bar":
        most_series = max(len(panel.series) for panel in plot.panels)
        return BAR_HEIGHT * (len(plot.x) * most_series + 1)
    return max(150, width * (0.36 if len(plot.panels) == 1 else 0.26))


def _draw_lines(axes: Axes, plot: Plot, panel: Panel) -> None:
    last = len(panel.series) - 1
    for index, series in enumerate(panel.series):
        points = [(x, y) for x, y in zip(plot.x, series.values, strict=True) if y is not None]
        look = index % len(SERIES)
        # Series that agree lie on top of each other: later ones are smaller, and all but the last are hollow.
        axes.plot(
            [x for x, _ in points],
            [y for _, y in points],
            label=series.label,
            color=SERIES[look],
            linestyle=DASHES[look],
            linewidth=1.6,
            marker=MARKERS[look],
            markersize=4 + 2.5 * (last - index),
            markerfacecolor=SERIES[look] if index == last else "none",
        )
    highest = max(value for series in panel.series for value in series.values if value is not None)
    axes.set_ylim(0, highest * 1.12 or 1)
    axes.set_title(panel.y_label, loc="left", fontsize=TITLE_SIZE)
    axes.yaxis.set_major_formatter(FuncFormatter(_tick))


def _draw_bars(axes: Axes, plot: Plot, panel: Panel) -> None:
    thickness = 0.8 / len(panel.series)
    for index, series in enumerate(panel.series):
        look = index % len(SERIES)
        shift = (index - (len(panel.series) - 1) / 2) * thickness
        bars = axes.barh(
            [place + shift for place in range(len(plot.x))],
            [value or 0 for value in series.values],
            label=series.label,
            height=thickness * 0.9,
            facecolor=SERIES[look],
            edgecolor=INK,
            linewidth=0.6,
            hatch=HATCHES[look],
        )
        texts = ["" if value is None else format_number(value) for value in series.values]
        axes.bar_label(bars, texts, padding=4, fontsize=11)
    axes.set_yticks(range(len(plot.x)), [str(x) for x in plot.x])
    axes.invert_yaxis()
    axes.margins(x=0.16)
    axes.grid(visible=False)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(panel.y_label)
    axes.xaxis.set_major_formatter(FuncFormatter(_tick))


def _add_legend(axes: Axes, panel: Panel, width: int) -> None:
    if len(panel.series) > 1:
        columns = len(panel.series) if width > 500 else 2
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=columns, borderpad=0.2)


def _keep_legend_off_title(figure: Figure, axes: Axes) -> None:
    """Both stand above the axes, at either end. Where they would meet, the title goes above the legend."""
    title, legend = axes.get_title(loc="left"), axes.get_legend()
    if not title or legend is None:
        return
    figure.draw_without_rendering()
    box = legend.get_window_extent()
    [drawn] = [text for text in axes.findobj(Text) if text.get_text() == title]
    if drawn.get_window_extent().x1 + GAP_BESIDE_TITLE > box.x0:
        above_axes = (box.y1 - axes.bbox.y1) * UNITS_PER_INCH / figure.dpi
        axes.set_title(title, loc="left", fontsize=TITLE_SIZE, pad=above_axes + 2)


def _label_x(axes: Axes, plot: Plot) -> None:
    axes.set_xlabel(plot.x_label)
    if plot.logarithmic_x:
        axes.set_xscale("log", base=2)
        axes.set_xticks([float(x) for x in plot.x], [format_number(x) for x in plot.x])
        axes.xaxis.set_minor_locator(NullLocator())


def _tick(value: float, _position: int | None) -> str:
    return f"{value:,.10g}"
