"""Every page of the book, at three widths and in two themes: it fits, keeps still, weighs little, and suits axe-core.

Leaves screenshots and a line of measurements for each page in the folder that LANES_SCREENSHOTS names.
"""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path

from accessibility import all_problems, colour_problems
from browser import ready
from playwright.sync_api import Page

WIDTHS = (360, 900, 1600)
OTHER_WIDTHS = (480, 768, 1280, 2560)
HEIGHT = 900
MOST_BYTES_SENT = 200_000  # with all figures
MOST_BYTES = 500_000  # of the page and all it loads, unpacked, but for its figures
MOST_REQUESTS = 40
TALLEST = 10_000  # px of a picture that Chromium can draw: a chapter is shown smaller than it is
GREATEST_SHIFT = 0.05  # good is below 0.1; the theme moves its columns by 0.04 while a long page comes in slowly
FIGURES = ("lanes-model", "lanes-emulator")  # loaded when a figure is asked

MEASURE = """() => new Promise((done) => {
    let shift = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shift += entry.hadRecentInput ? 0 : entry.value;
    }).observe({type: 'layout-shift', buffered: true});
    const timing = performance.getEntriesByType('navigation')[0];
    const loads = [timing, ...performance.getEntriesByType('resource')].map(
        ({name, transferSize, decodedBodySize}) => ({name, sent: transferSize, bytes: decodedBodySize}));
    const drawn = [...document.querySelectorAll('svg')].reduce((sum, svg) => sum + svg.outerHTML.length, 0);
    setTimeout(() => done({shift, loads, drawn, milliseconds: Math.round(timing.loadEventEnd)}), 50);
})"""


def test_page(page: Page, page_name: str, served_url: str, book_url: str, artefacts: Path) -> None:
    """From a server as its first reader gets it, narrow or wide in turn; then from the disk, as all readers may."""
    page.emulate_media(reduced_motion="reduce", color_scheme="light")
    picture = artefacts / page_name.removesuffix(".html").replace("/", "-")
    widths = WIDTHS if page_name.startswith(("chapters/", "index")) else WIDTHS[:1]
    shifts = {}
    for width in widths:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.goto(f"{served_url}{page_name}")
        ready(page)
        measured = page.evaluate(MEASURE)
        shifts[width] = measured["shift"]
    loads = [load for load in measured["loads"] if not any(name in load["name"] for name in FIGURES)]
    sent = sum(load["sent"] for load in loads)
    report = {
        "page": page_name,
        "bytes": sum(load["bytes"] for load in loads) - measured["drawn"],
        "bytes_sent": sent,
        "requests": len(loads),
        "load_ms": measured["milliseconds"],
        "shift": max(shifts.values()),
    }
    picture.with_suffix(".json").write_text(json.dumps(report), encoding="utf-8")

    page.goto(f"{book_url}{page_name}")
    ready(page)
    for width in OTHER_WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        fits(page, width)
    found = []
    for width in reversed(WIDTHS):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        fits(page, width)
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            show_whole(page, Path(f"{picture}-{width}-{theme}.jpeg"))
            if width == WIDTHS[0]:  # where targets are closest, and most things scroll
                found += [f"{theme}: {problem}" for problem in colour_problems(page)]
    found += all_problems(page)

    assert not found, "axe-core found:\n" + "\n".join(found)
    assert max(shifts.values()) <= GREATEST_SHIFT, f"the page moves while it loads: {shifts}"
    assert report["bytes"] <= MOST_BYTES
    assert sent <= MOST_BYTES_SENT
    assert len(loads) <= MOST_REQUESTS


def show_whole(page: Page, picture: Path) -> None:
    """Leaves a picture of the page from its top to its foot."""
    width, height = page.evaluate("[document.documentElement.clientWidth, document.documentElement.scrollHeight]")
    tool = page.context.new_cdp_session(page)
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": min(1, TALLEST / height)}
    options = {"format": "jpeg", "quality": 40, "optimizeForSpeed": True, "captureBeyondViewport": True}
    picture.write_bytes(b64decode(tool.send("Page.captureScreenshot", {**options, "clip": clip})["data"]))
    tool.detach()


def fits(page: Page, width: int) -> None:
    """Fails if the page as a whole scrolls sideways."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width, f"the page is wider than {width} px"
