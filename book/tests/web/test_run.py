"""Kernels run in the page: every launch of every listing as on this machine, and all that a reader can do to one."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from accessibility import problems_inside
from browser import Watch, ready
from native_launch import ROOT, NativeLaunch, launch
from playwright.sync_api import Error, Page, expect
from run_panels import Run, open_panel, panel_of, press, ptx_of, run, write_ptx

RECIPES = sorted((ROOT / "chapters").glob("*/launches.json"))
COALESCING = "chapters/01_coalescing/coalescing.html"
MOST_BYTES_SENT = 500_000  # by the first press
ENDLESS = "$L__again:\nbra $L__again;\nret;"


def chapter_page(recipes: Path) -> str:
    """The page of a chapter's text."""
    folder = recipes.parent.name
    return f"chapters/{folder}/{folder.partition('_')[2]}.html"


def check_equal(ran: Run, native: NativeLaunch) -> None:
    """Fails unless the page and this machine agree in everything."""
    outcome = ran.outcome
    assert outcome["counters"] == native.launch["counters"]
    assert outcome["lines"] == native.launch["lines"]
    assert outcome["faults"] == native.faults
    assert ran.arrays == native.arrays


@pytest.mark.parametrize("recipes", RECIPES, ids=lambda path: path.parent.name)
def test_every_listing_runs_as_on_this_machine(page: Page, book_url: str, tmp_path: Path, recipes: Path) -> None:
    page.goto(f"{book_url}{chapter_page(recipes)}")
    launches = json.loads(recipes.read_text(encoding="utf-8"))["launches"]
    natives: dict[tuple[str, str], NativeLaunch] = {}
    for panel in page.locator("lanes-run").all():
        name = panel.get_attribute("data-launch").partition("/")[2]
        for place, kernel in enumerate(launches[name]["kernels"]):
            if place > 0 and (name, kernel["name"]) in natives:
                break  # another listing of the same launch has run its other kernels
            if place > 0:
                panel.get_by_label("Kernel", exact=True).select_option(index=place)
            ran = run(panel)
            assert ran.kernel["name"] == kernel["name"]
            key = (name, kernel["name"])
            if key not in natives:
                natives[key] = launch(ran.ptx, ran.request, tmp_path)
            check_equal(ran, natives[key])
            faults = kernel.get("faults", [])
            assert sorted(set(ran.shown)) == faults, ran.status
            assert ran.right == (not faults), ran.status
    assert natives.keys() == {(name, kernel["name"]) for name in launches for kernel in launches[name]["kernels"]}


def test_nothing_of_the_emulator_is_loaded_before_the_press(
    page: Page, served_url: str, book_html: Path, watch: Watch
) -> None:
    page.goto(f"{served_url}{COALESCING}", wait_until="networkidle")
    before = set(watch.requests)
    assert not [url for url in before if re.search(r"emulator|/launches/|/ptx/|run_|run\.css", url)]
    panel = panel_of(page, "coalescing/copy_float")
    panel.get_by_role("button", name="Run copy_float").press("Enter")
    expect(panel.get_by_role("status")).to_have_text("The result is right: every element was copied.")
    scripts = [url.removeprefix(served_url) for url in set(watch.requests) - before if not url.startswith("blob:")]
    assert [name for name in scripts if "/ptx/" in name] == ["_static/ptx/coalescing/copy_float.js"]
    sent = sum(len(gzip.compress((book_html / name).read_bytes())) for name in scripts)
    assert sent < MOST_BYTES_SENT, f"{sent} bytes for {', '.join(scripts)}"


def test_a_network_that_fails_is_told_and_may_be_asked_again(page: Page, served_url: str, watch: Watch) -> None:
    page.goto(f"{served_url}{COALESCING}")
    panel = panel_of(page, "coalescing/copy_float")
    button = panel.get_by_role("button", name="Run copy_float")
    page.route("**/lanes-emulator.js", lambda route: route.abort())
    button.click()
    expect(panel.get_by_role("status")).to_have_text("lanes-emulator.js could not be loaded. Press Run to try again.")
    assert any("lanes-emulator.js" in problem for problem in watch.problems)
    watch.problems.clear()
    page.unroute("**/lanes-emulator.js")
    button.click()
    expect(panel.get_by_role("status")).to_have_text("The result is right: every element was copied.")


