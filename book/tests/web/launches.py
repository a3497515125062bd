"""Launches of one kernel, written once for `lanes launch` and for the emulator in a page."""

from __future__ import annotations

import array
import json
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

CODES = {"u8": "B", "s32": "i", "u32": "I", "u64": "Q", "f32": "f", "f64": "d"}


@dataclass
class Argument:
    """A number, or an array of values or of a length."""

    type: str
    value: float | None = None
    values: Sequence[float] | None = None
    length: int = 0

    def here(self, folder: Path, position: int) -> str:
        """As `lanes launch --arg` takes it; values go through a file."""
        if self.value is not None:
            return f"{self.type}:{self.value}"
        if self.values is None:
            return f"{self.type}[{self.length}]"
        path = folder / f"in{position}"
        path.write_bytes(array.array(CODES[self.type], self.values).tobytes())
        return f"{self.type}:@{path}"

    def in_page(self) -> dict[str, Any]:
        """As `Emulator.launch` takes it."""
        if self.value is not None:
            return {"type": self.type, "value": self.value}
        if self.values is None:
            return {"type": self.type, "length": self.length}
        return {"type": self.type, "array": list(self.values)}


@dataclass
class Launch:
    """A launch. `program` is a program of the build, or a file of PTX."""

    program: str
    kernel: str
    arguments: list[Argument]
    grid: tuple[int, ...] = (1,)
    block: tuple[int, ...] = (32,)
    faults: set[str] = field(default_factory=set)  # kinds that must be found
    options: dict[str, Any] = field(default_factory=dict)  # checks, schedule, budget, device, shared

    def ptx(self, build: Path) -> str:
        """The text of the module."""
        if self.program.endswith(".ptx"):
            return (Path(__file__).parent / self.program).read_text(encoding="utf-8")
        command = [build / "bin" / "lanes", "ptx", build / self.program]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def launch_here(launch: Launch, build: Path, folder: Path) -> dict[str, Any]:
    """What `lanes launch` finds, in the words of `comparable`."""
    (folder / "kernel.ptx").write_text(launch.ptx(build), encoding="utf-8")
    command = [build / "bin" / "lanes", "launch", folder / "kernel.ptx", "--kernel", launch.kernel]
    command += ["--grid", ",".join(map(str, launch.grid)), "--block", ",".join(map(str, launch.block))]
    command += ["--json", folder / "report.json"]
    for name, value in launch.options.items():
        command += [f"--{name}", str(value)]
    arrays = [i for i, argument in enumerate(launch.arguments) if argument.value is None]
    for position, argument in enumerate(launch.arguments):
        command += ["--arg", argument.here(folder, position)]
    for position in arrays:
        command += ["--save", f"{position}={folder / f'out{position}'}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3), done.stderr
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    printed = done.stdout[: done.stdout.index("argument 0: ")]
    buffers = [list((folder / f"out{position}").read_bytes()) for position in arrays]
    return comparable(report["launches"][0], report["device"], report["faults"], printed, buffers)


def launch_in_page(page: Page, launch: Launch, build: Path) -> dict[str, Any]:
    """What the emulator in the page finds, likewise."""
    options = {("sharedBytes" if name == "shared" else name): value for name, value in launch.options.items()}
    request = {
        "kernel": launch.kernel,
        "grid": list(launch.grid),
        "block": list(launch.block),
        "arguments": [argument.in_page() for argument in launch.arguments],
        **options,
    }
    outcome = page.evaluate(
        """async ([ptx, request]) => {
            const emulator = await lanes.startEmulator();
            await emulator.load(ptx);
            const outcome = await emulator.launch(request);
            outcome.buffers = outcome.buffers.map(({values}) => [...new Uint8Array(values.buffer)]);
            emulator.stop();
            return outcome;
        }""",
        [launch.ptx(build), request],
    )
    return comparable(outcome, outcome["device"], outcome["faults"], outcome["printf"], outcome["buffers"])


def comparable(
    launch: dict[str, Any], device: Any, faults: list[dict[str, Any]], printed: str, buffers: list[list[int]]
) -> dict[str, Any]:
    """All that must be equal. Addresses in messages are not: memory lies elsewhere in a page."""
    names = ("kernel", "grid", "block", "static_shared_bytes", "dynamic_shared_bytes", "counters", "lines")
    told = [{**fault, "message": re.sub(r"0x[0-9a-f]+", "0x...", fault["message"])} for fault in faults]
    facts = {name: launch[name] for name in names}
    return {"device": device, "faults": told, "printed": printed, "buffers": buffers, **facts}
