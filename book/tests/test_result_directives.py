"""Roles, tables and plots of results, as they come out in the page."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from conftest import Built
from make_results import all_results, write_results

Build = Callable[[str], Built]


def cells(page: BeautifulSoup, selector: str = "table.results-table") -> list[list[str]]:
    """The texts of a table."""
    return [
        [cell.get_text(strip=True) for cell in row.find_all(["th", "td"])]
        for row in page.select_one(selector).find_all("tr")
    ]


def test_roles_print_numbers_and_link_to_their_file(build: Build) -> None:
    built = build(
        "It moves {result}`sample/h200/times/offset_1/gb_per_s|.1f` GB/s, "
        "{ratio}`sample/h200/times/offset_1/gb_per_s / sample/h200/times/memcpy/gb_per_s|.1%` of a copy."
    )
    assert built.warnings == ""
    paragraph = built.page.select_one("article p")
    assert paragraph.get_text() == "It moves 2,437.5\u00a0GB/s, 60.9\u202f% of a copy."
    assert [link["href"] for link in paragraph.find_all("a")] == ["#results-sample-h200-times"] * 2
    assert built.page.find(id="results-sample-h200-times")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{result}`sample/h200/times/offset_1/gb`", "no result 'sample/h200/times/offset_1/gb'; nearest: sample/h200/"),
        ("{result}`sample/emulator/times/offset_1/gb_per_s`", "is a time of the emulator"),
        ("{result}`sample/h200/times/offset_1/gb_per_s|nonsense`", "'nonsense' cannot format"),
        ("{result}`sample/h200/times/offset_1/bytes / 2`", "use the role 'ratio'"),
        ("{ratio}`1 / 2`", "holds no key"),
        (":::{results-table} sample\n:columns: h200\n:rows: nothing\n:::", "'nothing' matches no result of sample"),
        (":::{results-table} sample\n:rows: offset_0\n:::", "no columns"),
        (
            ":::{results-table} sample\n:parts: 0 9\n\nSectors | h200/counts/offset_{row}/global_ld_sectors\n:::",
            "no result 'sample/h200/counts/offset_9/global_ld_sectors'",
        ),
        (":::{results-table} sample\n:rows: memcpy\n:columns: time\n:row-names: a | b\n:::", "2 names for 1 rows"),
        (":::{results-table} smple\n:columns: h200\n:::", "nearest: sample"),
        (":::{results-table} sample\n:rows: offset_8\n:columns: time\n:::", "no result 'sample/h200/times/offset_8/gb"),
        (":::{results-table} sample\n:rows: offset_0\n\nHead only\n:::", "is not HEAD | KEY"),
        (":::{results-plot} sample\n:rows: offset_*\n:x: offset\n:y: sectors_per_load\n:::", "no :alt: option"),
        (":::{results-plot} sample\n:rows: offset_*\n:x: offset\n:alt: A line.\n:::", "nothing to plot"),
        (":::{results-plot} sample\n:rows: offset_*\n:y: sectors_per_load\n:alt: A line.\n:::", "no :x: option"),
    ],
)
def test_errors(build: Build, text: str, message: str) -> None:
    assert message in build(text).warnings


def test_rows_may_be_parts_of_names(build: Build) -> None:
    built = build(
        ":::{results-table} sample\n:parts: 0 1\n\n"
        "Sectors | h200/counts/offset_{row}/global_ld_sectors\nGB/s | h200/times/offset_{row}/gb_per_s | .1f\n:::"
    )
    assert built.warnings == ""
    rows = [[cell.get_text(strip=True) for cell in row.find_all(["th", "td"])] for row in built.page.select("tr")]
    assert ["0", "4,000"] in [row[:2] for row in rows]
    assert ["1", "5,000", "2,437.5"] in rows


def test_rows_may_have_words_for_names(build: Build) -> None:
    names = ":row-names: a copy | the first load\n"
    table = f":::{{results-table}} sample\n:rows: memcpy offset_0\n:columns: time\n{names}:::"
    plot = f":::{{results-plot}} sample\n:rows: memcpy offset_0\n:kind: bar\n:y: gb_per_s\n:alt: Two bars.\n{names}:::"
    built = build(f"{table}\n\n{plot}")
    assert built.warnings == ""
    assert [row[0] for row in cells(built.page)[-2:]] == ["a copy", "the first load"]
    texts = [text.get_text() for text in built.page.select_one("figure svg").find_all("text")]
    assert {"a copy", "the first load"} <= set(texts)


def test_stale_result_is_an_error(build: Build, results_folder: Path) -> None:
    changed = all_results()
    changed["h200.times.json"]["sources"]["copy"] = "ffffffffffffffff"
    write_results(results_folder, changed)
    warnings = build("{result}`sample/h200/times/offset_1/gb_per_s`").warnings
    assert "measure again with: ci/measure --name h200" in warnings


def test_table_of_presets(build: Build) -> None:
    built = build(
        ":::{results-table} sample\n:rows: offset_0 offset_1\n:label: offset | Offset, floats\n"
        ":columns: predicted emulator h200 time ratio\n:caption: Shifted\n:::"
    )
    assert built.warnings == ""
    assert cells(built.page) == [
        ["Offset, floats", "Sectors a load request", "GB/s", "Of the ceiling"],
        ["model", "emulator", "H200", "H200", "H200"],
        ["0", "4", "4", "4", "2,500", "62.5\u202f%"],
        ["1", "5", "5", "5", "2,438", "60.9\u202f%"],
    ]
    table = built.page.select_one("table.results-table")
    assert table.select_one("th[colspan='3']").get_text(strip=True) == "Sectors a load request"
    assert "Table 1" in table.find("caption").get_text()
    sources = built.page.select_one(".result-sources").get_text()
    assert "counts by Nsight Compute 2025.3 on H200, 2026-11-29" in sources


def test_rows_of_a_pattern_may_lack_a_time_but_named_ones_may_not(build: Build) -> None:
    built = build(":::{results-table} sample\n:rows: offset_*\n:columns: h200 time\n:::")
    assert built.warnings == ""
    assert cells(built.page)[-1] == ["offset_8", "4", "\u2013"]


def test_optional_columns(build: Build) -> None:
    built = build(":::{results-table} sample\n:rows: memcpy offset_0\n:columns: h200? a100? time ratio?\n:::")
    assert built.warnings == ""
    assert cells(built.page)[2:] == [
        ["memcpy", "\u2013", "4,000", "\u2013"],
        ["offset_0", "4", "2,500", "62.5\u202f%"],
    ]


def test_columns_of_ones_own(build: Build) -> None:
    built = build(
        ":::{results-table} sample\n:rows: offset_0 offset_1\n\n"
        "Bytes | h200/counts/{row}/global_ld_sectors * 32 / h200/counts/{row}/global_ld_requests\n"
        "Of memcpy | h200/times/{row}/gb_per_s / h200/times/memcpy/gb_per_s | .2f\n:::"
    )
    assert built.warnings == ""
    assert cells(built.page) == [
        ["Case", "Bytes", "Of memcpy"],
        ["offset_0", "128", "0.62"],
        ["offset_1", "160", "0.61"],
    ]


def test_a_time_of_this_machine_is_a_column_of_its_own(build: Build, results_folder: Path) -> None:
    content = all_results()
    here = {**content["h200.times.json"]}
    here["provenance"] = {**here["provenance"], "device": "NVIDIA L4"}
    write_results(results_folder, {**content, "here.times.json": here})
    built = build(":::{results-table} sample\n:rows: offset_0\n:columns: time\n:::")
    assert cells(built.page)[1] == ["H200", "L4, here"]


def test_line_plot(build: Build) -> None:
    built = build(
        ":::{results-plot} sample\n:rows: offset_*\n:x: offset | Offset, floats\n:y: sectors_per_load gb_per_s\n"
        ":caption: What a shift costs\n:alt: Five sectors where the start is shifted, four elsewhere.\n:::"
    )
    assert built.warnings == ""
    figure = built.page.select_one("figure.results-plot")
    assert "Figure 1" in figure.find("figcaption").get_text()
    for svg in figure.find_all("svg"):
        described_by = [built.page.find(id=name) for name in svg["aria-labelledby"].split()]
        assert described_by[0].get_text() == "What a shift costs"
        description = described_by[1].get_text()
        assert description.startswith("Five sectors where the start is shifted")
        assert "Sectors a load request, emulator: 3 values, lowest 4 at Offset, floats 0, highest 5" in description
        assert "GB/s, H200: 2 values, lowest 2,438 at Offset, floats 1" in description
        assert "Offset, floats" in [text.get_text() for text in svg.find_all("text")], "text stays text"
        assert "var(--plot-series-2)" in str(svg)
        assert "#0102" not in str(svg), "no stand-in colour is left"
        assert svg.find("style") is None, "a style element would hold for the whole page"
    rows = cells(built.page, "details.picture-numbers table")
    assert rows[-1] == ["8", "4", "4", "4", "\u2013"]


def test_legend_does_not_cover_the_title(build: Build) -> None:
    def heights(group: str) -> dict[str, float]:
        lines = f"{group} > one | h200/times/{{row}}/gb_per_s\n{group} > two | h200/times/{{row}}/median_ms\n"
        built = build(f":::{{results-plot}} sample\n:rows: offset_0 offset_1\n:x: offset\n:alt: Lines.\n\n{lines}:::")
        assert built.warnings == ""
        texts = built.page.select_one(".picture-narrow svg").find_all("text")
        return {text.get_text(): float(re.findall(r"[-\d.]+", text["transform"])[-1]) for text in texts}

    short, long = heights("GB/s"), heights("Time and rate, of which the first is 1")
    assert abs(short["GB/s"] - short["one"]) < 12, "side by side"
    assert long["Time and rate, of which the first is 1"] < long["one"] - 10, "above"


def test_bar_plot_says_its_values(build: Build) -> None:
    built = build(":::{results-plot} sample\n:rows: memcpy offset_0\n:kind: bar\n:y: gb_per_s\n:alt: Two bars.\n:::")
    assert built.warnings == ""
    texts = [text.get_text() for text in built.page.select_one("figure svg").find_all("text")]
    assert {"memcpy", "offset_0", "4,000", "2,500"} <= set(texts)


def test_ids_of_two_plots_differ(build: Build) -> None:
    plot = ":::{results-plot} sample\n:rows: offset_*\n:x: offset\n:y: sectors_per_load\n:alt: A line.\n:::\n\n"
    ids = [tag["id"] for tag in build(plot * 2).page.find_all(id=True)]
    assert len(ids) == len(set(ids))


def test_provenance_is_listed_and_files_can_be_had(build: Build) -> None:
    built = build("")
    section = built.page.find(id="results-sample-h200-counts")
    assert section.find("h2").get_text().startswith("Counts, H200")
    assert "Nsight Compute 2025.3" in section.get_text()
    link = section.find("a", attrs={"download": True})["href"]
    assert (built.folder / link).read_bytes().startswith(b"{")
