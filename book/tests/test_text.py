"""Boxes, equations, programs' output, and the promises that the text is held to."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import Built
from lanes_book.mathml import to_mathml
from lanes_book.program_output import split_output

Build = Callable[[str], Built]


def test_prediction_is_closed_and_opens_by_its_summary(build: Build) -> None:
    built = build(":::{predict} How many for `copy`?\nFour.\n\nNot five.\n:::")
    assert built.warnings == ""
    box = built.page.select_one("div.predict")
    assert box.select_one(".question code").get_text() == "copy"
    details = box.find("details")
    assert "open" not in details.attrs
    assert details.contents[0].name == "summary"
    assert [p.get_text() for p in details.find_all("p")] == ["Four.", "Not five."]


def test_answers_of_questions_are_folded(build: Build) -> None:
    built = build(":::{questions}\n1. One?\n   - Yes.\n2. Two?\n\n   Really?\n   - No.\n:::")
    assert built.warnings == ""
    items = built.page.select("ol.questions > li")
    assert [item.find("details").get_text(strip=True) for item in items] == ["AnswerYes.", "AnswerNo."]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (":::{predict} How many?\n:::", "no answer"),
        (":::{questions}\nText.\n:::", "one numbered list"),
        (":::{questions}\n1. One?\n   - Yes.\n2. Two?\n:::", "question 2 is not a text followed by one bullet"),
    ],
)
def test_errors_of_boxes(build: Build, text: str, message: str) -> None:
    assert message in build(text).warnings


def test_card(build: Build) -> None:
    card = build(":::{card} What to remember\n- A thing.\n:::").page.select_one("div.card")
    assert card.select_one(".box-label").get_text() == "What to remember"
    assert card.find("li")


def test_equations_are_mathml(build: Build) -> None:
    built = build("Inside $a \\times b$.\n\n$$\n\\text{bytes} = \\frac{a}{b}\n$$\n")
    assert built.warnings == ""
    inline, block = built.page.find_all("math")
    assert inline["display"] == "inline"
    assert block["display"] == "block"
    assert block.find("mfrac")


@pytest.mark.parametrize("latex", [r"\nosuchcommand{a}", r"\left( a"])
def test_equations_that_cannot_be_converted(build: Build, latex: str) -> None:
    assert "equation:" in build(f"$${latex}$$").warnings


def test_products_have_room_around_their_sign() -> None:
    assert "<mo>&#x000D7;</mo>" in to_mathml(r"a \times b", "inline")


def test_mathml_of_a_symbol() -> None:
    assert "<mi>&#x003BB;</mi>" in to_mathml(r"\lambda", "inline")


def test_program_output_runs_on_the_emulator(build: Build) -> None:
    built = build(":::{program-output} sample --show fault\n:::")
    assert built.warnings == ""
    text = built.page.find("pre").get_text()
    assert text.startswith("$ build/bin/lanes run build/bin/sample --show fault\n")
    assert "lanes was called with: run -- build/bin/sample --show fault" in text
    assert "it lies in build/bin/lanes" in text, "no folder of this machine gets into the page"


def test_table_at_the_end_of_an_output_keeps_its_columns() -> None:
    table = "lanes: emulator, as an sm_89\nkernel  launches  faults\ncopy           1       0"
    assert split_output(f"$ run\nlanes: error: here\n\n{table}") == ("$ run\nlanes: error: here", table)
    nothing = "$ run\nkernels\n\nlanes: emulator, as an sm_89\nNo kernel was launched."
    assert split_output(nothing) == (nothing, "")


def test_program_output_holds_the_program_to_its_status(build: Build) -> None:
    assert "ended with 3, not 0" in build(":::{program-output} sample --fail\n:::").warnings
    assert build(":::{program-output} sample --fail\n:status: 3\n:::").warnings == ""


def test_program_that_is_not_there(build: Build) -> None:
    assert "no program nothing" in build(":::{drawing} nothing\n:::").warnings


def test_drawing(build: Build) -> None:
    built = build(":::{drawing} draw\nWhat a *warp* does\n:::")
    assert built.warnings == ""
    assert built.page.select_one("figure.drawing svg title").get_text() == "A picture"
    assert built.page.select_one("figure.drawing figcaption em").get_text() == "warp"
    assert "printed no SVG" in build(":::{drawing} draw --nothing\n:::").warnings


TYPED = {
    "It reaches 2687 GB/s.": "2687 GB/s",
    "It reaches 2,687.5 GB/s.": "2,687.5 GB/s",
    "It takes 0.49 ms.": "0.49 ms",
    "It takes 12 µs.": "12 µs",
    "That is 63 % of the ceiling.": "63 %",
    "That is 64% of the ceiling.": "64%",
    "It does 51.1 TFLOP/s.": "51.1 TFLOP/s",
    "It is 1.6 times faster.": "1.6 times",
    "It is 1.7× faster.": "1.7×",
    "It moves 163,680 sectors.": "163,680 sectors",
    "There are 131 conflicts in *one* launch.": "131 conflicts",
    "- in a list: 100 %": "100 %",
    "| a table |\n|---|\n| 4262 GB/s |": "4262 GB/s",
    "## A heading of 4263 GB/s": "4263 GB/s",
}


def test_typed_numbers_are_errors(build: Build) -> None:
    warnings = build("\n\n".join(TYPED)).warnings
    missed = [number for number in TYPED.values() if f"'{number}' is typed by hand" not in warnings]
    assert missed == []
    assert warnings.count("is typed by hand") == len(TYPED)


NOT_TYPED = [
    "A request touches 4, 5 or 32 sectors, and a sector has 32 bytes.",
    "Of {given}`4.8 TB/s`, {result}`sample/h200/times/memcpy/gb_per_s` GB/s arrive.",
    "The code `63 %` and the equation $63 %$ say nothing.",
    "It is eight times larger, 2 times, in chapter 1.2.",
    "In 2009 and on sm_89 with C++20.",
    "```console\n$ run\n4261 GB/s\n```",
    ":::{results-table} sample\n:rows: offset_0\n:columns: time ratio\n:::",
]


def test_other_numbers_are_not(build: Build) -> None:
    assert build("\n\n".join(NOT_TYPED)).warnings == ""


def test_pasted_code_is_an_error(build: Build) -> None:
    languages = ["cuda", "cpp", "c++", "c"]
    text = "\n\n".join(f"```{language}\nint x;\n```" for language in languages)
    assert build(text).warnings.count("pasted into the text") == len(languages)


def test_drawing_that_cannot_be_narrow_is_scrolled_by_keyboard(build: Build) -> None:
    scrolled = build(":::{drawing} draw\n:::").page.select_one("figure.drawing .picture-scroll")
    assert scrolled["tabindex"] == "0"
    assert scrolled["role"] == "group"
    assert scrolled["aria-label"] == "Picture"
    assert scrolled.find("svg")


def test_banks_are_drawn_twice_for_wide_and_narrow_pages(build: Build) -> None:
    built = build(":::{drawing} lanes-draw-banks --stride 2\nBanks\n:::")
    assert built.warnings == ""
    figure = built.page.select_one("figure.drawing")
    assert figure.select_one(".picture-wide svg title").get_text() == "--stride 2"
    assert figure.select_one(".picture-narrow svg title").get_text() == "--stride 2 --columns 16"
    assert figure.select_one(".picture-scroll") is None


def test_table_that_a_program_prints(build: Build) -> None:
    built = build(":::{program-table} limits --measured\n:caption: Limits\n:name: limits\n:::\n\nSee {numref}`limits`.")
    assert built.warnings == ""
    table = built.page.select_one("table.program-table")
    rows = [[cell.get_text(strip=True) for cell in row.find_all(["th", "td"])] for row in table.find_all("tr")]
    assert rows == [["Limit", "8.9", "9.0"], ["Warps", "48", "64"], ["Speed", "4261\u00a0GB/s", "1\u00a0GB/s"]]
    assert "Table 1" in table.find("caption").get_text()
    assert table.select_one("tbody th").get_text() == "Warps"


def test_program_that_prints_no_table(build: Build) -> None:
    assert "printed no table" in build(":::{program-table} limits --torn\n:::").warnings
    assert "printed no table" in build(":::{program-table} draw --nothing\n:::").warnings


def test_counter_that_nobody_has_counted(build: Build) -> None:
    name = "l1tex__t_sectors_pipe_lsu_mem_global_op_l"
    assert f"nobody has counted '{name}'; nearest: {name}d" in build(f"See `{name}`.").warnings
    assert build(f"See `{name}d` and `{name}d.sum`, and `op_l`.").warnings == ""


def test_profiler_command_that_is_typed(build: Build) -> None:
    typed = "```console\n$ build/bin/sample\n$ ncu --metrics x.sum build/bin/sample\n```"
    assert "print it with the directive repeat" in build(typed).warnings
    assert build(":::{repeat} sample\n:::").warnings == ""


def test_a_given_percentage_looks_like_a_measured_one(build: Build) -> None:
    built = build("It is {given}`50 %` of 100.")
    assert built.page.select_one(".given").get_text() == "50\u202f%"
