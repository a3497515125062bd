"""Where lines of a page may break."""

from __future__ import annotations

from collections.abc import Callable

from conftest import Built
from lanes_book.line_breaks import between_parts, column_below

Build = Callable[[str], Built]
LONG = "l1tex__t_requests_pipe_lsu_mem_global_op_ld"


def test_parts_of_names() -> None:
    assert between_parts("lsu_mem__global") == "lsu_<wbr>mem__<wbr>global"
    assert between_parts("lanes::Benchmark") == "lanes::<wbr>Benchmark"
    assert between_parts("cudaFuncAttribute") == "cuda<wbr>Func<wbr>Attribute"
    assert between_parts("&lt;lanes/bank_map.hpp&gt;") == "&lt;lanes/<wbr>bank_map.hpp&gt;"


def test_only_long_names_of_the_text_break(build: Build) -> None:
    short, long, *_ = build(f"`--bench-only` and `{LONG}`.").page.select("article p > code")
    assert short.select_one(".pre")["class"] == ["pre"]
    assert short.find("wbr") is None
    assert long.select_one(".pre")["class"] == ["pre", "long"]
    assert len(long.find_all("wbr")) == 8
    assert long.get_text() == LONG, "what is copied is the name"


def test_what_a_program_printed_wraps_below_its_last_column(build: Build) -> None:
    block = build(":::{program-output} sample --columns\n:::").page.find("pre")
    lines = {line.get_text(): line["style"] for line in block.select(".go")}
    assert lines["  --one  FILE   Says what"] == "--column: 16"
    assert lines["  --two"] == "--column: 4"
    assert "\n  --one  FILE   Says what\n  --two" in block.get_text(), "what is copied is what it printed"


def test_a_line_of_many_columns_goes_on_below_its_second() -> None:
    assert column_below("--one  FILE   Says what") == 14
    assert column_below("  no columns") == 4
    assert column_below("bank 0:  " + "  ".join(f"element {8 * lane} (lane {lane})" for lane in range(8))) == 9
