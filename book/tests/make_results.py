"""Results of the sample program, made for each test that wants to change them."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

LOADS = "l1tex__t_requests_pipe_lsu_mem_global_op_ld"
LOAD_SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld"
STORES = "l1tex__t_requests_pipe_lsu_mem_global_op_st"
STORE_SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_st"

SOURCES = {"copy": "00000000000000c1", "move": "00000000000000a2", "other": "00000000000000b3"}
OFFSETS = (0, 1, 8)


def provenance(device: str, emulated: bool) -> dict[str, Any]:
    """Where results come from."""
    return {
        "device": device,
        "compute_capability": "9.0",
        "emulated": emulated,
        "multiprocessors": 132,
        "l2_bytes": 62914560,
        "driver": "13.0",
        "runtime": "13.0",
        "toolkit": "13.0.88",
        "date": "2026-11-29T22:00:00Z",
        "seed": 1,
        "source": "sample.cu",
        "command": "sample --bench-only",
    }


def case(offset: int, with_lines: bool) -> dict[str, Any]:
    """A counted case: 1000 warps that load and store one float a lane."""
    counters = {
        LOADS: 1000,
        LOAD_SECTORS: 4000 if offset % 8 == 0 else 5000,
        STORES: 1000,
        STORE_SECTORS: 4000,
    }
    made: dict[str, Any] = {
        "name": f"offset_{offset}",
        "snippets": ["copy"],
        "kernel": "copy",
        "parameters": {"offset": offset},
        "predicted": counters,
        "counters": counters,
    }
    if with_lines:
        loads = {name: counters[name] for name in (LOADS, LOAD_SECTORS)}
        stores = {name: counters[name] for name in (STORES, STORE_SECTORS)}
        file = "/somewhere/chapters/01_sample/sample.cu"
        made["lines"] = [
            {"file": file, "line": 7, "counters": loads},
            {"file": file, "line": 8, "counters": stores},
            {"file": "/somewhere/else.cuh", "line": 5, "counters": stores},
        ]
    return made


def measurement(name: str, gb_per_s: float, snippets: list[str], offset: int | None) -> dict[str, Any]:
    """A measurement of 8 million bytes."""
    milliseconds = 8.0 / gb_per_s
    return {
        "name": name,
        "snippets": snippets,
        "parameters": {} if offset is None else {"offset": offset},
        "samples": 15,
        "repeats": 1,
        "median_ms": milliseconds,
        "minimum_ms": milliseconds,
        "maximum_ms": milliseconds,
        "spread": 0.01,
        "bytes": 8000000,
        "gb_per_s": gb_per_s,
    }


def all_results() -> dict[str, dict[str, Any]]:
    """The content of each results file, by its name."""
    measurements = [
        measurement("memcpy", 4000.0, [], None),
        measurement("offset_0", 2500.0, ["copy"], 0),
        measurement("offset_1", 2437.5, ["copy"], 1),
    ]
    for entry in measurements[1:]:
        entry.update(ceiling="memcpy", ratio=entry["gb_per_s"] / 4000.0)
    common = {"program": "sample", "sources": SOURCES}
    card, emulator = provenance("NVIDIA H200", False), provenance("emulator, as an sm_89", True)
    times, counts = {"schema": "thirty-two-lanes/times/1"}, {"schema": "thirty-two-lanes/counts/1"}
    ncu = {**card, "counted_by": "Nsight Compute 2025.3"}
    by_emulator = {**emulator, "counted_by": "emulator"}
    card_cases = [case(offset, with_lines=False) for offset in OFFSETS]
    emulator_cases = [case(offset, with_lines=True) for offset in OFFSETS]
    files = {
        "h200.times.json": {**times, **common, "provenance": card, "measurements": measurements, "cases": []},
        "emulator.times.json": {**times, **common, "provenance": emulator, "measurements": measurements, "cases": []},
        "h200.counts.json": {**counts, **common, "provenance": ncu, "cases": card_cases},
        "emulator.counts.json": {**counts, **common, "provenance": by_emulator, "cases": emulator_cases},
    }
    return copy.deepcopy(files)  # so that a test may change one without changing another


def write_results(folder: Path, results: dict[str, dict[str, Any]]) -> None:
    """Writes the files as `folder/sample/NAME`."""
    (folder / "sample").mkdir(parents=True, exist_ok=True)
    for name, content in results.items():
        (folder / "sample" / name).write_text(json.dumps(content), encoding="utf-8")
