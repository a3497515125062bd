"""What all live figures have in common: they take their picture's place without a jolt, or leave it where it is."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import pytest
from browser import Watch
from open_figure import OpenFigure
from playwright.sync_api import BrowserContext, Page, expect

ELEMENT = re.compile(r'<lanes-[a-z]+ class="live-figure" id="([^"]+)"')
FAR_BELOW = ("chapters/03_bank_conflicts/bank_conflicts.html", "banks")
# Only what moves in the text: the theme's columns find their places while a long page is still read.
OBSERVE_SHIFTS = """
    globalThis.shift = 0;
    const inText = (entry) => entry.sources.some((source) => source.node?.parentElement?.closest('article'));
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries().filter(inText)) globalThis.shift += entry.value;
    }).observe({type: 'layout-shift', buffered: true});
"""
ROOM_AND_NEED = """figure => [
    parseFloat(getComputedStyle(figure).minHeight), figure.querySelector('.live').getBoundingClientRect().height]"""

NewContext = Callable[..., BrowserContext]


def figures_of_the_book() -> list[tuple[str, str]]:
    """Page and id of every live figure."""
    folder = Path(os.environ.get("LANES_BOOK_HTML", Path(__file__).parents[3] / "build" / "book" / "html"))
    pages = sorted(folder.rglob("*.html"))
    return [
        (str(page.relative_to(folder)), identifier)
        for page in pages
        for identifier in ELEMENT.findall(page.read_text(encoding="utf-8"))
    ]


FIGURES = figures_of_the_book()


def test_the_book_has_live_figures() -> None:
    assert {identifier for _, identifier in FIGURES} >= {"sectors", "sectors-order", "banks", "march"}


def check_names(figure: OpenFigure) -> None:
    """Fails unless screen readers get a name for the figure, sentences for its picture, a label for each control."""
    title = figure.element.locator(".live-title").inner_text()
    expect(figure.element.get_by_role("group", name=title).first).to_be_visible()
    text = figure.element.locator(".live-text")
    assert text.inner_text().endswith((".", "?"))
    assert text.get_attribute("aria-live") == "polite"
    labels = figure.element.locator("input, select").evaluate_all(
        "all => all.map(input => input.labels[0]?.textContent ?? input.ariaLabel)"
    )
    assert labels
    assert all(labels)


@pytest.mark.parametrize(("path", "identifier"), FIGURES, ids=[identifier for _, identifier in FIGURES])
def test_nothing_moves_when_it_comes_to_life(
    new_context: NewContext, book_url: str, path: str, identifier: str
) -> None:
    for width, touch in ((360, True), (1600, False)):
        context = new_context(viewport={"width": width, "height": 900}, has_touch=touch, is_mobile=touch)
        context.add_init_script(OBSERVE_SHIFTS)
        page = context.new_page()
        figure = OpenFigure(page, f"{book_url}{path}#{identifier}", identifier)
        page.wait_for_timeout(100)
        room, need = figure.element.evaluate(ROOM_AND_NEED)
        assert need <= room, f"{width} pixels: the style sheet keeps {room} pixels free, and it takes {need}"
        assert page.evaluate("globalThis.shift") < 0.01, f"{width} pixels: something moved"
        check_names(figure)
        context.close()


def test_without_scripts_there_is_the_picture(new_context: NewContext, book_url: str) -> None:
    page = new_context(java_script_enabled=False).new_page()
    for path, identifier in FIGURES:
        page.goto(f"{book_url}{path}")
        expect(page.locator(f"#{identifier} svg:visible").first).to_be_visible()
        assert page.locator(f"#{identifier} .live").count() == 0


def test_in_print_there_is_the_picture(page: Page, book_url: str) -> None:
    figure = OpenFigure(page, f"{book_url}{FIGURES[0][0]}", FIGURES[0][1])
    picture = figure.element.locator(":scope > :not(.live) svg").first
    expect(picture).to_be_hidden()
    page.emulate_media(media="print")
    expect(picture).to_be_visible()
    expect(figure.element.locator(".live")).to_be_hidden()


def test_where_loading_fails_there_is_the_picture_and_a_word(page: Page, book_url: str, watch: Watch) -> None:
    page.route("**/lanes-model.js*", lambda route: route.abort())
    path, identifier = FIGURES[0]
    page.goto(f"{book_url}{path}#{identifier}")
    figure = page.locator(f"#{identifier}")
    expect(figure.locator(".live-failed")).to_contain_text("picture only")
    expect(figure.locator("svg").first).to_be_visible()
    assert any("lanes-model.js" in problem for problem in watch.problems)
    watch.problems.clear()


def test_the_model_is_loaded_when_a_figure_is_near(page: Page, book_url: str, watch: Watch) -> None:
    path, identifier = FAR_BELOW
    page.goto(f"{book_url}{path}")
    page.wait_for_timeout(300)
    assert not any("lanes-model" in url for url in watch.requests)
    OpenFigure(page, page.url, identifier)
    assert any("lanes-model" in url for url in watch.requests)


def test_a_slider_that_moves_is_not_spoken_on_its_way(page: Page, book_url: str) -> None:
    figure = OpenFigure(page, f"{book_url}{FAR_BELOW[0]}", FAR_BELOW[1])
    text = figure.element.locator(".live-text")
    text.evaluate("""text => {
        globalThis.spoken = [];
        new MutationObserver(() => globalThis.spoken.push(text.textContent)).observe(text, {childList: true});
    }""")
    figure.control("Padding").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    assert figure.facts()["Padding bytes"] == str(5 * 32 * 4), "what is seen is drawn at once"
    assert figure.text().count("37 from row to row") == 1
    assert page.evaluate("globalThis.spoken.length") == 1


def test_a_link_to_the_setting_can_be_copied(new_context: NewContext, served_url: str) -> None:
    context = new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    figure = OpenFigure(page, f"{served_url}{FAR_BELOW[0]}", FAR_BELOW[1])
    figure.control("Padding").fill("3")
    figure.element.get_by_role("button", name="Copy link").click()
    expect(figure.element.get_by_role("status")).to_have_text("Link copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == f"{served_url}{FAR_BELOW[0]}?banks=padding:3#banks"
    again = OpenFigure(page, link, FAR_BELOW[1])
    assert again.control("Padding").input_value() == "3"


def test_the_state_of_one_figure_leaves_others_in_the_address(page: Page, book_url: str) -> None:
    path = "chapters/01_coalescing/coalescing.html"
    figure = OpenFigure(page, f"{book_url}{path}?theme=dark&sectors-order=stride:2&sectors=stride:3", "sectors")
    figure.control("Stride").press("ArrowRight")
    figure.expect_address("stride:4")
    assert unquote(page.url).endswith("?theme=dark&sectors-order=stride:2&sectors=stride:4")


@pytest.mark.parametrize("value", ["constructor", "__proto__", "2", "NaN", "%", "9" * 400])
def test_a_setting_of_an_address_that_means_nothing_is_left_out(page: Page, book_url: str, value: str) -> None:
    figure = OpenFigure(page, f"{book_url}{FAR_BELOW[0]}?banks=swizzle:{value},way:{value},padding:3", "banks")
    expect(figure.control("Swizzled: x ^ y")).not_to_be_checked()
    assert figure.control("Padding").input_value() == "3"
