"""The directive roofline: limits of the picture, what it says, and its errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Built
from lanes_book import live_figure
from lanes_book.number_format import format_number
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
    assert "1:\u00a0offset_0, 2:\u00a0offset_1" in figure.select_one("figcaption").get_text()
    description = figure.select_one("svg desc").get_text()
    assert description.startswith("Both lie below the roof. The roof rises up to ")
    assert "of the roof there" in description
    texts = [text.get_text() for text in figure.select("svg text")]
    assert {"1", "2", "Operations a byte", "Rate", "memory", "arithmetic"} <= set(texts)
    assert built.page.find(id="roof")


def test_points_may_have_words_for_names(build: Build) -> None:
    built = build(ROOFLINE.replace(":x:", ":row-names: the first | one further\n:x:"))
    assert built.warnings == ""
    figure = built.page.select_one("figure.roofline")
    assert "1:\u00a0the first, 2:\u00a0one further" in figure.select_one("figcaption").get_text()
    assert "one further: 2," in figure.select_one("svg desc").get_text()
    rows = built.page.select("table.results-table tbody th.stub")
    assert [row.get_text(strip=True) for row in rows] == ["the first", "one further"]


def test_a_live_figure_around_it_gets_its_numbers(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in ("figures/roofline.js", "styles/roofline.css"):
        path = tmp_path / "book" / "web" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    monkeypatch.setattr(live_figure, "WEB", tmp_path / "book" / "web")
    built = build(f"::::{{live-figure}} roofline\n\n{ROOFLINE}\n::::\n")
    assert built.warnings == ""
    numbers = json.loads(built.page.select_one("lanes-roofline")["data-numbers"])
    assert numbers["device"] == "H200"
    assert numbers["peak"] == pytest.approx(3 * numbers["slope"])
    assert [point["name"] for point in numbers["points"]] == ["offset_0", "offset_1"]
    table = built.page.select_one("table").get_text()
    assert all(format_number(point["y"]) in table for point in numbers["points"])


@pytest.mark.parametrize("option", ["x", "y", "slope", "peak", "alt"])
def test_every_option_is_asked_for(build: Build, option: str) -> None:
    text = "\n".join(line for line in ROOFLINE.split("\n") if not line.startswith(f":{option}:"))
    assert f"no :{option}: option" in build(text).warnings
