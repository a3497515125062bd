"""A roofline as SVG: what a machine reaches at most over the operations for each byte, and measured points below."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

from .number_format import format_number
from .plot_svg import COLOURS, INK, MUTED, SERIES, SETTINGS, UNITS_PER_INCH, Naming
from .svg_for_page import page_element

ROOM = 1.6  # how far the axes reach beyond the outermost points


@dataclass(frozen=True)
class Roof:
    """What is reached at most: `slope` operations for each step of x, and never more than `peak`."""

    slope: float
    peak: float
    slope_label: str
    peak_label: str

    @property
    def ridge(self) -> float:
        """The x from which on the peak is the lower of the two."""
        return self.peak / self.slope

    def at(self, x: float) -> float:
        """The lower of the two roofs."""
        return min(self.slope * x, self.peak)


@dataclass(frozen=True)
class Point:
    """A measurement. It is drawn with its number; the page says what the number stands for."""

    x: float
    y: float


@dataclass(frozen=True)
class RooflinePlot:
    """What to draw, over logarithmic axes."""

    x_label: str
    y_label: str
    roof: Roof
    points: list[Point]


def draw_roofline(plot: RooflinePlot, width: int, naming: Naming) -> str:
    """The SVG element, `width` units wide."""
    with mpl.rc_context({**SETTINGS, "svg.hashsalt": naming.name}):
        figure = Figure(figsize=(width / UNITS_PER_INCH, max(260, width * 0.55) / UNITS_PER_INCH), layout="constrained")
        axes = figure.subplots()
        _draw_axes(axes, plot)
        _draw_roof(axes, plot)
        _draw_points(axes, plot)
        output = io.StringIO()
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(output, format="svg", transparent=True, metadata=nothing)
    return page_element(output.getvalue(), naming.name, naming.title, naming.description, COLOURS)


def limits(plot: RooflinePlot) -> tuple[float, float, float, float]:
    """Lowest and highest x, lowest and highest y: all points and the ridge, with room around them."""
    xs = [point.x for point in plot.points] + [plot.roof.ridge]
    ys = [point.y for point in plot.points] + [plot.roof.peak]
    return min(xs) / ROOM, max(xs) * ROOM, min(ys) / ROOM, max(ys) * ROOM


def _draw_axes(axes: Axes, plot: RooflinePlot) -> None:
    left, right, low, high = limits(plot)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(left, right)
    axes.set_ylim(low, high)
    axes.set_xlabel(plot.x_label)
    axes.set_title(plot.y_label, loc="left", fontsize=12)
    for axis, start, end in ((axes.xaxis, left, right), (axes.yaxis, low, high)):
        axis.set_major_formatter(FuncFormatter(lambda value, _position: format_number(float(value))))
        axis.set_minor_locator(NullLocator())
        axis.set_ticks(_ticks(start, end))


def _ticks(start: float, end: float) -> list[float]:
    """1, 2 and 5 times the powers of ten, or the powers alone where that would be many."""
    fine = [step * 10.0**power for power in range(-6, 10) for step in (1, 2, 5)]
    inside = [tick for tick in fine if start <= tick <= end]
    if len(inside) <= 7:
        return inside
    return [10.0**power for power in range(-6, 10) if start <= 10.0**power <= end]


def _draw_roof(axes: Axes, plot: RooflinePlot) -> None:
    left, right, low, _high = limits(plot)
    roof = plot.roof
    start = max(left, low / roof.slope)
    axes.plot([start, roof.ridge], [roof.at(start), roof.peak], color=SERIES[0], linewidth=1.6)
    axes.plot([roof.ridge, right], [roof.peak, roof.peak], color=SERIES[1], linewidth=1.6, linestyle="--")
    axes.plot([], [], color=SERIES[0], linewidth=1.6, label=roof.slope_label)
    axes.plot([], [], color=SERIES[1], linewidth=1.6, linestyle="--", label=roof.peak_label)
    axes.legend(loc="lower right", borderpad=0.2)


def _draw_points(axes: Axes, plot: RooflinePlot) -> None:
    places = [_place(plot, point) for point in plot.points]
    taken: list[tuple[float, float]] = list(places)
    for number, (point, place) in enumerate(zip(plot.points, places, strict=True), start=1):
        axes.plot([point.x], [point.y], "o", color=SERIES[2], markeredgecolor=INK, markersize=6)
        side = max(SIDES, key=lambda side: _room(place, side, taken))
        taken.append((place[0] + side[0], place[1] + side[1]))
        axes.annotate(
            str(number),
            (point.x, point.y),
            xytext=(side[0] * POINTS_ACROSS, side[1] * POINTS_ACROSS),
            textcoords="offset points",
            ha="center",
            va="center",
            color=INK,
        )
    axes.grid(visible=True, axis="both", color=MUTED)


# Where a number may stand beside its point, in parts of the picture's width: right, left, above, below.
SIDES = [(0.024, 0.0), (-0.024, 0.0), (0.0, 0.026), (0.0, -0.026)]
POINTS_ACROSS = 500


def _place(plot: RooflinePlot, point: Point) -> tuple[float, float]:
    """Where a point comes to lie, in parts of the picture's width, which is about twice its height."""
    left, right, low, high = limits(plot)
    across = math.log(point.x / left) / math.log(right / left)
    return across, 0.5 * math.log(point.y / low) / math.log(high / low)


def _room(place: tuple[float, float], side: tuple[float, float], taken: list[tuple[float, float]]) -> float:
    """How far a number on this side would be from the nearest point or number that is not its own point."""
    x, y = place[0] + side[0], place[1] + side[1]
    return min((math.hypot(x - other[0], y - other[1]) for other in taken if other != place), default=1.0)
