"""The emulator's worker: what it refuses, how it is stopped, and that it comes back after the worst."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page
from wasm_page import open_with_scripts

# Adds 1 to each of its elements, again and again until an element is 0, and has room for more than a page can give.
PTX = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry count(.param .u64 data, .param .u32 turns)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    .reg .pred %p<2>;
    ld.param.u64 %rd0, [data];
    ld.param.u32 %r0, [turns];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd1, %r1, 4;
    add.s64 %rd1, %rd0, %rd1;
again:
    ld.global.u32 %r2, [%rd1];
    add.u32 %r2, %r2, 1;
    st.global.u32 [%rd1], %r2;
    sub.u32 %r0, %r0, 1;
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra again;
    ret;
}
.visible .entry greedy(.param .u64 data)
{
    .local .align 8 .b8 room[500000];
    .reg .b64 %rd<2>;
    .reg .b32 %r<2>;
    mov.u64 %rd0, room;
    mov.u32 %r0, 7;
    st.local.u32 [%rd0], %r0;
    ret;
}
"""
COUNT = {
    "kernel": "count",
    "block": 4,
    "arguments": [{"type": "u32", "array": [1, 2, 3, 4]}, {"type": "u32", "value": 3}],
}
COUNTED = [4, 5, 6, 7]
ENDLESS = {**COUNT, "arguments": [COUNT["arguments"][0], {"type": "u32", "value": 0}], "budget": 2**50}
GREEDY = {"kernel": "greedy", "block": 1024, "arguments": [{"type": "u8", "length": 2**26 - 1}]}


@pytest.fixture
def emulator(page: Page, book_url: str) -> Page:
    """A page with an `emulator` that has loaded the PTX, and `attempt`, which gives an outcome or what went wrong."""
    open_with_scripts(page, book_url)
    page.evaluate(
        """async (ptx) => {
            globalThis.emulator = await lanes.startEmulator();
            await emulator.load(ptx);
            globalThis.attempt = (promise) => promise.then(
                (outcome) => outcome.buffers ? [...outcome.buffers[0].values.slice(0, 4)] : outcome,
                ({reason, message, line}) => ({reason, message, line}));
        }""",
        PTX,
    )
    return page


def launch(page: Page, request: dict[str, Any]) -> Any:
    """The first array after a launch, or what went wrong."""
    return page.evaluate("(request) => attempt(emulator.launch(request))", request)


def test_ptx_with_an_error_is_refused_with_its_line(emulator: Page) -> None:
    refusal = emulator.evaluate("(ptx) => attempt(emulator.load(ptx))", PTX.replace("ret;", "return"))
    assert refusal["reason"] == "refused"
    assert refusal["line"] == PTX.splitlines().index("    ret;") + 2
    assert launch(emulator, COUNT)["message"] == "No PTX has been loaded."


def test_kernels_are_listed(emulator: Page) -> None:
    kernels = emulator.evaluate("(ptx) => emulator.load(ptx)", PTX)["kernels"]
    assert [kernel["name"] for kernel in kernels] == ["count", "greedy"]
    assert kernels[0]["parameters"] == [{"type": "u64", "bytes": 8}, {"type": "u32", "bytes": 4}]
    devices = emulator.evaluate("emulator.devices()")
    assert devices["default"] in [device["option"] for device in devices["devices"]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kernel": "none"}, "there is no kernel none; there are count, greedy"),
        ({"arguments": []}, "takes 2 arguments (u64, u32, where a pointer is a u64); 0 were given"),
        ({"arguments": [1, 2]}, "argument 0 is not an object"),
        ({"arguments": [{"type": "u32"}, {"type": "u32", "value": 3}]}, "argument 0 has neither a value nor"),
        ({"arguments": [{"type": "x8", "value": 1}]}, 'argument 0: "x8" is no type'),
        ({"arguments": [{"type": "u64", "value": 0.5}]}, "argument 0: The number 0.5 cannot be converted to a BigInt"),
        ({"arguments": [{"type": "u32", "length": 0}]}, "at least one element, not 0"),
        ({"arguments": [{"type": "f64", "length": 2**24}]}, "134217728 bytes were asked for; there are 67108864"),
        (
            {"arguments": [*COUNT["arguments"][:1], {"type": "f64", "value": 3}]},
            "argument 1: the kernel's argument has 4",
        ),
        ({"block": 1025}, "the block's x is 1025; at most 1024 is possible"),
        ({"block": 0}, "the block's x is 0; it must be at least 1"),
        ({"grid": [1, 2, 3, 4]}, "grid must be one to three whole numbers"),
        ({"grid": 1.5}, "grid must be one to three whole numbers"),
        ({"sharedBytes": 10**6}, "shared memory"),
        ({"budget": 0}, "number of instructions of at least 1"),
        ({"budget": "many"}, "budget must be a whole number"),
        ({"device": "sm_1"}, 'unknown device "sm_1"; there are sm_75'),
        ({"checks": "spelling"}, "spelling"),
        ({"schedule": "backwards"}, "backwards"),
    ],
)
def test_a_wrong_launch_is_refused(emulator: Page, change: dict[str, Any], message: str) -> None:
    refusal = launch(emulator, {**COUNT, **change})
    assert refusal["reason"] == "refused"
    assert message in refusal["message"]
    assert launch(emulator, COUNT) == COUNTED


def test_a_stopped_emulator_works_again(emulator: Page) -> None:
    attempts = emulator.evaluate(
        """async ([endless, count]) => {
            const stopped = [attempt(emulator.launch(endless)), attempt(emulator.launch(count))];
            await new Promise((resolve) => setTimeout(resolve, 100));
            emulator.stop();
            const after = attempt(emulator.launch(count));
            return Promise.all([...stopped, after]);
        }""",
        [ENDLESS, COUNT],
    )
    assert [attempts[0]["reason"], attempts[1]["reason"]] == ["stopped", "stopped"]
    assert attempts[2] == COUNTED


def test_an_emulator_without_memory_says_so_and_works_again(emulator: Page) -> None:
    crash = launch(emulator, GREEDY)
    assert crash["reason"] == "crashed"
    assert "memory" in crash["message"]
    assert launch(emulator, COUNT) == COUNTED


def test_the_emulator_works_from_a_server(page: Page, served_url: str) -> None:
    open_with_scripts(page, served_url)
    script = """async ([ptx, request]) => {
        const emulator = await lanes.startEmulator();
        await emulator.load(ptx);
        return [...(await emulator.launch(request)).buffers[0].values];
    }"""
    assert page.evaluate(script, [PTX, COUNT]) == COUNTED
