"""The directive live-figure, as it comes out in the page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Built
from lanes_book import live_figure

Build = Callable[[str], Built]
PICTURE = ":::{drawing} draw\nA *caption*.\n:::\n"


@pytest.fixture(autouse=True)
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A figure of no use, so that these tests stay as they are whatever figures the book has."""
    for file in ("figures/demo.js", "styles/demo.css"):
        path = tmp_path / "book" / "web" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    monkeypatch.setattr(live_figure, "WEB", tmp_path / "book" / "web")


def live(options: str = "", content: str = PICTURE, kind: str = "demo") -> str:
    return f"::::{{live-figure}} {kind}\n{options}\n{content}::::\n"


def names_of(built: Built, tag: str, attribute: str) -> list[str]:
    """The files of our own that the page loads, in their order."""
    files = [str(node[attribute]).partition("?")[0].rpartition("/")[2] for node in built.page.select(tag)]
    return [file for file in files if file in {*live_figure.SHARED_SCRIPTS, "figure.css", "demo.js", "demo.css"}]


def test_the_picture_is_inside_the_element_and_its_caption_outside(build: Build) -> None:
    built = build(live())
    assert built.warnings == ""
    element = built.page.select_one("figure.live-frame.picture > lanes-demo.live-figure")
    assert element["id"] == "demo"
    assert "data-state" not in element.attrs
    assert element.select_one("svg title")
    assert not element.select_one("figcaption")
    assert built.page.select_one("figure.live-frame > figcaption em").get_text() == "caption"


def test_state_and_name(build: Build) -> None:
    built = build(live(":state: offset=4 way=down-right\n:name: the-other\n"))
    assert built.warnings == ""
    element = built.page.select_one("lanes-demo")
    assert element["data-state"] == "offset:4,way:down-right"
    assert element["id"] == "the-other"


def test_only_pages_with_a_live_figure_load_scripts(build: Build) -> None:
    built = build(PICTURE)
    assert names_of(built, "script[src]", "src") == []
    assert names_of(built, "link[rel=stylesheet]", "href") == []


def test_scripts_are_there_in_their_order_and_do_not_hold_the_page_up(build: Build) -> None:
    built = build(live())
    assert names_of(built, "script[src]", "src") == [*live_figure.SHARED_SCRIPTS, "demo.js"]
    assert names_of(built, "script[src][defer]", "src") == [*live_figure.SHARED_SCRIPTS, "demo.js"]
    assert names_of(built, "link[rel=stylesheet]", "href") == ["figure.css", "demo.css"]


def test_all_scripts_are_there() -> None:
    folder = Path(__file__).parents[1] / "web"
    assert (folder / "styles" / live_figure.SHARED_STYLE).is_file()
    assert [script for script in live_figure.SHARED_SCRIPTS if not (folder / "scripts" / script).is_file()] == []


@pytest.mark.parametrize(
    ("state", "address"),
    [(" stride=8 way=down", "?demo=stride:8,way:down#demo"), ("", "#demo")],
    ids=["state", "first"],
)
def test_words_that_set_a_figure(build: Build, state: str, address: str) -> None:
    built = build(live() + f"\nTry {{setting}}`every eighth <demo{state}>`.\n")
    assert built.warnings == ""
    link = built.page.select_one("a.live-setting")
    assert link["href"] == address
    assert link.get_text() == "every eighth"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (live(kind="no-such"), "there is no live figure 'no-such'"),
        (live(content="Text.\n"), "the content makes 0 figures"),
        (live(content=PICTURE + "\n" + PICTURE), "the content makes 2 figures"),
        (live(":state: offset:4\n"), "'offset:4' in a figure's state is not name=value"),
        ("{setting}`stride 8`", "'stride 8' is not WORDS <FIGURE NAME=VALUE ...>"),
        ("{setting}`stride 8 <demo stride:8>`", "'stride:8' in a figure's state is not name=value"),
        (live() + "\n" + live(), "has a live figure 'demo' already"),
    ],
)
def test_errors(build: Build, text: str, message: str) -> None:
    assert message in build(text).warnings
