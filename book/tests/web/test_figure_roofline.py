"""The live figure of the roofline: the roofs are those of the results, and the reader's kernel lies where it must."""

from __future__ import annotations

import json
import random

import pytest
from native_model import ROOT, native
from open_figure import OpenFigure
from playwright.sync_api import Locator, Page, expect

SEED = 20261130
TIMES = ROOT / "book" / "results" / "tiling" / "h200.times.json"


@pytest.fixture
def figure(page: Page, book_url: str) -> OpenFigure:
    return OpenFigure(page, f"{book_url}chapters/02_tiling/tiling.html", "roofline")


@pytest.fixture(scope="module")
def measured() -> dict[str, dict[str, float]]:
    """The measurements by name."""
    return {entry["name"]: entry for entry in json.loads(TIMES.read_text(encoding="utf-8"))["measurements"]}


def three_digits(number: float) -> str:
    """As the figure writes numbers."""
    return f"{float(f'{number:.3g}'):,.10g}"


def check(figure: OpenFigure, peak: float, slope: float, kernel: tuple[float, float, float]) -> None:
    """Fails unless the figure shows what the model says of a kernel: GFLOP, GB and ms, under GFLOP/s and GB/s."""
    flop, size, time = kernel
    _, intensity, rate, bound, share, arithmetic = native(
        "roofline", peak * 1e9, slope * 1e9, flop * 1e9, size * 1e9, time * 1e-3
    )
    assert figure.facts() == {
        "Operations a byte": three_digits(intensity),
        "GFLOP/s": three_digits(rate / 1e9),
        "The roof here, GFLOP/s": three_digits(bound / 1e9),
        "Of the roof": f"{100 * share:,.1f}\u00a0%",
        "The lower roof here": "arithmetic" if arithmetic else "memory",
    }


def kernel_of(figure: OpenFigure) -> tuple[float, float, float]:
    """GFLOP, GB and ms of the reader's kernel."""
    labels = ("Operations, GFLOP", "Bytes moved, GB", "Time, ms")
    flop, size, time = (float(figure.control(label).input_value()) for label in labels)
    return flop, size, time


def own(figure: OpenFigure) -> Locator:
    return figure.element.locator(".own")


@pytest.fixture
def roofs(measured: dict[str, dict[str, float]]) -> tuple[float, float]:
    """Peak and slope of the book's card."""
    return measured["fma_peak"]["gflop_per_s"], measured["memcpy"]["gb_per_s"]


def test_the_roofs_and_kernels_are_those_of_the_results(
    figure: OpenFigure, roofs: tuple[float, float], measured: dict[str, dict[str, float]]
) -> None:
    numbers = json.loads(figure.element.get_attribute("data-numbers"))
    assert (numbers["peak"], numbers["slope"]) == roofs
    assert numbers["device"] == "H200"
    for point in numbers["points"]:
        assert point["y"] == measured[point["name"]]["gflop_per_s"]
    assert len(numbers["points"]) == figure.element.locator(".kernel").count() > 8
    check(figure, *roofs, (100, 100, 100))


# Whether a number meets the roof, one of its names or another number, or leaves the picture; what it meets.
MEETINGS = """picture => {
    const roof = picture.querySelector(".roof");
    const samples = Array.from({length: 500}, (_, i) => roof.getPointAtLength(roof.getTotalLength() * i / 499));
    const numbers = [...picture.querySelectorAll(".kernel-number")];
    const meetings = [];
    for (const number of numbers) {
        const box = number.getBBox();
        const holds = ({x, y}) => x > box.x && x < box.x + box.width && y > box.y + 3 && y < box.y + box.height - 3;
        if (samples.some(holds)) meetings.push(`${number.textContent} and the roof`);
        if (box.x < 0 || box.x + box.width > picture.clientWidth) meetings.push(`${number.textContent} and the edge`);
        const middle = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
        for (const name of picture.querySelectorAll(".roof-name")) {
            const matrix = name.transform.baseVal.consolidate()?.matrix;
            const {x, y} = matrix ? middle.matrixTransform(DOMMatrix.fromMatrix(matrix).inverse()) : middle;
            const other = name.getBBox();
            if (x > other.x && x < other.x + other.width && y > other.y && y < other.y + other.height)
                meetings.push(`${number.textContent} and ${name.textContent}`);
        }
        for (const another of numbers) {
            const {x, y, width, height} = another.getBBox();
            if (another !== number && holds({x: x + width / 2, y: y + height / 2}))
                meetings.push(`${number.textContent} and ${another.textContent}`);
        }
    }
    return meetings;
}"""


