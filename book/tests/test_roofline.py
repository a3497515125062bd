"""The directive roofline: limits of the picture, what it says, and its errors."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import Built
from lanes_book.roofline_svg import Point, Roof, RooflinePlot, limits

Build = Callable[[str], Built]

ROOFLINE = """:::{roofline} sample
:rows: offset_0 offset_1
:x: Operations a byte | h200/counts/{row}/global_ld_sectors / h200/counts/{row}/global_ld_requests
:y: Rate | h200/times/{row}/gb_per_s
:slope: memory | h200/times/memcpy/gb_per_s
:peak: arithmetic | h200/times/memcpy/gb_per_s * 3
:alt: Both lie below the roof.
:caption: A roof
:name: roof
:::"""


def test_the_roof_is_the_lower_of_slope_and_peak() -> None:
    roof = Roof(slope=4.0, peak=100.0, slope_label="memory", peak_label="arithmetic")
    assert roof.ridge == 25.0
    assert roof.at(10.0) == 40.0
    assert roof.at(30.0) == 100.0


def test_limits_hold_all_points_and_the_ridge() -> None:
    roof = Roof(slope=4.0, peak=100.0, slope_label="memory", peak_label="arithmetic")
    left, right, low, high = limits(RooflinePlot("x", "y", roof, [Point(1.0, 2.0), Point(400.0, 90.0)]))
    assert (left, low) < (1.0, 2.0)
    assert right > 400.0
    assert high > 100.0


def test_picture_names_points_and_says_how_far_below_they_are(build: Build) -> None:
    built = build(ROOFLINE)
    assert built.warnings == ""
    figure = built.page.select_one("figure.roofline")
    assert "1\u00a0offset_0, 2\u00a0offset_1" in figure.select_one("figcaption").get_text()
    description = figure.select_one("svg desc").get_text()
    assert description.startswith("Both lie below the roof. The roof rises up to ")
    assert "of the roof there" in description
    texts = [text.get_text() for text in figure.select("svg text")]
    assert {"1", "2", "Operations a byte", "Rate", "memory", "arithmetic"} <= set(texts)
    assert built.page.find(id="roof")


@pytest.mark.parametrize("option", ["x", "y", "slope", "peak", "alt"])
def test_every_option_is_asked_for(build: Build, option: str) -> None:
    text = "\n".join(line for line in ROOFLINE.split("\n") if not line.startswith(f":{option}:"))
    assert f"no :{option}: option" in build(text).warnings
