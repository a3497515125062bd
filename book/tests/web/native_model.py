"""The model's exports on this machine, by lanes-web-model: what a figure in the page must show."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from wasm_page import build_folder

ROOT = Path(__file__).parents[3]


def native(export: str, *numbers: float) -> list[float]:
    """What an export answers. Its file in book/web/model says what goes in and comes out."""
    book = Path(os.environ.get("LANES_BOOK_HTML", ROOT / "build" / "book" / "html")).resolve()
    program = build_folder(book) / "bin" / "lanes-web-model"
    assert program.is_file(), f"no {program}: build the target lanes-web-model"
    words = [str(program), export, *(repr(number) for number in numbers)]
    ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == 0, f"{' '.join(words)}: {ended.stderr}"
    return [float(line) for line in ended.stdout.split()]
