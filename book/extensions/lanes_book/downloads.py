"""What a program can read: results, machine code, their schemas, and one file that lists them all."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes

from .book import book_of
from .directive import BookDirective, cell, raw_html, simple_table
from .provenance import download_path

if TYPE_CHECKING:
    from sphinx.application import Sphinx

INDEX = "results/index.json"
SCHEMAS = ("times", "counts", "machine-code")


@dataclass(frozen=True)
class Entry:
    """A line of the index. Paths begin at the top of the book."""

    path: str
    program: str
    device: str
    kind: str
    schema: str


class Downloads(BookDirective):
    """A table with links: to the machine code of the program in the argument; without one, to what all files share."""

    optional_arguments = 1

    def make(self) -> list[nodes.Node]:
        self.env.note_reread()
        up = "../" * self.env.docname.count("/")
        files = self._machine_code(self.arguments[0]) if self.arguments else _shared()
        rows = [[cell(what), _link(up, path)] for what, path in files]
        return [simple_table([[cell("What"), cell("File")]], rows, 2, "provenance")]

    def _machine_code(self, program: str) -> list[tuple[str, str]]:
        names = {file.device: file.device_name for file in self.book.results.of_program(program)}
        return [
            (f"{entry.kind.upper()}, {names.get(entry.device, entry.device)}", entry.path)
            for entry, _ in _machine_code(self.env.app)
            if entry.program == program
        ]


def write_downloads(app: Sphinx, exception: Exception | None) -> None:
    """Handler of `build-finished`: lays the files beside the pages."""
    if exception is not None or app.builder.format != "html":
        return
    files = [*_results(app), *_machine_code(app)]
    schemas = Path(app.config.lanes_schemas)
    copies = [(entry.path, source) for entry, source in files]
    copies += [(_schema_path(name), schemas / f"{name}.schema.json") for name in SCHEMAS]
    for path, source in copies:
        target = Path(app.outdir) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    index = {"files": [asdict(entry) for entry, _ in files]}
    (Path(app.outdir) / INDEX).write_text(json.dumps(index, indent=1), encoding="utf-8")


def _results(app: Sphinx) -> Iterator[tuple[Entry, Path]]:
    for file in book_of(app).results.files:
        path = download_path(file)
        yield Entry(path, file.program, file.device, file.kind, _schema_path(file.kind)), file.path


def _machine_code(app: Sphinx) -> Iterator[tuple[Entry, Path]]:
    for file in book_of(app).machine_code.files:
        program, device, form = file.key.split("/")
        path = f"results/{program}/{device}.{form}.json"
        yield Entry(path, program, device, form, _schema_path("machine-code")), file.path


def _shared() -> list[tuple[str, str]]:
    return [
        ("All files of this page, listed", INDEX),
        *((f"Schema of {name}", _schema_path(name)) for name in SCHEMAS),
    ]


def _schema_path(name: str) -> str:
    return f"results/schema/{name}.schema.json"


def _link(up: str, path: str) -> nodes.entry:
    return nodes.entry("", raw_html(f'<a href="{up}{path}" download>{path}</a>'))
