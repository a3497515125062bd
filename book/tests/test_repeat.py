"""The commands that repeat a table name what the table's results files hold, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Built
from lanes_book.repeat import Commands
from make_results import LOAD_SECTORS, LOADS, STORES, all_results, write_results

Build = Callable[[str], Built]
ON_EMULATOR = "$ build/bin/lanes run --lines --json counts.json build/bin/sample --counts"
TIMES = "$ build/bin/sample --bench-only"


def commands_below_table(build: Build, options: str) -> list[str]:
    """The lines that open below a table."""
    built = build(f":::{{results-table}} sample\n:rows: offset_0\n{options}\n:::")
    assert built.warnings == ""
    return built.page.select_one("details.repeat-fold pre").get_text().strip().splitlines()


def test_a_table_of_everything_has_all_three_commands(build: Build) -> None:
    lines = commands_below_table(build, ":columns: predicted emulator h200 time")
    assert lines[0] == ON_EMULATOR
    assert lines[1] == "$ ncu --clock-control none --metrics \\"
    assert lines[2:5] == [f"{LOAD_SECTORS}.sum,\\", f"{LOADS}.sum \\", "    build/bin/sample --counts"]
    assert lines[5:] == [TIMES]


def test_a_table_names_no_counter_that_it_does_not_show(build: Build) -> None:
    assert commands_below_table(build, ":columns: predicted emulator") == [ON_EMULATOR]
    assert commands_below_table(build, ":columns: time ratio") == [TIMES]
    lines = commands_below_table(
        build,
        "\nStores | h200/counts/{row}/global_st_requests\n"
        "Offset | h200/counts/{row}/parameters/offset\n"
        "Model | h200/counts/{row}/predicted/global_ld_sectors\n"
        "Emulator | emulator/counts/{row}/global_ld_sectors",
    )
    assert lines == [
        ON_EMULATOR,
        "$ ncu --clock-control none --metrics \\",
        f"{STORES}.sum \\",
        "    build/bin/sample --counts",
    ]


def test_a_picture_has_the_commands_below_its_numbers(build: Build) -> None:
    plot = ":::{results-plot} sample\n:rows: offset_*\n:x: offset\n:y: gb_per_s\n:alt: A line.\n:::"
    built = build(plot)
    assert built.warnings == ""
    assert built.page.select_one("details.picture-numbers pre").get_text().strip() == TIMES


def test_a_short_command_stands_on_one_line() -> None:
    assert Commands("sample").nsight_compute(["smsp__inst_executed"]) == [
        "$ ncu --clock-control none --metrics smsp__inst_executed.sum build/bin/sample --counts"
    ]


def test_all_counters_of_a_card_and_none_of_its_averages(build: Build, results_folder: Path) -> None:
    changed = all_results()
    for case in changed["h200.counts.json"]["cases"]:
        case["counters"] = {**case["counters"], "dram__sectors_read": 9, f"{LOADS}.avg": 1}
    write_results(results_folder, changed)
    text = build(":::{repeat} sample\n:::").page.find("pre").get_text()
    assert "dram__sectors_read.sum" in text
    assert ".avg" not in text


def test_without_a_card_the_emulators_counters_are_known(build: Build, results_folder: Path) -> None:
    (results_folder / "sample" / "h200.counts.json").unlink()
    built = build(":::{repeat} sample\n:counters: global_ld_sectors\n:::")
    assert built.warnings == ""
    assert f"{LOAD_SECTORS}.sum" in built.page.find("pre").get_text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (":::{repeat} sample\n:counters: global_ld_sector\n:::", "holds no counter 'global_ld_sector'"),
        (":::{repeat} sample\n:counters: dram__sectors_read\n:::", "holds no counter 'dram__sectors_read'"),
        (":::{repeat} smple\n:::", "nearest: sample"),
    ],
)
def test_a_command_with_a_name_that_nobody_counted_is_an_error(build: Build, text: str, message: str) -> None:
    assert message in build(text).warnings
