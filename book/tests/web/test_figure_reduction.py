"""The live figure of reductions: threads, warps, wavefronts and conflicts are the model's, in every step."""

from __future__ import annotations

from functools import cache

import pytest
from native_model import native
from open_figure import OpenFigure
from playwright.sync_api import Page, expect

TREES = ("modulo", "strided_index", "sequential")
SIZES = (32, 64, 128, 256)


@pytest.fixture
def figure(page: Page, book_url: str) -> OpenFigure:
    return OpenFigure(page, f"{book_url}chapters/06_reduction/reduction.html", "reduction")


@cache
def model_of(scheme: str, threads: int) -> tuple[int, list[tuple[list[int], list[int]]]]:
    """Warps that add in all; and for each step its seven numbers, and what each thread does."""
    shuffles = scheme == "shuffles"
    answer = native("shuffle_reduction", threads) if shuffles else native("reduction", TREES.index(scheme), threads)
    numbers = [int(number) for number in answer[1:]]
    length = 7 + threads
    steps = [numbers[at : at + length] for at in range(0, len(numbers), length)]
    return int(answer[0]), [(step[:7], step[7:]) for step in steps]


def check(figure: OpenFigure, scheme: str, threads: int, step: int) -> None:
    """Fails unless the figure shows what the model says of this step."""
    in_all, steps = model_of(scheme, threads)
    (_, additions, warps, loads, load_conflicts, stores, store_conflicts), of_threads = steps[step - 1]
    so_far = sum(numbers[2] for numbers, _ in steps[:step])
    assert figure.facts() == {
        "Warps that add now": f"{warps} of {threads // 32}",
        "Warps that added, in all": f"{so_far} of {in_all}",
        "Wavefronts of loads + stores": f"{loads} + {stores}",
        "Of them bank conflicts": f"{load_conflicts} + {store_conflicts}",
    }
    drawn = figure.element.locator("[data-thread]").evaluate_all(
        "all => all.map(cell => ['idle', 'in-vain', 'adds'].findIndex(kind => cell.classList.contains(kind)))"
    )
    if scheme == "shuffles":
        assert drawn == of_threads
    else:
        assert drawn == [2 if element >= 0 else 0 for element in of_threads]
        assert figure.element.locator(".into").count() == figure.element.locator(".cell.from:not(li *)").count()
    assert sum(kind > 0 for kind in drawn) == additions
    assert figure.element.locator(".warp.busy").count() == warps


@pytest.mark.parametrize("scheme", [*TREES, "shuffles"])
def test_every_step_of_every_kernel(figure: OpenFigure, scheme: str) -> None:
    for threads in SIZES:
        in_all, steps = model_of(scheme, threads)
        for step in range(1, len(steps) + 1):
            figure.show(f"scheme:{scheme},threads:{threads},step:{step}")
            check(figure, scheme, threads, step)
        words = " + ".join(str(numbers[2]) for numbers, _ in steps)
        assert figure.element.locator(".warps").inner_text() == f"Warps that add, step by step: {words} = {in_all}"
        # The last step's sum is of all elements.
        assert str(threads) in figure.element.locator(".value").all_text_contents()


def test_the_counts_of_the_chapter(figure: OpenFigure) -> None:
    for scheme, warps, conflicts in (("modulo", 47, 0), ("strided_index", 12, 35), ("sequential", 12, 0)):
        figure.show(f"scheme:{scheme},step:last")
        assert figure.facts()["Warps that added, in all"] == f"{warps} of {warps}"
        assert sum(numbers[6] for numbers, _ in model_of(scheme, 256)[1]) == conflicts
    figure.show("scheme:shuffles,step:last")
    assert figure.facts()["Warps that added, in all"] == "45 of 45"


def test_by_keyboard(figure: OpenFigure, page: Page) -> None:
    check(figure, "strided_index", 256, 3)
    figure.control("Kernel").focus()
    page.keyboard.press("ArrowDown")
    check(figure, "sequential", 256, 3)
    figure.control("Thread").focus()
    page.keyboard.press("ArrowRight")
    assert "Thread 1 (warp 0, lane 1): buf[1] += buf[33]." in figure.text()
    page.keyboard.press("End")
    assert "Thread 255 (warp 7, lane 31) has nothing to add." in figure.text()
    player = figure.element.get_by_role("group", name="Steps")
    player.get_by_role("button", name="Back one step").focus()
    page.keyboard.press("ArrowLeft")
    check(figure, "sequential", 256, 2)
    figure.expect_address("scheme:sequential,thread:255,step:2")


def test_by_mouse(figure: OpenFigure, page: Page) -> None:
    figure.element.locator('[data-thread="5"]').click()
    assert "Thread 5 (warp 0, lane 5): buf[40] += buf[44]." in figure.text()
    figure.element.get_by_role("button", name="Next step").click()
    check(figure, "strided_index", 256, 4)
    figure.expect_address("thread:5,step:4")
    again = OpenFigure(page, page.url, "reduction")
    check(again, "strided_index", 256, 4)
    expect(again.control("Thread")).to_have_value("5")
    again.reset()
    check(again, "strided_index", 256, 3)
    again.control("Threads a block").select_option("32")
    check(again, "strided_index", 32, 3)


def test_a_smaller_block_has_no_thread_beyond_its_last(figure: OpenFigure) -> None:
    figure.show("thread:200")
    figure.control("Threads a block").select_option("64")
    expect(figure.control("Thread")).to_have_value("63")


def test_words_of_the_text_set_it(figure: OpenFigure, page: Page) -> None:
    page.get_by_role("link", name="the tree that we began with").click()
    check(figure, "modulo", 256, 1)
    page.get_by_role("link", name="the one with halving distances").click()
    check(figure, "sequential", 256, 1)
    page.get_by_role("link", name="the figure above").click()
    check(figure, "shuffles", 256, 1)
