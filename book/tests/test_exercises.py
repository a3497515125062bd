"""Exercises: the list of a chapter, and hints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from conftest import Built
from lanes_book.errors import BookError
from lanes_book.exercises import Exercise

Build = Callable[[str], Built]


def readme(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "README.md").write_text(text, encoding="utf-8")
    return folder


def test_what_an_exercise_says_of_itself(tmp_path: Path) -> None:
    text = "---\norphan: true\nkind: predict\nteaches: Counts.\n---\n# Before you run\n\nText.\n"
    exercise = Exercise.read(readme(tmp_path / "12_run", text))
    assert exercise == Exercise("12_run", "Before you run", "predict", "Counts.")
    assert exercise.entry == "- **1.2 [Before you run](/exercises/12_run/README.md)** (predict). Counts.\n"


def test_an_exercise_without_a_kind_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BookError, match=r"12_run/README\.md does not begin with"):
        Exercise.read(readme(tmp_path / "12_run", "# Before you run\n"))


def test_a_chapter_lists_its_exercises(build: Build) -> None:
    built = build(":::{exercises} 1\n:::")
    item = built.page.select_one("article li strong")
    assert item.get_text().startswith("1.1 ")


def test_a_chapter_without_exercises_is_an_error(build: Build) -> None:
    assert "chapter 9 has no exercises" in build(":::{exercises} 9\n:::").warnings


def test_exercises_lead_to_their_list_and_from_one_to_the_next(build: Build, tmp_path: Path) -> None:
    for page in ("README", "11_sample/README", "12_sample/README"):
        path = tmp_path / "source" / "exercises" / f"{page}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"---\norphan: true\nkind: predict\nteaches: This.\n---\n# A & {page}\n", encoding="utf-8")
    folder = build("Text.").folder
    text = (folder / "exercises" / "11_sample" / "README.html").read_text(encoding="utf-8")
    page = BeautifulSoup(text, "html.parser")
    place = page.select_one("article h1 + .exercise-place")
    assert place.get_text() == "Exercise 1.1: predict. All exercises"
    assert place.a["href"] == "../README.html"
    assert page.select_one("head link[rel=prev]")["href"] == "../README.html"
    assert page.select_one("head link[rel=next]")["href"] == "../12_sample/README.html"
    assert "A & 12_sample/README" in page.select_one("footer .next-page").get_text()


def test_hints_are_closed(build: Build, tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "hints.md").write_text("# Hints\n\n## A nudge\n\nLook.\n\n## A push\n\nThere.\n")
    folds = build(":::{hints}\n:::").page.select("details.fold")
    assert [fold.get_text(" ", strip=True) for fold in folds] == ["Hint: A nudge Look.", "Hint: A push There."]
    assert all("open" not in fold.attrs for fold in folds)


def test_no_hints_is_an_error(build: Build) -> None:
    assert "there is no" in build(":::{hints}\n:::").warnings
