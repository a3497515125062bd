"""The live figure of banks: what it shows is what the model says, however it is operated."""

from __future__ import annotations

import random
import re

import pytest
from native_model import native
from open_figure import OpenFigure
from playwright.sync_api import Page, expect

SEED = 20261130
FIRST = {"banks": 32, "width": 32, "padding": 1, "bytes": 4, "way": "column", "swizzle": 0}


@pytest.fixture
def figure(page: Page, book_url: str) -> OpenFigure:
    return OpenFigure(page, f"{book_url}chapters/03_bank_conflicts/bank_conflicts.html", "banks")


def wavefronts_listed(figure: OpenFigure) -> list[tuple[set[int], bool]]:
    """The lanes of each wavefront in the list, and whether it is called a conflict."""
    listed = []
    for text in figure.element.locator(".wavefronts li").all_text_contents():
        ranges = re.findall(r"(\d+)(?: to (\d+))?", text)
        lanes = {lane for first, last in ranges for lane in range(int(first), int(last or first) + 1)}
        listed.append((lanes, "conflict" in text))
    return listed


def check(figure: OpenFigure, **changes: int | str) -> None:
    """Fails unless the figure shows what the model says of its first state with these changes."""
    state = FIRST | changes
    banks, width, size = int(state["banks"]), int(state["width"]), int(state["bytes"])
    pitch = width + int(state["padding"])
    down = state["way"] == "column"
    wavefronts, best, conflicts, *places = native("banks", banks, size, width, pitch, int(down), state["swizzle"])
    assert figure.facts() == {
        "Wavefronts": f"{wavefronts:.0f}",
        "At best": f"{best:.0f}",
        "Conflicts": f"{conflicts:.0f}",
        "Padding bytes": str(width * int(state["padding"]) * size),
    }
    served = [places[6 * lane + 5] for lane in range(banks)]
    listed = wavefronts_listed(figure)
    assert [lanes for lanes, _ in listed] == [
        {lane for lane in range(banks) if served[lane] == number} for number in range(int(wavefronts))
    ]
    assert sum(conflict for _, conflict in listed) == conflicts


def test_it_begins_as_the_picture_that_it_replaces(figure: OpenFigure) -> None:
    check(figure)
    assert "33 floats from row to row" in figure.element.locator(":scope > * svg title").first.text_content()
    assert figure.text().endswith("33 from row to row, from 32 banks: 1 wavefront, no conflict.")


def test_random_settings_show_what_the_model_says(figure: OpenFigure) -> None:
    generator = random.Random(SEED)
    for _ in range(30):
        banks = generator.choice([8, 32, 32])
        state = {
            "banks": banks,
            "width": generator.choice([8, 16, 32]),
            "padding": generator.randint(0, 16),
            "bytes": generator.choice([4, 8, 16]) if banks == 32 else 4,
            "way": generator.choice(["row", "column"]),
            "swizzle": generator.randint(0, 1),
        }
        figure.show(",".join(f"{name}:{value}" for name, value in state.items()))
        check(figure, **state)


def test_by_keyboard(figure: OpenFigure, page: Page) -> None:
    padding = figure.control("Padding")
    padding.focus()
    page.keyboard.press("ArrowLeft")
    check(figure, padding=0)
    assert figure.facts()["Wavefronts"] == "32"
    swizzle = figure.control("Swizzled: x ^ y")
    swizzle.focus()
    page.keyboard.press("Space")
    check(figure, padding=0, swizzle=1)
    expect(swizzle).to_be_focused()
    summary = figure.element.locator(".wavefronts summary")
    summary.focus()
    page.keyboard.press("Enter")
    items = figure.element.locator(".wavefronts li")
    expect(items.first).to_be_visible()
    padding.focus()
    page.keyboard.press("ArrowRight")
    check(figure, padding=1, swizzle=1)
    expect(items.first).to_be_visible()  # what was opened stays open


def test_by_mouse_and_back_from_the_address(figure: OpenFigure, page: Page) -> None:
    figure.control("Bytes of an element").select_option("8")
    figure.control(
        "Tile",
    ).select_option("16")
    figure.control("The lanes go").select_option("row")
    check(figure, bytes=8, width=16, way="row")
    figure.element.locator('[data-bank="5"]').click()
    assert figure.element.get_by_text("Bank 5:").count() == 1
    assert figure.control("Bank to mark").input_value() == "5"
    figure.expect_address("width:16,bytes:8,way:row,bank:5")
    again = OpenFigure(page, page.url, "banks")
    check(again, bytes=8, width=16, way="row")
    again.control("Banks, and lanes").select_option("8")
    check(again, banks=8, width=16, way="row")
    expect(again.control("Bytes of an element")).to_be_hidden()
    again.reset()
    check(again)


def test_a_bank_that_the_small_machine_lacks_is_not_marked(page: Page, book_url: str) -> None:
    url = f"{book_url}chapters/03_bank_conflicts/bank_conflicts.html?banks=bank:31,banks:8,padding:99"
    figure = OpenFigure(page, url, "banks")
    assert figure.control("Bank to mark").input_value() == "7"
    check(figure, banks=8, padding=16)


def test_words_of_the_text_set_it(figure: OpenFigure, page: Page) -> None:
    page.get_by_role("link", name="away", exact=True).click()
    check(figure, padding=0)
    page.get_by_role("link", name="16 x 16", exact=True).click()
    check(figure, width=16)
    page.get_by_role("link", name="bank 5", exact=True).click()
    check(figure, padding=0, swizzle=1)
    assert figure.control("Bank to mark").input_value() == "5"
