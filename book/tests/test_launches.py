"""Launches of listings: which listing is run by which, and that no kernel is without one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import SCHEMAS, Built
from lanes_book.counters import MEASURES
from lanes_book.errors import BookError
from lanes_book.launch_scripts import measures, published, script_name
from lanes_book.launches import Launches
from lanes_book.snippets import Snippet, Snippets

Build = Callable[[str], Built]
SOURCE = "chapters/01_sample/sample.cu"


def launch(kernel: str) -> dict[str, Any]:
    """A launch of a kernel that copies."""
    return {
        "kernels": [{"name": kernel}],
        "sizes": [{"name": "count", "label": "Elements", "value": 32, "minimum": 1, "maximum": 64}],
        "grid": ["1"],
        "block": ["count"],
        "arguments": [{"array": "out", "type": "f32", "length": "count"}, {"value": "1", "type": "s32"}],
        "result": {"array": "out", "expected": "1", "says": "all is one"},
    }


def load(root: Path, snippets: Snippets, **changes: Any) -> Launches:
    """The launches of the sample's chapter, some of them changed."""
    data: dict[str, Any] = {
        "schema": "thirty-two-lanes/launches/1",
        "launches": {"copy": launch("copy<2>")},
        "listings": {"move": "copy"},
        "not_run": {"other": "It has nothing to do."},
    }
    path = root / "chapters" / "01_sample" / "launches.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data | changes), encoding="utf-8")
    return Launches.load(root, SCHEMAS, snippets)


def snippet(name: str, text: str = "__global__ void f() {}\n") -> Snippet:
    """A snippet of the sample's source."""
    return Snippet(name=name, file=SOURCE, first_line=1, text=text, hash="0" * 16)


def test_a_listing_is_run_by_its_own_launch_or_by_one_that_is_named(tmp_path: Path, snippets: Snippets) -> None:
    chapter = load(tmp_path, snippets).of_file(SOURCE)
    assert chapter.key_of(snippets.get(SOURCE, "copy")) == "sample/copy"
    assert chapter.key_of(snippets.get(SOURCE, "move")) == "sample/copy"
    assert chapter.key_of(snippets.get(SOURCE, "other")) is None
    assert chapter.key_of(snippet("helper", "__device__ int f();\n")) is None
    assert load(tmp_path, snippets).of_file("exercises/11_x/x.cu") is None


def test_a_kernel_without_launch_or_reason_is_an_error(tmp_path: Path, snippets: Snippets) -> None:
    chapter = load(tmp_path, snippets).of_file(SOURCE)
    with pytest.raises(BookError, match="nothing says how a page runs kernel 'new_one'"):
        chapter.key_of(snippet("new_one"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"listings": {"moev": "copy"}}, "no snippet 'moev'.*move"),
        ({"listings": {"move": "cpoy"}}, "no launch 'cpoy'.*copy"),
        ({"not_run": {"gone": "It is not there."}}, "no snippet 'gone'"),
        ({"not_run": {"other": "no"}}, "breaks launches.schema.json"),
        ({"launches": {"copy": launch("move")}}, "launch 'copy' runs move"),
        ({"launches": {"copy": launch("copy") | {"grid": []}}}, "breaks launches.schema.json"),
    ],
)
def test_a_file_that_speaks_of_what_is_not_there_is_an_error(
    tmp_path: Path, snippets: Snippets, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(BookError, match=message):
        load(tmp_path, snippets, **changes)


def test_each_kernel_of_a_launch_names_its_script() -> None:
    assert script_name("sample", "sum<(Way)1, 2>") == "sample/sum_Way_1_2.js"
    assert published("sample", launch("copy<2>"))["kernels"] == [{"name": "copy<2>", "script": "ptx/sample/copy_2.js"}]


def test_the_page_gets_the_measures_of_the_listings() -> None:
    assert measures().keys() == MEASURES.keys()
    assert measures()["lanes"] == {
        "title": "Active lanes",
        "numerators": ["smsp__thread_inst_executed"],
        "denominators": ["smsp__inst_executed"],
    }


def test_a_page_without_launches_loads_nothing(build: Build) -> None:
    built = build(f":::{{snippet}} {SOURCE} copy\n:::")
    assert built.warnings == ""
    assert built.page.select_one("lanes-run") is None
    assert not built.page.select('script[src*="run.js"]')
