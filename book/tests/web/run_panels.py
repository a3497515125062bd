"""What a reader does with the panels that run kernels, and what they then say."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page

# Lets pages run: each call gives what the event of the next run that ends says, as JSON.
NEXT_RUN = """panel => new Promise((resolve, reject) => {
    const base64 = (values) => {
        const bytes = new Uint8Array(values.buffer);
        let text = '';
        for (let at = 0; at < bytes.length; at += 8192)
            text += String.fromCharCode(...bytes.subarray(at, at + 8192));
        return btoa(text);
    };
    const plain = ({type, value, length, array}) => array ? {type, values: base64(array)}
        : length ? {type, count: length} : {type, text: String(value)};
    const failed = new MutationObserver(() => {
        const status = panel.querySelector('.run-status.run-wrong');
        if (status && !panel.querySelector('.run-results').hasChildNodes()) reject(new Error(status.textContent));
    });
    panel.addEventListener('lanes-ran', ({detail: {ptx, request, outcome, kernel}}) => {
        failed.disconnect();
        resolve({
            ptx, kernel,
            request: {...request, arguments: request.arguments.map(plain)},
            outcome: {...outcome, buffers: outcome.buffers.map((b) => [b.argument, base64(b.values)])},
            status: panel.querySelector('.run-status').textContent,
            right: panel.querySelector('.run-status').classList.contains('run-right'),
            shown: [...panel.querySelectorAll('.run-fault')].map((fault) => fault.dataset.kind),
        });
    }, {once: true});
    failed.observe(panel, {subtree: true, childList: true, characterData: true});
    panel.querySelector('.run-open, .live-actions:last-of-type > button').click();
})"""


@dataclass(frozen=True)
class Run:
    """One run of a panel: what went in, what came out, and what the panel says of it."""

    kernel: dict[str, Any]
    ptx: str
    request: dict[str, Any]
    outcome: dict[str, Any]
    status: str
    right: bool
    shown: list[str]

    @property
    def arrays(self) -> dict[int, bytes]:
        """The arrays after the launch, by their place among the arguments."""
        return {place: base64.b64decode(text) for place, text in self.outcome["buffers"]}


def panel_of(page: Page, launch: str) -> Locator:
    """The control of the first listing that runs a launch, `coalescing/copy_float`."""
    return page.locator(f'lanes-run[data-launch="{launch}"]').first


def run(panel: Locator) -> Run:
    """Presses Run, and waits for what comes out."""
    return Run(**panel.evaluate(NEXT_RUN))


def open_panel(page: Page, url: str, launch: str) -> Locator:
    """Opens a chapter's page and the panel of a launch, which then has run once."""
    page.goto(url)
    panel = panel_of(page, launch)
    run(panel)
    return panel


def press(panel: Locator, name: str) -> None:
    """Presses a button of an open panel."""
    panel.get_by_role("button", name=name, exact=True).click()


def write_ptx(panel: Locator, text: str) -> None:
    """Puts PTX in the place of the kernel's."""
    if not panel.locator("textarea").is_visible():
        panel.get_by_text("Edit PTX").click()
    panel.locator("textarea").fill(text)


def ptx_of(panel: Locator) -> str:
    """The PTX that the panel would run."""
    return panel.locator("textarea").input_value()
