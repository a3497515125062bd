"""Fixtures of the tests that look at the built book in Chromium. LANES_BOOK_HTML names its folder."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser import Watch, arguments
from lanes_book.chromium import find_chromium
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from server import Server

ROOT = Path(__file__).parents[3]
VIEWPORT = {"width": 1280, "height": 800}
PATIENCE = 30_000  # ms that a test waits for what it asks for
HTML = Path(os.environ.get("LANES_BOOK_HTML", ROOT / "build" / "book" / "html")).resolve()
ARTEFACTS = Path(os.environ.get("LANES_SCREENSHOTS", HTML.parent / "screenshots"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for `page_name` runs once for each page."""
    if "page_name" in metafunc.fixturenames:
        metafunc.parametrize("page_name", sorted(str(path.relative_to(HTML)) for path in HTML.rglob("*.html")))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints what the pages weigh, and how long they take. Times are for information only."""
    reports = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(ARTEFACTS.glob("*.json"))]
    if reports:
        terminalreporter.write_line("Pages: KB without figures, KB as sent, requests, ms to load, shift")
    for report in sorted(reports, key=lambda report: -report["bytes"]):
        terminalreporter.write_line(
            f"{report['page']:56} {report['bytes'] / 1000:5.0f} {report['bytes_sent'] / 1000:5.0f} "
            f"{report['requests']:3} {report['load_ms']:5} {report['shift']:.4f}"
        )


@pytest.fixture(scope="session")
def book_html() -> Path:
    """The folder of the built book."""
    assert (HTML / "index.html").is_file(), f"no book in {HTML}: build the target book, or set LANES_BOOK_HTML"
    return HTML


@pytest.fixture(scope="session")
def artefacts() -> Path:
    """Where tests leave what people look at."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    return ARTEFACTS


@pytest.fixture(scope="session")
def book_url(book_html: Path) -> str:
    """The book as a reader opens it from a disk: file://, with a slash at the end."""
    return f"{book_html.as_uri()}/"


@pytest.fixture(scope="session")
def served_url(book_html: Path) -> Iterator[str]:
    """The book on a web server, with a slash at the end."""
    server = Server(book_html)
    yield server.url
    server.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=arguments())
        yield chromium
        chromium.close()


@pytest.fixture
def watch(book_url: str, served_url: str) -> Iterator[Watch]:
    """What the pages of this test must not do; looked at when the test ends."""
    watch = Watch([book_url, served_url])
    yield watch
    watch.check()


@pytest.fixture
def new_context(browser: Browser, watch: Watch) -> Iterator[Callable[..., BrowserContext]]:
    """Makes a browser context: `new_context(viewport=..., color_scheme="dark", java_script_enabled=False)`."""
    contexts = []

    def make(**options: object) -> BrowserContext:
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        watch.follow(context)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def shared_page(browser: Browser, book_url: str, served_url: str) -> Iterator[Page]:
    """One page for the tests of a file that leave nothing behind in it. What it did wrong, its end says."""
    watch = Watch([book_url, served_url])
    context = browser.new_context(viewport=VIEWPORT)
    context.set_default_timeout(PATIENCE)
    watch.follow(context)
    yield context.new_page()
    context.close()
    watch.check()


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    """An empty page, 1280 by 800. Errors, and requests that fail or leave the book, fail the test."""
    return new_context(viewport=VIEWPORT).new_page()
