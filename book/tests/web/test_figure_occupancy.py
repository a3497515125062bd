"""The live figure of occupancy: what it shows is what the model says, however it is operated."""

from __future__ import annotations

import random

import pytest
from native_model import native
from open_figure import OpenFigure
from playwright.sync_api import Page, expect

KIB = 1024
LIMITS = ("warps", "registers", "shared", "blocks")
SEED = 20261130


@pytest.fixture
def figure(page: Page, book_url: str) -> OpenFigure:
    return OpenFigure(page, f"{book_url}chapters/04_occupancy/occupancy.html", "occupancy")


def model_of(state: dict[str, str | int]) -> list[float]:
    """The model's answer to a state of the figure."""
    version = [int(part) for part in str(state["capability"]).split(".")]
    shared = int(state["shared"]) * KIB
    rest = (state["threads"], state["registers"], shared)
    most = native("occupancy", *version, *rest, -1, -1)[-2] if state["opt_in"] else -1
    return native("occupancy", *version, *rest, most, state["carve_out"])


def check(figure: OpenFigure, state: dict[str, str | int]) -> None:
    """Fails unless the figure shows what the model says of this state."""
    blocks, warps, *rest = model_of(state)
    places = rest[14]
    assert figure.facts() == {
        "Resident blocks": f"{blocks:.0f}",
        "Resident warps": f"{warps:.0f} of {places:.0f}",
        "Occupancy": f"{100 * warps / places:.1f}\u00a0%",
    }
    for index, limit in enumerate(LIMITS):
        allows, binds = rest[2 * index : 2 * index + 2]
        bar = figure.element.locator(f'[data-limit="{limit}"]')
        assert int(bar.get_attribute("data-allows")) == allows
        assert bar.locator("strong").count() == binds
        assert bar.locator(".resident").count() == (blocks if allows < 2**31 - 1 else 0)


def test_it_begins_as_the_picture_that_it_replaces(figure: OpenFigure) -> None:
    state = {"capability": "8.9", "threads": 1024, "registers": 38, "shared": 8, "opt_in": 1, "carve_out": -1}
    check(figure, state)
    title = figure.element.locator("figcaption, svg title").first.text_content()
    assert "32 x 32 on 8.9" in title


def test_random_settings_show_what_the_model_says(figure: OpenFigure) -> None:
    generator = random.Random(SEED)
    capabilities = figure.control("Compute capability").locator("option").evaluate_all("all => all.map(o => o.value)")
    for _ in range(40):
        state = {
            "capability": generator.choice(capabilities),
            "threads": 8 * generator.randint(1, 128),
            "registers": generator.randint(1, 255),
            "shared": generator.choice([0, generator.randint(0, 16), generator.randint(0, 227)]),
            "opt_in": generator.randint(0, 1),
            "carve_out": generator.choice([-1, 0, 25, 50, 75, 100]),
        }
        figure.show(",".join(f"{name}:{value}" for name, value in state.items()))
        check(figure, state)


def test_it_knows_all_capabilities_of_the_model(figure: OpenFigure) -> None:
    numbers = native("capabilities")
    known = [f"{major:.0f}.{minor:.0f}" for major, minor in zip(numbers[::2], numbers[1::2], strict=True)]
    options = figure.control("Compute capability").locator("option")
    assert options.evaluate_all("all => all.map(option => option.value)") == known


def test_by_mouse(figure: OpenFigure, page: Page, book_url: str) -> None:
    figure.control("Compute capability").select_option("9.0")
    slider = figure.control("Threads a block")
    box = slider.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    threads = int(slider.input_value())
    assert 480 <= threads <= 560
    state = {"capability": "9.0", "threads": threads, "registers": 38, "shared": 8, "opt_in": 1, "carve_out": -1}
    check(figure, state)
    figure.expect_address(f"capability:9.0,threads:{threads}")
    again = OpenFigure(page, page.url, "occupancy")
    check(again, state)
    again.reset()
    check(again, state | {"capability": "8.9", "threads": 1024})


def test_by_keyboard(figure: OpenFigure, page: Page) -> None:
    slider = figure.control("Shared memory a block")
    slider.focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    state = {"capability": "8.9", "threads": 1024, "registers": 38, "shared": 226, "opt_in": 1, "carve_out": -1}
    check(figure, state)
    expect(slider).to_be_focused()
    assert "not even one fits. What is missing: shared memory." in figure.text()
    page.keyboard.press("Home")
    for _ in range(49):
        page.keyboard.press("ArrowRight")
    check(figure, state | {"shared": 49})
    figure.control("Opted in to more than 48 KiB").focus()
    page.keyboard.press("Space")
    check(figure, state | {"shared": 49, "opt_in": 0})
    assert figure.facts()["Resident blocks"] == "0"


def test_words_of_the_text_set_it(figure: OpenFigure, page: Page) -> None:
    page.get_by_role("link", name="Ask for a carve-out of 0").click()
    assert figure.facts()["Resident blocks"] == "8"
    page.get_by_role("link", name="Blocks of one warp").click()
    assert figure.facts()["Resident warps"] == "24 of 64"