@pytest.mark.parametrize("width", [360, 640, 900, 1600])
def test_no_number_lies_on_anything(page: Page, book_url: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 1200})
    figure = OpenFigure(page, f"{book_url}chapters/02_tiling/tiling.html", "roofline")
    picture = figure.element.locator("svg[aria-label=Roofline]")
    assert picture.locator(".kernel-number").count() > 8
    assert picture.evaluate(MEETINGS) == []


def test_random_kernels(figure: OpenFigure, roofs: tuple[float, float]) -> None:
    generator = random.Random(SEED)
    for _ in range(15):
        flop, size, time, peak, bandwidth = (round(10 ** generator.uniform(-1, 4), 3) for _ in range(5))
        kernel = f"flop:{flop},bytes:{size},time:{time}"
        figure.show(kernel)
        check(figure, *roofs, (flop, size, time))
        figure.show(f"{kernel},card:own,peak:{peak},bandwidth:{bandwidth}")
        check(figure, peak, bandwidth, (flop, size, time))


def test_numbers_by_keyboard(figure: OpenFigure, page: Page, roofs: tuple[float, float]) -> None:
    for label, number in (("Operations, GFLOP", "1"), ("Bytes moved, GB", "12"), ("Time, ms", "4.5")):
        figure.control(label).focus()
        page.keyboard.press("Control+a")
        page.keyboard.type(number)
    page.keyboard.press("Tab")
    check(figure, *roofs, (1, 12, 4.5))
    figure.expect_address("flop:1,bytes:12,time:4.5")
    again = OpenFigure(page, page.url, "roofline")
    check(again, *roofs, (1, 12, 4.5))
    again.reset()
    check(again, *roofs, (100, 100, 100))


def test_own_card(figure: OpenFigure) -> None:
    expect(figure.control("Your card: GFLOP/s")).to_be_hidden()
    figure.control("Roofs").select_option("own")
    figure.control("Your card: GFLOP/s").fill("40000")
    figure.control("Your card: GB/s").fill("1008")
    check(figure, 40000, 1008, (100, 100, 100))
    assert figure.element.locator(".kernel").count() == 0  # they were measured on another card
    assert "On your card that is left of the ridge" in figure.text()


def test_the_diamond_by_keyboard(figure: OpenFigure, page: Page, roofs: tuple[float, float]) -> None:
    own(figure).focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    for _ in range(8):
        page.keyboard.press("ArrowUp")
    flop, size, time = kernel_of(figure)
    assert (flop, size, time) == pytest.approx((100, 50, 25), rel=2e-3)
    check(figure, *roofs, (flop, size, time))
    expect(own(figure)).to_be_focused()


def test_the_diamond_by_mouse(figure: OpenFigure, page: Page, roofs: tuple[float, float]) -> None:
    before = own(figure).locator("path").bounding_box()
    x, y = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y - 40, steps=5)
    after = own(figure).locator("path").bounding_box()
    assert after["x"] - before["x"] == pytest.approx(60, abs=1)
    assert after["y"] - before["y"] == pytest.approx(-40, abs=1)
    page.mouse.up()
    flop, size, time = kernel_of(figure)
    assert flop == 100
    assert size < 100
    assert time < 100
    check(figure, *roofs, (flop, size, time))


def test_it_begins_with_a_kernel_of_the_book(figure: OpenFigure, roofs: tuple[float, float]) -> None:
    point = next(
        p for p in json.loads(figure.element.get_attribute("data-numbers"))["points"] if p["name"] == "tiled_32"
    )
    choice = figure.element.get_by_label("Begin with a kernel of this chapter")
    choice.select_option(label="5 tiled_32")
    flop, size, time = kernel_of(figure)
    assert flop / size == pytest.approx(point["x"], rel=1e-3)
    assert flop / time * 1000 == pytest.approx(point["y"], rel=1e-3)
    check(figure, *roofs, (flop, size, time))


def test_above_the_roof_it_says_so(figure: OpenFigure, page: Page) -> None:
    figure.show("time:1")
    assert "It is above that" in figure.text()
    page.get_by_role("link", name="1 operation for 12 bytes").click()
    assert "memory allows" in figure.text()


def test_in_print_there_is_one_picture(figure: OpenFigure, page: Page) -> None:
    pictures = figure.element.locator(":scope > div[class^=picture]")
    assert [picture.is_visible() for picture in pictures.all()] == [False, False]
    page.emulate_media(media="print")
    assert sum(picture.is_visible() for picture in pictures.all()) == 1
    assert not figure.element.locator(".live").is_visible()
