"""A live figure in a page of the book, as a test operates and reads it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect


class OpenFigure:
    """A figure that has come to life."""

    def __init__(self, page: Page, url: str, identifier: str) -> None:
        self.page = page
        self.id = identifier
        page.goto(url)
        self.element: Locator = page.locator(f"#{identifier}")
        self.element.scroll_into_view_if_needed()
        expect(self.element).to_have_attribute("data-live", "")

    def facts(self) -> dict[str, str]:
        """The numbers that stand large above the picture, by their words."""
        items = self.element.locator(".live-facts > li").evaluate_all(
            "items => items.map(item => [item.querySelector('strong').textContent, item.textContent])"
        )
        return {whole.replace(value, "", 1).strip(): value for value, whole in items}

    def show(self, state: str) -> None:
        """Sets the figure as the words of the text do, `threads:256,shared:2`, and waits until it is drawn."""
        self.element.evaluate("(figure, state) => { figure.show(state); return new Promise(setTimeout); }", state)

    def text(self) -> str:
        """The sentences that say what the picture shows, once they are those of the state at hand."""
        self.page.wait_for_timeout(1000)  # they wait until a slider has come to rest
        return self.element.locator(".live-text").inner_text()

    def control(self, label: str) -> Locator:
        """The input with this label."""
        return self.element.get_by_label(label, exact=True)

    def expect_address(self, state: str) -> None:
        """Fails unless the page's address comes to hold this state; '' means none."""
        pattern = rf"[?&]{self.id}={re.escape(state)}(&|#|$)" if state else rf"^(?!.*[?&]{self.id}=)"
        expect(self.page).to_have_url(re.compile(pattern))

    def reset(self) -> None:
        """Presses Reset, and waits for an address without state."""
        self.element.get_by_role("button", name="Reset").click()
        self.expect_address("")
