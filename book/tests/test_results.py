"""Results by key: values, missing ones, stale ones, and what may not be said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import SCHEMAS
from lanes_book.errors import BookError, MissingEntry
from lanes_book.results import Results
from lanes_book.snippets import Snippet, Snippets
from make_results import all_results, write_results


def test_value_of_a_time(results: Results) -> None:
    assert results.value("sample/h200/times/offset_1/gb_per_s") == 2437.5


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sample/h200/counts/offset_1/l1tex__t_sectors_pipe_lsu_mem_global_op_ld", 5000),
        ("sample/h200/counts/offset_1/global_ld_sectors", 5000),
        ("sample/emulator/counts/offset_0/predicted/global_ld_sectors", 4000),
        ("sample/emulator/counts/offset_8/parameters/offset", 8),
        ("sample/h200/times/provenance/device", "NVIDIA H200"),
    ],
)
def test_values_of_counts_and_the_rest(results: Results, key: str, value: object) -> None:
    assert results.value(key) == value


def test_missing_field_names_the_nearest(results: Results) -> None:
    with pytest.raises(BookError, match=r"no result 'sample/h200/times/offset_1/gb_s'; nearest: .*offset_1/gb_per_s"):
        results.value("sample/h200/times/offset_1/gb_s")


def test_missing_entry_is_told_apart_from_missing_field(results: Results) -> None:
    with pytest.raises(MissingEntry):
        results.value("sample/h200/times/offset_3/gb_per_s")


@pytest.mark.parametrize("key", ["sample/h100/times/offset_1/gb_per_s", "sample/h200", "nothing"])
def test_missing_file(results: Results, key: str) -> None:
    with pytest.raises(BookError, match="no results file for"):
        results.value(key)


def test_times_of_the_emulator_are_refused(results: Results) -> None:
    with pytest.raises(BookError, match="is a time of the emulator"):
        results.value("sample/emulator/times/offset_1/gb_per_s")


def test_sizes_of_an_emulated_run_are_not_times(results: Results) -> None:
    assert results.value("sample/emulator/times/offset_1/bytes") == 8000000


def test_stale_result_names_file_snippet_and_command(results_folder: Path, snippets: Snippets) -> None:
    changed = all_results()
    changed["h200.times.json"]["sources"] = {"copy": "ffffffffffffffff"}
    write_results(results_folder, changed)
    results = Results.load([results_folder], SCHEMAS, snippets)
    with pytest.raises(
        BookError, match=r"h200\.times\.json .* 'copy' of sample\.cu .*ci/measure --name h200 .*01_sample"
    ):
        results.value("sample/h200/times/offset_1/gb_per_s")
    assert results.value("sample/h200/times/memcpy/gb_per_s") == 4000.0, "memcpy depends on no snippet"


def test_result_of_a_snippet_that_is_gone_is_stale(results_folder: Path, snippets: Snippets) -> None:
    changed = all_results()
    changed["h200.counts.json"]["sources"]["gone"] = "00000000000000ff"
    changed["h200.counts.json"]["cases"][0]["snippets"] = ["gone"]
    write_results(results_folder, changed)
    results = Results.load([results_folder], SCHEMAS, snippets)
    with pytest.raises(BookError, match="another version of snippet 'gone'"):
        results.value("sample/h200/counts/offset_0/global_ld_sectors")


def test_file_that_breaks_the_schema_is_refused(results_folder: Path, snippets: Snippets) -> None:
    changed = all_results()
    del changed["h200.times.json"]["provenance"]
    write_results(results_folder, changed)
    with pytest.raises(BookError, match=r"h200\.times\.json breaks times\.schema\.json .*provenance"):
        Results.load([results_folder], SCHEMAS, snippets)


def test_file_that_is_no_json_is_refused(results_folder: Path, snippets: Snippets) -> None:
    (results_folder / "sample" / "h200.times.json").write_text("{", encoding="utf-8")
    with pytest.raises(BookError, match="cannot read"):
        Results.load([results_folder], SCHEMAS, snippets)


def test_file_in_the_folder_of_another_program_is_refused(tmp_path: Path, snippets: Snippets) -> None:
    (tmp_path / "other").mkdir()
    text = json.dumps(all_results()["h200.times.json"])
    (tmp_path / "other" / "h200.times.json").write_text(text, encoding="utf-8")
    with pytest.raises(BookError, match="lies in a folder named other"):
        Results.load([tmp_path], SCHEMAS, snippets)


def test_first_folder_wins(results_folder: Path, tmp_path: Path, snippets: Snippets) -> None:
    changed = all_results()
    changed["h200.times.json"]["measurements"][0]["gb_per_s"] = 1.0
    write_results(tmp_path / "second", changed)
    results = Results.load([results_folder, tmp_path / "second"], SCHEMAS, snippets)
    assert results.value("sample/h200/times/memcpy/gb_per_s") == 4000.0


def test_rows_by_name_and_pattern(results: Results) -> None:
    rows = results.rows("sample", "offset_8 offset_*")
    assert [(row.name, row.by_pattern) for row in rows] == [
        ("offset_8", True), ("offset_0", True), ("offset_1", True)
    ]  # fmt: skip
    with pytest.raises(BookError, match="'offset_9' matches no result of sample; nearest: offset_"):
        results.rows("sample", "offset_9")


def test_parameter_must_be_there_and_agree(results_folder: Path, snippets: Snippets, results: Results) -> None:
    assert results.parameter("sample", "offset_8", "offset") == 8
    with pytest.raises(BookError, match="no file says the parameter 'stride'"):
        results.parameter("sample", "offset_8", "stride")
    changed = all_results()
    changed["h200.counts.json"]["cases"][2]["parameters"]["offset"] = 9
    write_results(results_folder, changed)
    with pytest.raises(BookError, match="the files disagree on the parameter 'offset'"):
        Results.load([results_folder], SCHEMAS, snippets).parameter("sample", "offset_8", "offset")


def test_the_emulator_is_no_device_that_times(results: Results) -> None:
    assert results.devices("sample", "times") == ["h200"]
    assert results.devices("sample", "counts") == ["emulator", "h200"]


def test_header_beside_a_source_belongs_to_its_program(results_folder: Path) -> None:
    files = ["chapters/01_sample/sample.cu", "chapters/01_sample/part.cuh", "chapters/02_other/other.cuh"]
    snippets = Snippets([Snippet("copy", file, 1, "x;\n", "00") for file in files])
    results = Results.load([results_folder], SCHEMAS, snippets)
    assert results.program_of_source("chapters/01_sample/sample.cu") == "sample"
    assert results.program_of_source("chapters/01_sample/part.cuh") == "sample"
    with pytest.raises(BookError, match="no results file has the source"):
        results.program_of_source("chapters/02_other/other.cuh")
