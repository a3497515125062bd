"""What no line ends with: operators, the word before a number, half a date."""

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
        ("times on 2026-11-30.", "times on 2026\u201111\u201130."),
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
