"""What `lanes launch` makes of a launch that the page has run: to hold the one against the other."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
FAULTS_FOUND = 3


@dataclass(frozen=True)
class NativeLaunch:
    """What came out: the report as the page has it, and the bytes of each array by its place among the arguments."""

    launch: dict[str, Any]
    faults: list[dict[str, Any]]
    device: dict[str, Any]
    arrays: dict[int, bytes]
    printed: str


def lanes() -> Path:
    """The program, out of the build: in LANES_PROGRAMS, or build/bin."""
    program = Path(os.environ.get("LANES_PROGRAMS", ROOT / "build" / "bin")) / "lanes"
    assert program.is_file(), f"no {program}: build the target lanes, or set LANES_PROGRAMS"
    return program


def launch(ptx: str, request: dict[str, Any], folder: Path) -> NativeLaunch:
    """Runs a request of the page, in whose arguments `values` are the bytes of an array in base64.

    Options that it lacks keep the defaults of `lanes launch`; `kernel` is needed if there are several.
    """
    (folder / "kernel.ptx").write_text(ptx, encoding="utf-8")
    words = [str(lanes()), "launch", "kernel.ptx", "--json", "report.json", "--threads", "1"]
    for extent in ("grid", "block"):
        words += [f"--{extent}", ",".join(map(str, request[extent]))]
    for option in ("kernel", "device", "checks", "schedule", "budget"):
        words += [f"--{option}", str(request[option])] if option in request else []
    words += ["--shared", str(request.get("sharedBytes", 0))]
    words += ["--cooperative"] if request.get("cooperative") else []
    arguments = request["arguments"]
    for place, argument in enumerate(arguments):
        words += ["--arg", _argument(argument, folder / f"in{place}.bin")]
    arrays = {place: folder / f"out{place}.bin" for place, argument in enumerate(arguments) if "text" not in argument}
    for place, file in arrays.items():
        words += ["--save", f"{place}={file}"]
    ended = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode in (0, FAULTS_FOUND), ended.stderr
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    saved = {place: file.read_bytes() for place, file in arrays.items()}
    printed = ended.stdout[: ended.stdout.index("argument ")] if arrays else ended.stdout
    return NativeLaunch(report["launches"][0], report["faults"], report["device"], saved, printed)


def _argument(argument: dict[str, Any], file: Path) -> str:
    """One --arg: a number as its `text`, an unset array of `count` elements, or an array from a file."""
    kind = argument["type"]
    if "text" in argument:
        return f"{kind}:{argument['text']}"
    if "count" in argument:
        return f"{kind}[{argument['count']}]"
    file.write_bytes(base64.b64decode(argument["values"]))
    return f"{kind}:@{file.name}"
