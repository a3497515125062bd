"""Launches of one kernel, written once for `lanes launch` and for the emulator in a page."""

from __future__ import annotations

import array
import base64
import functools
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import native_launch
from playwright.sync_api import Page

CODES = {"u8": "B", "s32": "i", "u32": "I", "u64": "Q", "f32": "f", "f64": "d"}


@dataclass
class Argument:
    """A number, or an array of values or of a length."""

    type: str
    value: float | None = None
    values: Sequence[float] | None = None
    length: int = 0

    def here(self) -> dict[str, Any]:
        """As `native_launch.launch` takes it."""
        if self.value is not None:
            return {"type": self.type, "text": str(self.value)}
        if self.values is None:
            return {"type": self.type, "count": self.length}
        values = array.array(CODES[self.type], self.values).tobytes()
        return {"type": self.type, "values": base64.b64encode(values).decode("ascii")}

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
    options: dict[str, Any] = field(default_factory=dict)  # checks, schedule, budget, device

    def request(self, arguments: list[dict[str, Any]]) -> dict[str, Any]:
        """The launch with its arguments in one form or the other."""
        shape = {"kernel": self.kernel, "grid": list(self.grid), "block": list(self.block)}
        return {**shape, "arguments": arguments, **self.options}

    def ptx(self, build: Path) -> str:
        """The text of the module."""
        if self.program.endswith(".ptx"):
            return (Path(__file__).parent / self.program).read_text(encoding="utf-8")
        return ptx_of(build / "bin" / "lanes", build / self.program)


@functools.cache
def ptx_of(lanes: Path, program: Path) -> str:
    """The PTX in a program."""
    return subprocess.run([lanes, "ptx", program], capture_output=True, text=True, check=True).stdout


def launch_here(launch: Launch, build: Path, folder: Path) -> dict[str, Any]:
    """What `lanes launch` finds, in the words of `comparable`."""
    request = launch.request([argument.here() for argument in launch.arguments])
    done = native_launch.launch(launch.ptx(build), request, folder)
    buffers = [list(done.arrays[position]) for position in sorted(done.arrays)]
    return comparable(done.launch, done.device, done.faults, done.printed, buffers)


def launch_in_page(page: Page, launch: Launch, build: Path) -> dict[str, Any]:
    """What the emulator in the page finds, likewise. It stays for the launches to come."""
    outcome = page.evaluate(
        """async ([ptx, request]) => {
            globalThis.emulator ??= await lanes.startEmulator();
            await emulator.load(ptx);
            const outcome = await emulator.launch(request);
            outcome.buffers = outcome.buffers.map(({values}) => [...new Uint8Array(values.buffer)]);
            return outcome;
        }""",
        [launch.ptx(build), launch.request([argument.in_page() for argument in launch.arguments])],
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
