"""The emulator in a page finds what it finds on this machine: counters, lines, faults, buffers, printed text."""

from __future__ import annotations

from pathlib import Path

import pytest
from launches import Argument, Launch, launch_here, launch_in_page
from playwright.sync_api import Page
from wasm_page import build_folder, open_with_scripts

FAULTS = "common/emulator/tests/faults"


def number(kind: str, value: float) -> Argument:
    """A number."""
    return Argument(kind, value=value)


def values(kind: str, length: int) -> Argument:
    """An array of numbers that no two neighbours share; those of floats are fractions."""
    whole = [(7 * i + 3) % 61 - (0 if kind.startswith("u") else 30) for i in range(length)]
    return Argument(kind, values=[one / 7 for one in whole] if kind.startswith("f") else whole)


def unset(kind: str, length: int) -> Argument:
    """An array that nobody has written."""
    return Argument(kind, length=length)


def product(kernel: str, m: int, n: int, k: int, **rest: object) -> Launch:
    """A product of matrices in chapter 2."""
    arrays = [values("f32", m * k), values("f32", k * n), unset("f32", m * n)]
    return Launch("bin/tiling", kernel, [*arrays, *(number("s32", size) for size in (m, n, k))], **rest)


def transpose(kernel: str, **rest: object) -> Launch:
    """A transpose in chapter 3, of 70 rows and 50 columns."""
    arrays = [values("f32", 3500), unset("f32", 3500)]
    arguments = [*arrays, number("s32", 70), number("s32", 50)]
    return Launch("bin/bank_conflicts", kernel, arguments, grid=(6,), block=(32, 8), **rest)


def rows(kernel: str) -> Launch:
    """Softmax of three rows in chapter 6."""
    arguments = [values("f32", 900), unset("f32", 900), number("u64", 3), number("u64", 300)]
    return Launch("bin/reduction", kernel, arguments, grid=(2,), block=(128,))


COPY = [values("f32", 1008), unset("f32", 1000), number("u64", 1000)]
ARMS = [Argument("s32", values=[i * i % 3 % 2 for i in range(300)]), values("u32", 300), unset("u32", 300)]

LAUNCHES = {
    "copy": Launch("bin/coalescing", "copy_shifted", [*COPY, number("u64", 1)], grid=(4,), block=(256,)),
    "copy_of_more": Launch(
        "bin/coalescing",
        "copy_float",
        [values("f32", 5000), unset("f32", 5000), number("u64", 5000)],
        (20,),
        (256,),
    ),
    "copy_of_nothing": Launch(
        "bin/coalescing",
        "copy_float",
        [unset("f32", 5000), unset("f32", 5000), number("u64", 5000)],
        (20,),
        (256,),
        {"uninitialized_read"},
    ),
    "copy_vectors": Launch("bin/coalescing", "copy_vectors<4>", COPY, grid=(1,), block=(256,)),
    "copy_too_far": Launch(
        "bin/coalescing", "copy_shifted", [*COPY, number("u64", 9)], (4,), (256,), {"out_of_bounds"}
    ),
    "naive": product("naive", 30, 40, 20, grid=(2, 2), block=(32, 32)),
    "tiled": product("tiled<16>", 48, 40, 33, grid=(3, 3), block=(16, 16)),
    "asynchronous": product("fast<64, 128, 16, true, false>", 64, 128, 32, block=(128,)),
    "race": product("tiled_with_fault<(Fault)0>", 32, 32, 32, grid=(2, 2), block=(16, 16), faults={"race_shared"}),
    "other_warps_first": product(
        "tiled_with_fault<(Fault)1>",
        32,
        32,
        32,
        grid=(2, 2),
        block=(16, 16),
        faults={"race_shared"},
        options={"schedule": 5},
    ),
    "unchecked": product(
        "tiled_with_fault<(Fault)0>", 32, 32, 32, grid=(2, 2), block=(16, 16), options={"checks": "none"}
    ),
    "early_return": product(
        "tiled_with_fault<(Fault)2>", 30, 30, 30, grid=(2, 2), block=(16, 16), faults={"barrier_after_exit"}
    ),
    "conflicts": transpose("through_tile<32>"),
    "padded": transpose("through_tile<33>", options={"device": "sm_90"}),
    "without_barrier": transpose("without_barrier", faults={"race_shared", "uninitialized_read"}),
    "arms": Launch("bin/divergence", "two_arms", [*ARMS, number("s32", 300), number("s32", 5)], (3,), (128,)),
    "sum_of_floats": Launch(
        "bin/reduction", "interleaved<float>", [values("f32", 1000), unset("f32", 4), number("u64", 1000)], (4,), (256,)
    ),
    "sum_of_doubles": Launch(
        "bin/reduction",
        "interleaved<double>",
        [values("f64", 1000), unset("f64", 4), number("u64", 1000)],
        (4,),
        (256,),
    ),
    "softmax": rows("softmax_two_sweeps"),
    "shared_word": Launch(
        f"{FAULTS}/fill_without_barrier_mistake",
        "broadcast",
        [values("s32", 1), unset("s32", 64)],
        (1,),
        (64,),
        {"race_shared", "uninitialized_read"},
    ),
    "barrier_in_loop": Launch(
        f"{FAULTS}/barrier_in_uneven_loop_mistake",
        "turns",
        [values("s32", 32), number("s32", 32)],
        faults={"barrier_divergence"},
    ),
    "endless": Launch(
        f"{FAULTS}/endless_loop_mistake",
        "fill",
        [values("s32", 1000), number("s32", 1000), number("s32", 0)],
        (2,),
        (32,),
        {"instruction_budget"},
        {"budget": 100000},
    ),
    "one_too_many": Launch(
        f"{FAULTS}/one_element_too_many_mistake",
        "copy",
        [values("s32", 1), unset("s32", 1), number("s32", 1)],
        faults={"out_of_bounds"},
    ),
    "printed": Launch("ptx/print.ptx", "print", [values("s32", 5)], (1,), (5,)),
    "functions": Launch("ptx/functions.ptx", "functions", [values("f32", 2048), unset("f32", 20480)], (16,), (128,)),
}


@pytest.fixture(scope="module")
def emulator_page(shared_page: Page, book_url: str) -> Page:
    """A page for all launches, which can load and drive the emulator."""
    open_with_scripts(shared_page, book_url)
    return shared_page


@pytest.mark.parametrize("name", LAUNCHES)
def test_a_launch_finds_what_it_finds_on_this_machine(
    emulator_page: Page, book_html: Path, tmp_path: Path, name: str
) -> None:
    launch, build = LAUNCHES[name], build_folder(book_html)
    here = launch_here(launch, build, tmp_path)
    assert launch.faults <= {fault["kind"] for fault in here["faults"]}
    assert bool(launch.faults) == bool(here["faults"])
    assert launch_in_page(emulator_page, launch, build) == here
