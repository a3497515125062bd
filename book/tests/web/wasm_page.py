"""What the tests of the WebAssembly modules share: the programs of the build, and a page that can load the modules."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page


def build_folder(book_html: Path) -> Path:
    """The folder of the build that the book belongs to."""
    return book_html.parents[1]


def open_with_scripts(page: Page, url: str) -> None:
    """Opens the book's first page with the scripts that load and drive the modules."""
    page.goto(f"{url}index.html")
    for script in ("load_wasm.js", "emulator_worker.js"):
        page.add_script_tag(url=f"{url}_static/{script}")