def test_the_keyboard_stays_on_the_button_that_it_pressed(page: Page, book_url: str) -> None:
    page.goto(f"{book_url}{COALESCING}")
    panel = panel_of(page, "coalescing/copy_float")
    panel.get_by_role("button", name="Run copy_float").press("Enter")
    expect(panel.get_by_role("status")).to_have_class("run-status run-right")
    button = panel.get_by_role("button", name="Run", exact=True)
    expect(button).to_be_focused()
    panel.get_by_label("Elements (1\u00a0to\u00a065,536)").fill("100")
    button.press("Enter")
    expect(panel.locator(".run-result figcaption")).to_have_text("out, 100 elements")
    page.wait_for_timeout(100)  # a browser takes the focus from what is disabled when it draws the next time
    expect(button).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(300)
    assert page.url == f"{book_url}{COALESCING}", "the arrow keys turn pages only where nothing has the focus"


def test_sizes_are_the_readers_and_stay_within_their_limits(page: Page, book_url: str) -> None:
    panel = open_panel(page, f"{book_url}{COALESCING}", "coalescing/copy_strided")
    panel.get_by_label("Stride, floats").fill("32")
    sectors = run(panel).outcome["counters"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld"]
    assert sectors == 1000
    expect(panel.locator('[data-measure="load_sectors"]')).to_have_text("1,000")
    elements = panel.get_by_label("Elements (1\u00a0to\u00a016,384)")
    elements.fill("99999999")
    elements.press("Tab")
    expect(elements).to_have_value("16384")
    for typed, taken in (("1e9", "16384"), ("-1", "1"), ("1.5", "2"), ("", "2")):
        elements.fill(typed)
        elements.press("Tab")
        expect(elements).to_have_value(taken)


def test_counts_stand_beside_the_lines_and_in_a_table(page: Page, book_url: str) -> None:
    panel = open_panel(page, f"{book_url}{COALESCING}", "coalescing/copy_shifted")
    listing = page.locator(".snippet", has=panel)
    counted = listing.locator(".line-counts .counted")
    assert [int(text) for text in counted.all_inner_texts()] == [157 + 125]
    panel.get_by_label("Lines show").select_option("instructions")
    total = int(panel.locator('[data-measure="instructions"]').inner_text().replace(",", ""))
    assert sum(int(text) for text in counted.all_inner_texts()) == total
    column, code = (listing.locator(f"{part} pre").first.bounding_box() for part in (".line-counts", "div.highlight"))
    assert (column["y"], column["height"]) == (code["y"], code["height"]), "numbers stand beside their lines"
    panel.get_by_text("What each line cost, as a table").click()
    assert len(panel.locator(".run-lines tbody tr").all()) == counted.count()


def test_a_fault_leads_to_its_line(page: Page, book_url: str) -> None:
    panel = open_panel(page, f"{book_url}chapters/05_divergence/divergence.html", "divergence/add_neighbour")
    panel.get_by_label("Kernel", exact=True).select_option(index=1)
    assert "uninitialized_read" in run(panel).shown
    link = panel.locator('[data-kind="uninitialized_read"]').get_by_role("button").first
    link.press("Enter")
    mark = page.locator(".run-mark")
    expect(mark).to_be_focused()
    assert "tile[t]" in mark.get_attribute("aria-label")
    line = re.search(r"\d+", link.inner_text())[0]
    assert mark.get_attribute("aria-label").startswith(f"Line {line}:")


def test_checks_order_and_device_can_be_chosen(page: Page, book_url: str, tmp_path: Path) -> None:
    panel = open_panel(
        page, f"{book_url}chapters/03_bank_conflicts/bank_conflicts.html", "bank_conflicts/without_barrier"
    )
    panel.get_by_text("Device, checks, order and budget").click()
    panel.get_by_label("Look for races and unset memory").uncheck()
    assert run(panel).shown == []
    panel.get_by_label("Look for races and unset memory").check()
    panel.get_by_label("Order of the warps").select_option("random")
    panel.get_by_label("Seed of the order").fill("7")
    panel.get_by_label("Device").select_option("sm_90")
    ran = run(panel)
    assert (ran.request["schedule"], ran.request["device"]) == ("7", "sm_90")
    check_equal(ran, launch(ran.ptx, ran.request, tmp_path))


def test_a_kernel_without_end_is_stopped_and_the_next_one_runs(page: Page, book_url: str) -> None:
    panel = open_panel(page, f"{book_url}{COALESCING}", "coalescing/copy_float")
    write_ptx(panel, ptx_of(panel).replace("ret;", ENDLESS))
    panel.get_by_text("Device, checks, order and budget").click()
    panel.get_by_label("Budget").fill("1000000000")
    press(panel, "Run this PTX")
    expect(panel.get_by_role("button", name="Stop")).to_be_enabled()
    page.wait_for_timeout(200)
    press(panel, "Stop")
    expect(panel.get_by_role("status")).to_contain_text("Stopped.")
    expect(panel.get_by_role("button", name="Run", exact=True)).to_be_focused()
    press(panel, "Undo all changes")
    assert run(panel).right


def test_the_budget_ends_a_kernel_without_end(page: Page, book_url: str, tmp_path: Path) -> None:
    panel = open_panel(page, f"{book_url}{COALESCING}", "coalescing/copy_float")
    write_ptx(panel, ptx_of(panel).replace("ret;", ENDLESS))
    panel.get_by_text("Device, checks, order and budget").click()
    panel.get_by_label("Budget").fill("1000")
    ran = run(panel)
    assert ran.shown == ["instruction_budget"]
    check_equal(ran, launch(ran.ptx, ran.request, tmp_path))


def test_changed_ptx_runs(page: Page, book_url: str) -> None:
    panel = open_panel(page, f"{book_url}{COALESCING}", "coalescing/copy_float")
    store = re.search(r"st\.global\.f32 \[%rd\d+\], (%f\d+);", ptx_of(panel))
    write_ptx(panel, ptx_of(panel).replace(store[0], f"add.f32 {store[1]}, {store[1]}, 0f3F800000;\n{store[0]}"))
    ran = run(panel)
    assert ran.status.startswith("The result is wrong: out[0] is ")
    assert ran.status.endswith("1000 of 1000 are wrong.")
    expect(panel.locator(".run-result mark").first).to_contain_text("!")


def test_an_error_in_ptx_is_shown_with_its_line(page: Page, book_url: str) -> None:
    panel = open_panel(page, f"{book_url}{COALESCING}", "coalescing/copy_float")
    lines = ptx_of(panel).split("\n")
    place = next(at for at, line in enumerate(lines) if line.startswith("ld.global"))
    lines[place] = "ld.global.f32 %f1 %rd9;"
    write_ptx(panel, "\n".join(lines))
    press(panel, "Run this PTX")
    expect(panel.get_by_role("status")).to_contain_text(f"PTX line {place + 1}:")
    selected = "e => e.value.slice(e.selectionStart, e.selectionEnd)"
    assert panel.locator("textarea").evaluate(selected) == lines[place]


OTHER_PARAMETERS = ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry f() { ret; }"
TWO_KERNELS = f"{OTHER_PARAMETERS}\n.visible .entry g() {{ ret; }}"


def test_what_is_no_kernel_of_this_kind_is_refused_in_words(page: Page, book_url: str) -> None:
    panel = open_panel(page, f"{book_url}{COALESCING}", "coalescing/copy_float")
    for ptx in ("", "nonsense", "\1", OTHER_PARAMETERS, TWO_KERNELS):
        write_ptx(panel, ptx)
        with pytest.raises(Error) as refused:
            run(panel)
        assert len(refused.value.message) > 30
        assert "--" not in refused.value.message, "a page has no options of a command"
        expect(panel.get_by_role("status")).to_have_class("run-status run-wrong")
    press(panel, "Undo all changes")
    assert run(panel).right


def test_a_kernel_that_wants_all_memory_is_refused_and_the_next_one_runs(page: Page, book_url: str) -> None:
    panel = open_panel(page, f"{book_url}{COALESCING}", "coalescing/copy_float")
    huge = ".global .align 8 .b8 huge[3000000000];\n.visible .entry"
    write_ptx(panel, ptx_of(panel).replace(".visible .entry", huge, 1))
    press(panel, "Run this PTX")
    expect(panel.get_by_role("status")).to_have_class("run-status run-wrong")
    press(panel, "Undo all changes")
    assert run(panel).right


PRINTS = """.version 9.0
.target sm_80
.address_size 64
.extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 values);
.global .align 1 .b8 text[4] = {72, 105, 32, 0};
.visible .entry print(.param .u64 in, .param .u64 out, .param .u64 count) {
.reg .b64 %rd<3>;
mov.u64 %rd1, text;
cvta.global.u64 %rd2, %rd1;
{
.param .b64 param0;
st.param.b64 [param0+0], %rd2;
.param .b64 param1;
st.param.b64 [param1+0], 0;
.param .b32 retval0;
call.uni (retval0), vprintf, (param0, param1);
}
ret;
}
"""


def test_what_a_kernel_prints_is_shown(page: Page, book_url: str) -> None:
    panel = open_panel(page, f"{book_url}{COALESCING}", "coalescing/copy_float")
    write_ptx(panel, PRINTS)
    run(panel)
    expect(panel.locator(".run-printed pre")).to_contain_text("Hi Hi Hi")


EXPRESSIONS = {
    "1 + 2 * 3 - 4 / 2": 5,
    "7 - 2 - 1": 4,
    "-7 % 4": -3,
    "1 < 2 && 3 >= 4 || 5 != 5": 0,
    "!0 + ~0": 4294967296,
    "6 & 3 | 8 ^ 1": 11,
    "1 << 31 >> 31": 1,
    "n > 3 ? n : -n": 5,
    "ceil(1000 / 256) + floor(7 / 2)": 7,
    "min(3, 2) + max(3, 2) + abs(0 - 1) + exp(0)": 7,
    "u32(0 - 1) - u32(4294967297)": 4294967294,
    "multiply32(4294967295, 3)": 4294967293,
    "sum(k, 0, n, k * k)": 30,
    "maximum(k, 0, 3, a[k])": 9,
    "repeat(3, x, 1, x * 2 + 1)": 15,
    "let(x, 2, x * let(x, 3, x) + x)": 8,
}


NO_EXPRESSIONS = ("", "1 +", "(1", "1 2", "f(1)", "a[0", "x", "a[7]", "alert(1)", "1; 2", "sum(k, 0)", "n.n", "a")


def test_expressions_compute_what_they_say_and_nothing_else(page: Page, book_url: str) -> None:
    open_panel(page, f"{book_url}{COALESCING}", "coalescing/copy_float")
    evaluate = """texts => texts.map((text) => {
        const scope = new lanes.Scope();
        scope.set('n', 5);
        scope.set('a', [4, 9, 2]);
        try { return lanes.expression(text)(scope); } catch (error) { return error.message; }
    })"""
    assert page.evaluate(evaluate, list(EXPRESSIONS)) == list(EXPRESSIONS.values())
    for text, refusal in zip(NO_EXPRESSIONS, page.evaluate(evaluate, list(NO_EXPRESSIONS)), strict=True):
        assert isinstance(refusal, str), text


def test_an_open_panel_fits_a_phone_and_suits_axe(page: Page, book_url: str) -> None:
    url = f"{book_url}chapters/05_divergence/divergence.html"
    panel = open_panel(page, url, "divergence/barrier_in_each_arm")
    for summary in panel.locator("summary").all():
        summary.click()
    page.emulate_media(reduced_motion="reduce", color_scheme="light")
    found = problems_inside(page, ".snippet:has(.run-panel)")
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 360, "height": 740})
    ready(page)
    found += problems_inside(page, ".snippet:has(.run-panel)")
    assert not found, "axe-core found:\n" + "\n".join(found)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
