"""The harness sees what it must see: a page that does wrong fails its test."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import Watch
from playwright.sync_api import Browser, Page


@pytest.mark.parametrize(
    ("markup", "problem"),
    [
        ("<script>console.error('broken')</script>", "console error: broken"),
        ("<script>missing()</script>", "missing is not defined"),
        ("<script src='missing.js'></script>", "a request failed"),
        ("<img src='https://example.org/a.png' alt=''>", "a request leaves the book: https://example.org/a.png"),
        ("<script>new Worker(URL.createObjectURL(new Blob(['console.error(7)'])))</script>", "console error: 7"),
    ],
)
def test_a_page_that_does_wrong_is_caught(browser: Browser, tmp_path: Path, markup: str, problem: str) -> None:
    (tmp_path / "index.html").write_text(f"<!DOCTYPE html><title>Wrong</title>{markup}", encoding="utf-8")
    watch = Watch([f"{tmp_path.as_uri()}/"])
    context = browser.new_context()
    watch.follow(context)
    page = context.new_page()
    page.goto((tmp_path / "index.html").as_uri())
    page.wait_for_timeout(100)
    context.close()
    with pytest.raises(AssertionError, match=problem):
        watch.check()


def test_a_page_of_the_book_does_no_wrong(page: Page, book_url: str, served_url: str, watch: Watch) -> None:
    page.goto(f"{book_url}index.html")
    page.goto(served_url)
    assert page.locator("h1").count() == 1
    assert any(url.startswith(served_url) and ".css" in url for url in watch.requests)
