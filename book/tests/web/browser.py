"""How the tests drive the browser, and what a page must not do while they look at it."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response

INSIDE = ("data:", "blob:", "about:")


def arguments() -> list[str]:
    """How Chromium is started: it finds no host but this one, and needs no sandbox for pages of our own."""
    return ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]


class Watch:
    """Notes what no page of the book may do: errors, and requests that fail or that leave the book.

    A test that provokes a problem looks for it in `problems` and clears the list.
    """

    def __init__(self, inside: Sequence[str]) -> None:
        self.problems: list[str] = []
        self.requests: list[str] = []
        self._inside = (*inside, *INSIDE)

    def follow(self, context: BrowserContext) -> None:
        """Notes what all pages of the context and their workers do from now on."""
        context.on("console", self._console)
        context.on("weberror", lambda error: self.problems.append(f"page error: {error.error}"))
        context.on("request", self._request)
        context.on("requestfailed", self._failed)
        context.on("response", self._response)

    def check(self) -> None:
        """Fails if there was a problem."""
        problems, self.problems = self.problems, []
        assert not problems, "the page had problems:\n" + "\n".join(problems)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.problems.append(f"console error: {message.text} ({message.location.get('url', '')})")

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)
        if not request.url.startswith(self._inside):
            self.problems.append(f"a request leaves the book: {request.url}")

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the page was left while it still loaded
            self.problems.append(f"a request failed: {request.url}: {request.failure}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.problems.append(f"a request failed: {response.url}: {response.status}")


def ready(page: Page) -> None:
    """Waits until the page has drawn its fonts and done what it does on its own."""
    page.wait_for_load_state("load")
    page.evaluate("() => document.fonts.ready.then(() => new Promise(done => requestAnimationFrame(() => done())))")
