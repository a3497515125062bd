"""The directive machine-code: from a kernel's lines to the page, and what it refuses to show."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import SCHEMAS, Built
from lanes_book.errors import BookError
from lanes_book.machine_code import MachineCode, check, part
from lanes_book.results import Results
from lanes_book.snippets import Snippets
from make_results import SOURCES

Build = Callable[[str], Built]
CODE = [
    "0000: LDG.E R2, desc[UR4][R2.64]",
    "0010: ISETP.NE.AND P0, PT, R2, RZ, PT",
    "0020: SEL R2, R3, R2, !P0",
    "0030: EXIT",
]


def machine_code(**changes: Any) -> dict[str, Any]:
    """The content of a file."""
    return {
        "schema": "thirty-two-lanes/machine-code/1",
        "program": "sample",
        "form": "sass",
        "target": "sm_90",
        "toolkit": "13.0.88",
        "source": "sample.cu",
        "sources": SOURCES,
        "kernels": [{"name": "copy", "code": CODE}, {"name": "sum<(Way)1>", "code": CODE}],
    } | changes


@pytest.fixture
def file(results_folder: Path) -> Path:
    """A file of the sample's machine code, beside its results."""
    path = results_folder / "sample" / "h200.sass.json"
    path.write_text(json.dumps(machine_code()), encoding="utf-8")
    return path


def test_a_part_is_told_by_its_first_and_last_line() -> None:
    assert part(CODE, "", "") == CODE
    assert part(CODE, "ISETP", "SEL") == ["...", CODE[1], CODE[2], "..."]
    assert part(CODE, "", "LDG") == [CODE[0], "..."]
    with pytest.raises(BookError, match="no line with 'LDG' from line 2 of 4 on"):
        part(CODE, "ISETP", "LDG")


def test_what_a_page_says_of_the_code_is_held_against_it() -> None:
    check(CODE, ["SEL", "EXIT"], ["BRA"])
    with pytest.raises(BookError, match="no line holds 'BRA'"):
        check(CODE, ["BRA"], [])
    with pytest.raises(BookError, match="'0020: SEL R2, R3, R2, !P0' holds 'SEL', which the page says is not there"):
        check(CODE, [], ["SEL"])


def test_the_page_shows_the_lines_and_where_they_come_from(build: Build, file: Path) -> None:
    built = build(
        ":::{machine-code} sample/h200/sass/copy\n:from: ISETP\n:holds: SEL\n:lacks: BRA\n"
        ":caption: No *branch*\n:name: code\n:::\n\nSee {numref}`code`."
    )
    assert built.warnings == ""
    listing = built.page.select_one("div.machine-code")
    assert listing.select_one("pre").get_text().strip().split("\n") == ["...", *CODE[1:]]
    caption = listing.select_one(".code-block-caption").get_text()
    assert "No branch · SASS of copy for sm_90, nvcc 13.0.88" in caption
    assert listing.select_one(".code-block-caption a.internal")["href"].endswith("sample.cu.html#line-4")


def test_a_template_is_named_with_its_arguments(build: Build, file: Path) -> None:
    assert build(":::{machine-code} sample/h200/sass/sum<(Way)1>\n:snippets: copy\n:::").warnings == ""


@pytest.mark.parametrize(
    ("directive", "message"),
    [
        ("sample/h200/ptx/copy", "no machine code for 'sample/h200/ptx/copy'"),
        ("sample/h200/sass/cpy", "no kernel 'cpy' in"),
        ("sample/h200/sass/sum<(Way)1>", "no snippet 'sum<(Way)1>' in sample.cu"),
        ("sample/h200/sass/copy\n:lacks: SEL", "which the page says is not there"),
        ("sample/h200/sass/copy\n:holds: BRA", "no line holds 'BRA'"),
    ],
)
def test_what_is_not_there_is_an_error(build: Build, file: Path, directive: str, message: str) -> None:
    assert message in build(f":::{{machine-code}} {directive}\n:::").warnings


def test_code_of_another_version_is_an_error(build: Build, file: Path) -> None:
    file.write_text(json.dumps(machine_code(sources={**SOURCES, "copy": "f" * 16})), encoding="utf-8")
    assert (
        "was made from another version of snippet 'copy'"
        in build(":::{machine-code} sample/h200/sass/copy\n:::").warnings
    )


def test_files_are_validated_and_are_no_results(results_folder: Path, file: Path, snippets: Snippets) -> None:
    assert "sample/h200/sass" not in Results.load([results_folder], SCHEMAS, snippets)
    file.write_text(json.dumps(machine_code(form="ptx")), encoding="utf-8")
    with pytest.raises(BookError, match="holds ptx of 'sample': its place says otherwise"):
        MachineCode.load([results_folder], SCHEMAS)
    file.write_text(json.dumps(machine_code(target="H200")), encoding="utf-8")
    with pytest.raises(BookError, match=r"breaks machine-code.schema.json at \$.target"):
        MachineCode.load([results_folder], SCHEMAS)


def test_the_files_of_a_program_are_called_by_the_names_of_their_devices(build: Build, file: Path) -> None:
    built = build("```{downloads} sample\n```")
    assert built.warnings == ""
    row = built.page.select_one("table.provenance tbody tr")
    assert row.select_one("th").get_text(strip=True) == "SASS, H200"
    assert (built.folder / row.find("a")["href"]).read_bytes() == file.read_bytes()
