"""The directive snippet, as it comes out in the page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from conftest import Built
from make_results import all_results, write_results

Build = Callable[[str], Built]
SOURCE = "chapters/01_sample/sample.cu"


def test_code_is_highlighted_captioned_and_linked(build: Build) -> None:
    built = build(
        f":::{{snippet}} {SOURCE} copy\n:caption: A *copy*\n:name: the-copy\n:::\n\nSee {{numref}}`the-copy`."
    )
    assert built.warnings == ""
    listing = built.page.select_one("div.snippet")
    assert "float value = in[i + offset];" in listing.select_one("div.highlight pre").get_text()
    assert "[move]" not in listing.get_text(), "markers are never shown"
    assert listing.select_one("div.highlight pre span.k"), "CUDA keywords are highlighted"
    assert listing.select_one(".code-block-caption em").get_text() == "copy"
    assert listing.select_one(".code-block-caption a.internal")["href"] == f"listings/{SOURCE}.html#line-4"
    assert "Listing 1" in built.page.select_one("article p a[href='#the-copy']").get_text()


def test_the_whole_source_is_a_page_with_anchors(build: Build) -> None:
    folder = build(f":::{{snippet}} {SOURCE} copy\n:::").folder
    listing = (folder / "listings" / f"{SOURCE}.html").read_text(encoding="utf-8")
    assert 'id="line-4"' in listing
    assert "__global__" in listing


def test_counts_stand_on_their_lines(build: Build) -> None:
    built = build(f":::{{snippet}} {SOURCE} copy\n:counts: offset_1\n:::")
    assert built.warnings == ""
    margin = built.page.select_one("div.snippet div.line-counts")
    assert margin["aria-hidden"] == "true", "the table below says the same to screen readers"
    rows = [line.split() for line in margin.find("pre").get_text().split("\n")]
    assert rows == [[], [], ["1,000", "5,000"], ["1,000", "4,000"], []]
    assert margin.select_one("div.line-counts-head").get_text().split() == ["requests", "sectors"]
    code = built.page.select_one("div.snippet div.highlight pre").get_text()
    assert "5,000" not in code, "code can be selected and copied without the counts"


def test_counts_as_a_table(build: Build) -> None:
    built = build(f":::{{snippet}} {SOURCE} copy\n:counts: offset_1\n:columns: sectors_per_load\n:::")
    rows = [
        [cell.get_text().strip() for cell in row.find_all(["th", "td"])]
        for row in built.page.select("details.line-counts-fold table tr")
    ]
    assert rows == [["Line", "Code", "Sectors a load request"], ["7", "float value = in[i + offset];", "5"]]


def test_heat_grows_with_the_share(build: Build) -> None:
    built = build(f":::{{snippet}} {SOURCE} copy\n:counts: offset_1\n:columns: sectors\n:::")
    shares = [span["style"] for span in built.page.select(".line-counts pre .counted")]
    assert shares == ["--share:1.00", "--share:0.80"]


def test_missing_snippet_is_an_error(build: Build) -> None:
    assert f"no snippet 'cpy' in {SOURCE}; nearest: " in build(f":::{{snippet}} {SOURCE} cpy\n:::").warnings


def test_missing_case_is_an_error(build: Build) -> None:
    warnings = build(f":::{{snippet}} {SOURCE} copy\n:counts: offset_2\n:::").warnings
    assert "no case 'sample/emulator/counts/offset_2'; nearest: offset_" in warnings


def test_case_of_another_kernel_is_an_error(build: Build) -> None:
    warnings = build(f":::{{snippet}} {SOURCE} other\n:counts: offset_1\n:::").warnings
    assert "the case counts nothing on the lines of snippet 'other'" in warnings


def test_unknown_column_is_an_error(build: Build) -> None:
    warnings = build(f":::{{snippet}} {SOURCE} copy\n:counts: offset_1\n:columns: secters\n:::").warnings
    assert "no measure 'secters'; nearest: sectors" in warnings


def test_stale_counts_are_an_error(build: Build, results_folder: Path) -> None:
    changed = all_results()
    changed["emulator.counts.json"]["sources"]["copy"] = "ffffffffffffffff"
    write_results(results_folder, changed)
    warnings = build(f":::{{snippet}} {SOURCE} copy\n:counts: offset_1\n:::").warnings
    assert "another version of snippet 'copy'" in warnings
    assert "build the target 'results' again" in warnings
