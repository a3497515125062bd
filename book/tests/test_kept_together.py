"""What no line ends with: a number before its unit, operators, the word before a number, half a date."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import Built
from lanes_book.kept_together import kept_together

Build = Callable[[str], Built]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("tiles of 16 x 16, and 8 x 8 x 8", "tiles of 16\u00a0x\u00a016, and 8\u00a0x\u00a08\u00a0x\u00a08"),
        ("64 / 160 = 0.4", "64\u00a0/\u00a0160 = 0.4"),
        ("31 · 32 + 9, a copy · counted", "31\u00a0·\u00a032 + 9, a copy · counted"),
        ("along the x axis, and in x 3", "along the x axis, and in x 3"),
        ("as chapter 3 shows, Chapter 4 too", "as chapter\u00a03 shows, Chapter\u00a04 too"),
        ("1 x 2 ^ 3, a / b / c", "1\u00a0x\u00a02\u00a0^\u00a03, a\u00a0/\u00a0b\u00a0/\u00a0c"),
        ("has 48 KiB, 32 bytes and 4 seconds", "has 48\u00a0KiB, 32\u00a0bytes and 4 seconds"),
        ("in chapter three", "in chapter three"),
    ],
)
def test_texts(text: str, kept: str) -> None:
    assert kept_together(text) == kept


def test_beside_elements(build: Build) -> None:
    built = build("Lane *n* ^ 1, $T$ x $T$, *l* / 2; the `a x b` of {term}`x` x 2.\n\n```{glossary}\nx\n  y\n```\n")
    text = built.page.select_one("section p, article p, p").get_text()
    assert "n\u00a0^\u00a01" in text
    assert "l\u00a0/\u00a02" in text
    assert "a x b" in text
    assert "x\u00a0x\u00a02" in text


def test_numbers_keep_their_units(build: Build) -> None:
    text = (
        build("It has {given}`48 KiB`, 32 bytes, {result}`sample/h200/times/offset_1/gb_per_s|.0f` GB/s and `4 ms`.")
        .page.select_one("article p")
        .get_text()
    )
    assert "48\u00a0KiB, 32\u00a0bytes, " in text
    assert "\u00a0GB/s and 4 ms." in text


def test_a_date_is_one_element_and_nothing_else(build: Build) -> None:
    paragraph = build("From 2026-11-30 on, `2026-11-29` too.").page.select_one("article p")
    assert [date.get_text() for date in paragraph.select(".together")] == ["2026-11-30"]
    assert paragraph.get_text() == "From 2026-11-30 on, 2026-11-29 too."
