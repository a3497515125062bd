"""Snippets and the lines they come from."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import SAMPLE, SCHEMAS
from lanes_book.errors import BookError
from lanes_book.snippets import Snippet, Snippets

SOURCE = "chapters/01_sample/sample.cu"


def text_of_source() -> str:
    """The sample's source."""
    return (SAMPLE / SOURCE).read_text(encoding="utf-8")


def test_missing_snippet_names_the_nearest(snippets: Snippets) -> None:
    with pytest.raises(BookError, match=r"no snippet 'cpy' in .*; nearest: .*sample\.cu copy"):
        snippets.get(SOURCE, "cpy")


def test_lines_skip_markers_inside(snippets: Snippets) -> None:
    assert snippets.get(SOURCE, "copy").line_numbers(text_of_source()) == [4, 5, 7, 8, 10]


def test_lines_of_an_indented_snippet(snippets: Snippets) -> None:
    assert snippets.get(SOURCE, "move").line_numbers(text_of_source()) == [7, 8]


def test_changed_source_is_noticed(snippets: Snippets) -> None:
    changed = text_of_source().replace("out[i] = value", "out[i] = 2 * value")
    with pytest.raises(BookError, match=r"sample\.cu:8 is not what snippet 'copy' says"):
        snippets.get(SOURCE, "copy").line_numbers(changed)


def test_shortened_source_is_noticed(snippets: Snippets) -> None:
    shortened = "\n".join(text_of_source().split("\n")[:7])
    with pytest.raises(BookError, match="ends before"):
        snippets.get(SOURCE, "copy").line_numbers(shortened)


def test_unreadable_file() -> None:
    with pytest.raises(BookError, match=r"cannot read .*nothing\.json"):
        Snippets.load(SAMPLE / "nothing.json", SCHEMAS)


def test_file_that_breaks_the_schema(tmp_path: Path) -> None:
    broken = tmp_path / "snippets.json"
    broken.write_text('{"snippets": [{"name": "copy"}]}', encoding="utf-8")
    with pytest.raises(BookError, match=r"breaks snippets\.schema\.json"):
        Snippets.load(broken, SCHEMAS)


def test_snippets_of_a_chapter_are_those_of_its_folder() -> None:
    places = {"main": "chapters/01_a/a.cu", "part": "chapters/01_a/part.cuh", "other": "chapters/02_b/b.cu"}
    snippets = Snippets([Snippet(name, file, 1, "x;\n", "00") for name, file in places.items()])
    assert set(snippets.of_source("a.cu")) == {"main", "part"}
    assert set(snippets.of_source("b.cu")) == {"other"}
    assert snippets.of_source("c.cu") == {}
    assert snippets.chapter_sources("chapters/01_a/part.cuh") == ["chapters/01_a/a.cu", "chapters/01_a/part.cuh"]
