"""The live figure of the tiles' march: what it shows is what the model says, step by step."""

from __future__ import annotations

import random

import pytest
from native_model import native
from open_figure import OpenFigure
from playwright.sync_api import Page, expect

SEED = 20261130
PAGE = "chapters/02_tiling/tiling.html"


@pytest.fixture
def figure(page: Page, book_url: str) -> OpenFigure:
    return OpenFigure(page, f"{book_url}{PAGE}", "march")


def check(figure: OpenFigure, step: int, **changes: int) -> None:
    """Fails unless the figure shows what the model says of a step, with these sizes changed."""
    sizes = {"m": 8, "n": 8, "k": 8, "tile": 4} | changes
    steps, _rows, _columns, _along, *costs = native("march", *sizes.values(), step)
    loads, zeros, products, naive = costs[:4]
    now = costs[4:8]
    assert figure.facts() == {
        "Loaded now": f"{now[0]:,.0f}",
        "Zeros now": f"{now[1]:,.0f}",
        "Loaded so far": f"{loads:,.0f}",
        "Naive so far": f"{naive:,.0f}",
        "Naive / tiled": f"{naive / loads:.1f}" if loads else "–",
    }
    assert figure.element.locator(".live-player .live-value").text_content() == f"step {step} of {steps:.0f}"
    assert figure.element.locator(".live-stage > * > svg .zero").count() == now[1]
    assert naive == 2 * products
    row, column, _turn = costs[12:15]
    if step:
        assert figure.element.get_by_text(f"block ({row:.0f}, {column:.0f})", exact=True).count() == 1
    assert zeros >= now[1]


def test_it_begins_as_the_picture_that_it_replaces(figure: OpenFigure) -> None:
    check(figure, step=3)
    drawing = figure.element.locator(":scope > * svg desc").first.text_content()
    assert drawing.startswith("Step 3 of 8: block (0, 1) loads 32 elements. So far 96 elements, where the naive ")
    assert figure.text().startswith(
        "Step 3 of 8: block (0, 1) loads tile (0, 0) of A and tile (0, 1) of B, 32 elements. "
    )


def test_random_settings_show_what_the_model_says(figure: OpenFigure) -> None:
    generator = random.Random(SEED)
    for _ in range(30):
        m, n, k, tile = *(generator.randint(1, 12) for _ in range(3)), generator.randint(1, 8)
        steps = int(native("march", m, n, k, tile, 0)[0])
        step = generator.randint(0, steps)
        figure.show(f"m:{m},n:{n},k:{k},tile:{tile},step:{step}")
        check(figure, step, m=m, n=n, k=k, tile=tile)


def test_by_keyboard(figure: OpenFigure, page: Page) -> None:
    button = figure.element.get_by_role("button", name="Next step")
    button.focus()
    page.keyboard.press("Enter")
    check(figure, step=4)
    page.keyboard.press("ArrowRight")
    check(figure, step=5)
    page.keyboard.press("ArrowLeft")
    check(figure, step=4)
    expect(button).to_be_focused()
    assert PAGE in page.url, "the arrow keys turn no pages here"
    slider = figure.control("Step")
    slider.focus()
    page.keyboard.press("End")
    check(figure, step=8)
    figure.control("T: width of a tile").focus()
    page.keyboard.press("ArrowLeft")
    check(figure, step=27, tile=3)  # the last step stays the last
    figure.control("Thread to follow").focus()
    page.keyboard.press("End")
    assert "Thread (2, 2) multiplies row 2" in figure.text()


def test_by_mouse_and_back_from_the_address(figure: OpenFigure, page: Page) -> None:
    figure.element.get_by_role("button", name="Back one step").click()
    check(figure, step=2)
    block = figure.element.locator(".live-stage > * > svg .block").bounding_box()
    page.mouse.click(block["x"] + 0.9 * block["width"], block["y"] + 0.6 * block["height"])
    figure.expect_address("thread:11,step:2")
    again = OpenFigure(page, page.url, "march")
    check(again, step=2)
    assert "Thread (2, 3) multiplies row 2" in again.text()
    again.reset()
    check(again, step=3)


def test_it_plays_to_the_end_and_not_for_those_who_asked_for_little_motion(figure: OpenFigure, page: Page) -> None:
    figure.show("step:7")
    figure.element.get_by_role("button", name="Play").click()
    expect(figure.element.locator(".live-player .live-value")).to_have_text("step 8 of 8")
    expect(figure.element.get_by_role("button", name="Play")).to_be_visible()  # it has ended
    page.emulate_media(reduced_motion="reduce")
    still = OpenFigure(page, page.url, "march")
    expect(still.element.get_by_role("button", name="Next step")).to_be_visible()
    expect(still.element.get_by_role("button", name="Play")).to_have_count(0)


def test_words_of_the_text_set_it(figure: OpenFigure, page: Page) -> None:
    page.get_by_role("link", name="tiles of 2").click()
    check(figure, step=64, tile=2)
    page.get_by_role("link", name="10 x 10 x 10").click()
    check(figure, step=27, m=10, n=10, k=10)
