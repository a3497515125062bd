"""The files that a page loads to run a kernel: a script for each launch, and one for the PTX of each kernel."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.errors import ExtensionError

from .book import Book, book_of
from .counters import MEASURES, nsight_name
from .errors import BookError, nearest
from .launches import ChapterLaunches
from .ptx_module import PtxModule

if TYPE_CHECKING:
    from sphinx.application import Sphinx

NOT_IN_FILE_NAMES = re.compile(r"[^A-Za-z0-9]+")


def script_name(program: str, name: str) -> str:
    """The script of a launch or of a kernel, below the folder of static files."""
    return f"{program}/{NOT_IN_FILE_NAMES.sub('_', name).strip('_')}.js"


def published(program: str, launch: dict[str, Any]) -> dict[str, Any]:
    """A launch as the page gets it: each kernel says which script brings its PTX."""
    kernels = [kernel | {"script": f"ptx/{script_name(program, kernel['name'])}"} for kernel in launch["kernels"]]
    return launch | {"kernels": kernels}


def measures() -> dict[str, Any]:
    """What the page can show of counts: the measures of listings and tables, by Nsight Compute's names."""
    return {
        name: {
            "title": measure.title,
            "numerators": [nsight_name(counter) for counter in measure.numerators],
            "denominators": [nsight_name(counter) for counter in measure.denominators],
        }
        for name, measure in MEASURES.items()
    }


def write_scripts(app: Sphinx, exception: Exception | None) -> None:
    """Handler of `build-finished`: a script for each launch, and one for the PTX of each kernel."""
    if exception is not None or app.builder.format != "html":
        return
    book = book_of(app)
    static = Path(app.outdir) / "_static"
    try:
        _offer(static / "launches" / "measures.js", "measures", measures())
        for chapter in book.launches.chapters.values():
            _write_chapter(book, chapter, static)
    except BookError as error:
        raise ExtensionError(str(error)) from error


def _write_chapter(book: Book, chapter: ChapterLaunches, static: Path) -> None:
    program = chapter.program
    module = PtxModule(book.run(["lanes", "ptx", program]))
    symbols = book.machine_code.symbols(f"{program}/emulator/ptx")
    for name, launch in chapter.launches.items():
        _offer(static / "launches" / script_name(program, name), f"{program}/{name}", published(program, launch))
        for kernel in launch["kernels"]:
            if kernel["name"] not in symbols:
                raise BookError(f"{chapter.path}: no kernel '{kernel['name']}'{nearest(kernel['name'], symbols)}")
            script = f"ptx/{script_name(program, kernel['name'])}"
            _offer(static / script, script, module.kernel(symbols[kernel["name"]]))


def _offer(path: Path, key: str, content: Any) -> None:
    """A script that gives the page something by a key. Unlike a file of data, it can be loaded from a disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"lanes.offer({json.dumps(key)}, {json.dumps(content)});\n", encoding="utf-8")
