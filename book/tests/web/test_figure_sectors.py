"""The live figure of sectors: what it shows is what the model says, however it is operated."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from native_model import native
from open_figure import OpenFigure
from playwright.sync_api import BrowserContext, Page, expect

SEED = 20261130
DIGITS = "0123456789abcdefghijklmnopqrstuv"
IN_ORDER = list(range(32))
ALL = 2**32 - 1


@pytest.fixture
def figure(page: Page, book_url: str) -> OpenFigure:
    return OpenFigure(page, f"{book_url}chapters/01_coalescing/coalescing.html", "sectors")


def check(figure: OpenFigure, offset: int, order: list[int] = IN_ORDER, active: int = ALL, **changes: int) -> None:
    """Fails unless the figure shows what the model says of these settings, and each lane what it reads."""
    stride, size = ({"stride": 1, "size": 4} | changes).values()
    addresses = [(offset + element * stride) * size for element in order]
    requests, sectors, lines, _ideal, *sector_of, used = native("sectors", size, active, *addresses)
    moved = 32 * sectors
    assert figure.facts() == {
        "Requests": f"{requests:.0f}",
        "Sectors": f"{sectors:.0f}",
        "Lines": f"{lines:.0f}",
        "Bytes moved": f"{moved:.0f}",
        "Bytes used": f"{used:.0f}",
        "Efficiency": f"{100 * used / moved:.1f}\u00a0%" if moved else "–",
    }
    names = figure.element.locator("[data-lane]").evaluate_all("all => all.map(e => e.getAttribute('aria-label'))")
    on = [active >> lane & 1 for lane in IN_ORDER]
    reads = (f"reads element {order[lane]}" if on[lane] else "is off" for lane in IN_ORDER)
    assert names == [f"Lane {lane} {what}" for lane, what in enumerate(reads)]
    pressed = figure.element.locator("[data-lane]").evaluate_all("all => all.map(e => e.getAttribute('aria-pressed'))")
    assert pressed == ["true" if lane else "false" for lane in on]
    assert figure.element.locator(".sector-moved").count() - 1 == sectors, "one is the legend's"
    assert figure.element.locator("[data-lane] .bytes").count() == sum(on)
    assert len({sector for sector in sector_of if sector >= 0}) == sectors


def test_it_begins_as_the_picture_that_it_replaces(figure: OpenFigure) -> None:
    check(figure, offset=1)
    assert "shifted by one" in figure.element.locator(":scope > * svg title").first.text_content()


def test_random_settings_show_what_the_model_says(figure: OpenFigure) -> None:
    generator = random.Random(SEED)
    for _ in range(30):
        offset, stride, size = generator.randint(0, 32), generator.randint(0, 32), generator.choice([1, 2, 4, 8, 16])
        order = generator.sample(IN_ORDER, 32)
        active = generator.choice([ALL, 0, 1 << generator.randint(0, 31), generator.getrandbits(32)])
        digits = "".join(DIGITS[element] for element in order)
        figure.show(f"offset:{offset},stride:{stride},bytes:{size},order:{digits},active:{active:x}")
        check(figure, offset, order, active, stride=stride, size=size)


def test_by_keyboard(figure: OpenFigure, page: Page) -> None:
    stride = figure.control("Stride")
    stride.focus()
    page.keyboard.press("ArrowRight")
    check(figure, offset=1, stride=2)
    figure.control("Size of an element").select_option("8")
    figure.reset()
    lane_0 = figure.element.locator('[data-lane="0"]')
    lane_0.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
    order = [0, 1, 5, 2, 3, 4, *range(6, 32)]
    check(figure, offset=1, order=order)
    lane_2 = figure.element.locator('[data-lane="2"]')
    expect(lane_2).to_be_focused()
    page.keyboard.press("Space")
    check(figure, offset=1, order=order, active=ALL ^ 4)
    page.keyboard.press("End")
    expect(figure.element.locator('[data-lane="31"]')).to_be_focused()
    page.keyboard.press("Enter")
    check(figure, offset=1, order=order, active=ALL ^ 4 ^ 1 << 31)
    assert "30 lanes, in an order of their own" in figure.text()
    assert page.url.startswith("file:"), "the arrow keys turn no pages here"
    assert "coalescing.html" in page.url


def centre(figure: OpenFigure, selector: str) -> tuple[float, float]:
    box = figure.element.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_by_mouse(figure: OpenFigure, page: Page) -> None:
    figure.show("offset:0")
    page.mouse.move(*centre(figure, '[data-lane="3"] .lane-box'))
    page.mouse.down()
    page.mouse.move(*centre(figure, '[data-lane="15"] .bytes'), steps=4)
    page.mouse.move(*centre(figure, '[data-lane="20"] .bytes'), steps=4)
    page.mouse.up()
    order = [*IN_ORDER]
    order[3], order[20] = 20, 3
    check(figure, offset=0, order=order)
    figure.element.locator('[data-lane="9"] .lane-box').click()
    check(figure, offset=0, order=order, active=ALL ^ 1 << 9)
    figure.element.get_by_role("button", name="Reversed").click()
    check(figure, offset=0, order=IN_ORDER[::-1], active=ALL ^ 1 << 9)
    figure.element.get_by_role("button", name="All on").click()
    check(figure, offset=0, order=IN_ORDER[::-1])


def test_by_finger(new_context: Callable[..., BrowserContext], book_url: str) -> None:
    context = new_context(viewport={"width": 390, "height": 900}, has_touch=True, is_mobile=True)
    page = context.new_page()
    figure = OpenFigure(page, f"{book_url}chapters/01_coalescing/coalescing.html?sectors=offset:0", "sectors")
    figure.element.locator(".live-stage").evaluate(
        "stage => stage.scrollIntoView({block: 'center', behavior: 'instant'})"
    )
    (x, y), (to_x, to_y) = centre(figure, '[data-lane="3"] .lane-box'), centre(figure, '[data-lane="20"] .bytes')
    finger = context.new_cdp_session(page)
    points = [{"x": x + (to_x - x) * part / 8, "y": y + (to_y - y) * part / 8} for part in range(9)]
    before = page.evaluate("scrollY")
    for index, point in enumerate(points):
        kind = "touchMove" if index else "touchStart"
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    order = [*IN_ORDER]
    order[3], order[20] = 20, 3
    expect(figure.element.locator('[data-lane="3"]')).to_have_accessible_name("Lane 3 reads element 20")
    check(figure, offset=0, order=order)
    assert page.evaluate("scrollY") == before, "the finger moved the lane, not the page"
    page.touchscreen.tap(*centre(figure, '[data-lane="9"] .lane-box'))
    expect(figure.element.locator('[data-lane="9"]')).to_have_accessible_name("Lane 9 is off")


def test_a_shuffled_order_comes_back_from_the_address(figure: OpenFigure, page: Page) -> None:
    figure.element.get_by_role("button", name="Shuffled").click()
    page.wait_for_url("**order:*")
    names = figure.element.locator("[data-lane]").evaluate_all("all => all.map(e => e.getAttribute('aria-label'))")
    order = [int(name.rpartition(" ")[2]) for name in names]
    assert order != IN_ORDER
    assert sorted(order) == IN_ORDER
    figure.expect_address("order:" + "".join(DIGITS[element] for element in order))
    again = OpenFigure(page, page.url, "sectors")
    check(again, offset=1, order=order)
    again.reset()
    check(again, offset=1)


@pytest.mark.parametrize("order", ["backwards", DIGITS[:31], "0" * 32, DIGITS[:31] + "w"])
def test_an_address_that_means_nothing_changes_nothing(page: Page, book_url: str, order: str) -> None:
    url = f"{book_url}chapters/01_coalescing/coalescing.html?sectors=offset:7,order:{order},active:xyz,hue:3"
    check(OpenFigure(page, url, "sectors"), offset=7)


def test_words_of_the_text_set_it(figure: OpenFigure, page: Page, book_url: str) -> None:
    page.get_by_role("link", name="vanish again").click()
    check(figure, offset=8)
    page.get_by_role("link", name="switched off").click()
    check(figure, offset=1, active=0x7FFFFFFF)
    assert figure.facts()["Sectors"] == "4", "the text says that it is enough"
    other = OpenFigure(page, f"{book_url}chapters/01_coalescing/coalescing.html", "sectors-order")
    check(other, offset=0, order=[lane * 5 % 32 for lane in IN_ORDER])
    page.get_by_role("link", name="in order", exact=True).click()
    check(other, offset=0, active=0xFFFFFF00)
    assert other.facts()["Sectors"] == "3"
