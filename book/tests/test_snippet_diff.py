"""The directive snippet-diff: from the lines of two snippets to the page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import Built
from lanes_book.errors import BookError
from lanes_book.snippet_diff import difference, places_of_difference
from lanes_book.snippets import Snippet, Snippets

Build = Callable[[str], Built]
SOURCE = "chapters/01_sample/sample.cu"


def snippet(text: str, name: str = "piece") -> Snippet:
    """A snippet of a text."""
    return Snippet(name=name, file=SOURCE, first_line=1, text=text, hash="0" * 16)


def test_changes_with_context_and_dots_for_what_is_left_out() -> None:
    before = snippet("a\nb\nc\nd\ne\nf\ng\n")
    after = snippet("a\nB\nc\nd\ne\nf\nh\n")
    assert difference(before, after, 1) == [" a", "-b", "+B", " c", "...", " f", "-g", "+h"]
    assert difference(before, after, 0) == ["...", "-b", "+B", "...", "-g", "+h"]


@pytest.mark.parametrize("context", [0, 1, 9])
def test_rows_know_their_lines_in_the_new_snippet(context: int) -> None:
    before = snippet("a\nb\nx\nd\ne\nx\ng\n")
    after = snippet("a\nB\nx\nd\ne\nx\nh\ni\n")
    rows = difference(before, after, context)
    places = places_of_difference(before, after, context)
    assert len(places) == len(rows)
    for row, place in zip(rows, places, strict=True):
        assert (place is None) == (row == "..." or row.startswith("-"))
        assert place is None or after.lines[place] == row[1:]
    assert [place for place in places if place is not None] == sorted({place for place in places if place is not None})


def test_equal_snippets_are_an_error() -> None:
    with pytest.raises(BookError, match="'one' and 'two' are the same"):
        difference(snippet("a\n", "one"), snippet("a\n", "two"), 1)


def test_the_page_shows_a_highlighted_diff_with_links(build: Build, snippets: Snippets) -> None:
    built = build(f":::{{snippet-diff}} {SOURCE} copy other\n:caption: From one *to* the other\n:name: change\n:::")
    assert built.warnings == ""
    listing = built.page.select_one("div.snippet-diff")
    old, new = snippets.get(SOURCE, "copy"), snippets.get(SOURCE, "other")
    assert f"-{old.lines[0]}" in listing.select_one("pre").get_text()
    assert f"+{new.lines[0]}" in listing.select_one("pre").get_text()
    assert listing.select_one("pre span.gi"), "what is new is marked"
    links = [link["href"] for link in listing.select(".code-block-caption a.internal")]
    assert links == [f"listings/{SOURCE}.html#line-{piece.first_line}" for piece in (old, new)]
    assert built.page.find(id="change")


def test_missing_snippet_is_an_error(build: Build) -> None:
    assert "no snippet 'othr'" in build(f":::{{snippet-diff}} {SOURCE} copy othr\n:::").warnings
