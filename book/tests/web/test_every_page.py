"""Every page of the book, at three widths and in two themes: it fits, keeps still, weighs little, and suits axe-core.

Leaves screenshots and a line of measurements for each page in the folder that LANES_SCREENSHOTS names.
"""

from __future__ import annotations

import json
from pathlib import Path

from accessibility import all_problems, colour_problems
from browser import Watch, ready
from playwright.sync_api import Page

WIDTHS = (360, 900, 1600)
OTHER_WIDTHS = (480, 768, 1280, 2560)
HEIGHT = 900
MOST_BYTES = 200_000  # as they are sent; check_pages holds the files themselves against 500,000
MOST_REQUESTS = 40
LONGEST = 4000  # px of a page that a screenshot shows: time and space for more would be better spent elsewhere
GREATEST_SHIFT = 0.02  # what search engines call good is 0.1
FIGURES = ("lanes-model", "lanes-emulator")  # loaded when a figure is asked

MEASURE = """() => new Promise((done) => {
    let shift = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shift += entry.hadRecentInput ? 0 : entry.value;
    }).observe({type: 'layout-shift', buffered: true});
    const timing = performance.getEntriesByType('navigation')[0];
    const loads = [timing, ...performance.getEntriesByType('resource')].map(
        ({name, transferSize, decodedBodySize}) => ({name, sent: transferSize, bytes: decodedBodySize}));
    setTimeout(() => done({shift, loads, milliseconds: Math.round(timing.loadEventEnd)}), 50);
})"""


def test_page(page: Page, page_name: str, served_url: str, artefacts: Path) -> None:
    page.emulate_media(reduced_motion="reduce")
    picture = artefacts / page_name.removesuffix(".html").replace("/", "-")
    shifts = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.emulate_media(color_scheme="light")
        page.goto(f"{served_url}{page_name}")
        ready(page)
        measured = page.evaluate(MEASURE)
        shifts[width] = measured["shift"]
        fits(page, width)
        top = {"x": 0, "y": 0, "width": width, "height": min(LONGEST, page.evaluate("document.body.scrollHeight"))}
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            page.screenshot(path=f"{picture}-{width}-{theme}.jpeg", type="jpeg", quality=40, full_page=True, clip=top)
    loads = [load for load in measured["loads"] if not any(name in load["name"] for name in FIGURES)]
    sent = sum(load["sent"] for load in loads)
    report = {
        "page": page_name,
        "bytes": sum(load["bytes"] for load in loads),
        "bytes_sent": sent,
        "requests": len(loads),
        "load_ms": measured["milliseconds"],
        "shift": max(shifts.values()),
    }
    picture.with_suffix(".json").write_text(json.dumps(report), encoding="utf-8")
    assert max(shifts.values()) <= GREATEST_SHIFT, f"the page moves while it loads: {shifts}"
    assert sent <= MOST_BYTES
    assert len(loads) <= MOST_REQUESTS


def test_page_from_disk(page: Page, page_name: str, book_url: str, watch: Watch) -> None:
    page.set_viewport_size({"width": 1600, "height": HEIGHT})
    page.emulate_media(reduced_motion="reduce", color_scheme="light")
    page.goto(f"{book_url}{page_name}")
    ready(page)
    for width in OTHER_WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        fits(page, width)
    found = colour_problems(page)
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {problem}" for problem in colour_problems(page)]
    page.set_viewport_size({"width": WIDTHS[0], "height": HEIGHT})  # where targets are closest, and most things scroll
    ready(page)
    found += all_problems(page)
    assert not found, "axe-core found:\n" + "\n".join(found)
    assert all(url.startswith(("file:", "data:", "blob:")) for url in watch.requests)


def fits(page: Page, width: int) -> None:
    """Fails if the page as a whole scrolls sideways."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width, f"the page is wider than {width} px"
