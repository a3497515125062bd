"""The live figures of divergence: instructions and active lanes are the model's, and every lane can be set."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from native_model import native
from open_figure import OpenFigure
from playwright.sync_api import BrowserContext, Page, expect

PAGE = "chapters/05_divergence/divergence.html"
ALL = 0xFFFFFFFF
DIGITS = "0123456789abcdefghijklmnopqrstuvw"
SEED = 20261130


@pytest.fixture
def branch(page: Page, book_url: str) -> OpenFigure:
    return OpenFigure(page, f"{book_url}{PAGE}", "divergence")


@pytest.fixture
def loop(page: Page, book_url: str) -> OpenFigure:
    return OpenFigure(page, f"{book_url}{PAGE}", "divergence-loop")


def drawn_masks(figure: OpenFigure) -> list[int]:
    """The lanes drawn as active in each instruction, by where they stand below the row in which lanes are set."""
    masks = figure.element.locator(".live-stage svg").evaluate(
        """svg => {
            const boxes = [...svg.querySelectorAll('[data-lane] > rect:first-child')];
            const places = boxes.map(box => Number(box.getAttribute('x')));
            const laneAt = x => places.reduce((best, place, lane) =>
                Math.abs(place - x) < Math.abs(places[best] - x) ? lane : best, 0);
            return [...svg.querySelectorAll('[data-issue]')].map(path =>
                [...path.getAttribute('d').matchAll(/M([\\d.]+)/g)].map(start => laneAt(Number(start[1]))));
        }"""
    )
    return [sum(1 << lane for lane in lanes) for lanes in masks]


def check(figure: OpenFigure, answer: list[float], step: int | None = None) -> None:
    """Fails unless the figure shows this answer of the model, up to a step."""
    issues, active = int(answer[0]), [int(count) for count in answer[6::4]]
    now = issues if step is None else step
    used = sum(active[:now])
    assert drawn_masks(figure) == answer[5::4]
    assert sum(active) == answer[1]
    assert figure.facts() == {
        "Instructions issued": f"{now} of {issues}",
        "Active lanes in this one": f"{active[now - 1]} of 32" if now else "\u2013",
        "Lane efficiency so far": f"{100 * used / (32 * now):.1f}\u00a0%" if now else "\u2013",
    }


def mask_in(figure: OpenFigure) -> int:
    """The lanes that take the if."""
    pressed = figure.element.locator("[data-lane]").evaluate_all("all => all.map(lane => lane.ariaPressed === 'true')")
    return sum(1 << lane for lane, on in enumerate(pressed) if on)


def test_random_branches_and_loops(branch: OpenFigure) -> None:
    generator = random.Random(SEED)
    for _ in range(12):
        mask, then, other = generator.getrandbits(32), generator.randint(1, 20), generator.randint(0, 20)
        branch.show(f"condition:hand,mask:{mask:08x},then:{then},else:{other}")
        check(branch, native("branch", ALL, mask, then, other))
        trips, body = [generator.randint(0, 32) for _ in range(32)], generator.randint(1, 4)
        branch.show(f"code:loop,spread:hand,trips:{''.join(DIGITS[turns] for turns in trips)},body:{body}")
        check(branch, native("loop", ALL, body, *trips))


def test_conditions(branch: OpenFigure) -> None:
    for state, lanes in (
        ("condition:less,k:0", 0),
        ("condition:less,k:5", 0x1F),
        ("condition:less,k:32", ALL),
        ("condition:multiple,k:8", 0x01010101),
        ("condition:multiple,k:0", ALL),
    ):
        branch.show(state)
        assert mask_in(branch) == lanes, state
        check(branch, native("branch", ALL, lanes, 6, 3))


def test_loops(loop: OpenFigure) -> None:
    for spread, trips in (
        ("growing", [1 + lane for lane in range(32)]),
        ("one", [1] * 31 + [32]),
        ("same", [32] * 32),
    ):
        loop.show(f"spread:{spread},turns:32")
        check(loop, native("loop", ALL, 1, *trips))


def test_the_text_says_what_its_figures_show(branch: OpenFigure, page: Page) -> None:
    check(branch, native("branch", ALL, 0xFFFF, 6, 3))
    assert "16 lanes one way, 16 the other. The warp issues 9 instructions." in branch.text()
    loop = OpenFigure(page, page.url, "divergence-loop")
    page.get_by_role("link", name="1 to 32 turns").click()
    assert loop.facts()["Lane efficiency so far"] == f"{100 * 16.5 / 32:.1f}\u00a0%"
    page.get_by_role("link", name="one lane with 32").click()
    assert loop.facts()["Instructions issued"] == "32 of 32"


def test_lanes_by_mouse(branch: OpenFigure, page: Page, book_url: str) -> None:
    lane = branch.element.locator("[data-lane]")
    lane.nth(20).click()
    assert mask_in(branch) == 0xFFFF | 1 << 20
    first, last = lane.nth(2).bounding_box(), lane.nth(9).bounding_box()
    page.mouse.move(first["x"] + 4, first["y"] + 9)
    page.mouse.down()
    page.mouse.move(last["x"] + 4, last["y"] + 9, steps=20)
    page.mouse.up()
    page.mouse.move(first["x"], first["y"] + 9)
    expected = (0xFFFF | 1 << 20) & ~0x3FC
    assert mask_in(branch) == expected
    check(branch, native("branch", ALL, expected, 6, 3))
    branch.expect_address(f"condition:hand,mask:{expected:08x}")
    again = OpenFigure(page, page.url, "divergence")
    check(again, native("branch", ALL, expected, 6, 3))
    again.reset()
    check(again, native("branch", ALL, 0xFFFF, 6, 3))


def test_lanes_by_keyboard(branch: OpenFigure, page: Page) -> None:
    branch.element.locator('[data-lane][tabindex="0"]').focus()
    for key in ("Space", "ArrowRight", "ArrowRight", "Enter", "End", "Space", "ArrowRight"):
        page.keyboard.press(key)
    assert mask_in(branch) == (0xFFFF & ~0b101) | 1 << 31
    expect(branch.element.locator('[data-lane="31"]')).to_be_focused()


def test_turns_by_keyboard_and_mouse(loop: OpenFigure, page: Page) -> None:
    lane = loop.element.locator("[data-lane]")
    lane.nth(0).focus()
    for key in ("PageUp", "ArrowUp", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    trips = [1 + lane // 4 for lane in range(32)]
    trips[0:2] = [1 + 4 - 1, 0]
    check(loop, native("loop", ALL, 1, *trips))
    loop.expect_address(f"spread:hand,trips:{''.join(map(str, trips))}")
    box = lane.nth(5).locator(".unchosen").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 1)
    trips[5] = 8
    check(loop, native("loop", ALL, 1, *trips))


def test_steps(branch: OpenFigure, page: Page) -> None:
    answer = native("branch", ALL, 0xFFFF, 6, 3)
    player = branch.element.get_by_role("group", name="Steps")
    player.get_by_role("button", name="First step").click()
    check(branch, answer, 0)
    player.get_by_role("button", name="Next step").click()
    page.keyboard.press("ArrowRight")
    check(branch, answer, 2)
    branch.expect_address("step:2")
    page.keyboard.press("ArrowLeft")
    check(branch, answer, 1)
    slider = player.get_by_role("slider", name="Step")
    slider.focus()
    page.keyboard.press("End")
    check(branch, answer, 9)
    assert branch.element.locator(".current").count() == 1
    branch.expect_address("")
    player.get_by_role("button", name="First step").click()
    player.get_by_role("button", name="Play").click()
    expect(branch.element.locator(".live-facts")).to_contain_text("2 of 9")
    player.get_by_role("button", name="Pause").click()
    stopped = branch.facts()
    page.wait_for_timeout(700)
    assert branch.facts() == stopped


def test_nothing_plays_by_itself_for_readers_who_asked_for_little_motion(
    new_context: Callable[..., BrowserContext], book_url: str
) -> None:
    page = new_context(reduced_motion="reduce").new_page()
    figure = OpenFigure(page, f"{book_url}{PAGE}", "divergence")
    assert figure.element.get_by_role("button", name="Next step").count() == 1
    assert figure.element.get_by_role("button", name="Play").count() == 0
