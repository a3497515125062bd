"""The model answers in a page what it answers on this machine, to the last bit: of every export, a table of calls."""

from __future__ import annotations

import importlib
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page
from wasm_page import build_folder, open_with_scripts

TABLES = sorted(path.stem for path in (Path(__file__).parent / "golden_inputs").glob("[a-z]*.py"))
REFUSED = "error: "


def calls_of(name: str) -> list[list[float]]:
    """The table of an export: what goes in, call by call."""
    return importlib.import_module(f"golden_inputs.{name}").CALLS


def answer_here(book_html: Path, name: str, calls: list[list[float]]) -> list[list[float] | str]:
    """What the native build answers: numbers, or the words with which it refuses."""
    lines = "".join(" ".join([name, *map(repr, map(float, call))]) + "\n" for call in calls)
    program = build_folder(book_html) / "bin" / "lanes-web-model"
    output = subprocess.run([program], input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    return [
        line.removeprefix(REFUSED) if line.startswith(REFUSED) else [float(word) for word in line.split()]
        for line in output
    ]


def answer_in_page(page: Page, name: str, calls: list[list[float]]) -> list[list[float] | str]:
    """What the WebAssembly build answers."""
    return page.evaluate(
        """async ([name, calls]) => {
            const model = await lanes.loadModel();
            return calls.map((numbers) => {
                try {
                    return [...model.call(name, numbers)];
                } catch (error) {
                    return error.message;
                }
            });
        }""",
        [name, calls],
    )


def test_every_export_has_a_table(page: Page, book_url: str, book_html: Path) -> None:
    open_with_scripts(page, book_url)
    names = page.evaluate("lanes.loadModel().then((model) => model.names())")
    program = build_folder(book_html) / "bin" / "lanes-web-model"
    here = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout.split()
    assert names == sorted(here)
    assert names == TABLES, "each export needs golden_inputs/NAME.py with its CALLS"


@pytest.mark.parametrize("name", TABLES)
def test_an_export_answers_as_on_this_machine(page: Page, book_url: str, book_html: Path, name: str) -> None:
    calls = calls_of(name)
    here = answer_here(book_html, name, calls)
    assert any(isinstance(answer, str) for answer in here), "the table has no call that is refused"
    assert any(isinstance(answer, list) and answer for answer in here), "the table has no call that is answered"
    open_with_scripts(page, book_url)
    assert answer_in_page(page, name, calls) == here


def test_the_model_loads_from_a_server(page: Page, served_url: str) -> None:
    open_with_scripts(page, served_url)
    assert "sectors" in page.evaluate("lanes.loadModel().then((model) => model.names())")


@pytest.mark.parametrize("missing", ["DecompressionStream", "WebAssembly"])
def test_a_browser_that_lacks_something_is_told_so(page: Page, book_url: str, missing: str) -> None:
    page.add_init_script(f"delete globalThis.{missing}")
    open_with_scripts(page, book_url)
    message = page.evaluate("lanes.loadModel().catch((error) => error.message)")
    assert f"has no {missing}" in message


def test_modules_and_scripts_are_small(book_html: Path) -> None:
    files = ["lanes-model.js", "lanes-emulator.js", "load_wasm.js", "emulator_worker.js"]
    total = sum((book_html / "_static" / file).stat().st_size for file in files)
    assert total < 1_500_000, f"{total} bytes"
