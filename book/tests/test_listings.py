"""Pages of sources: as light as they can be without looking different."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from bs4 import BeautifulSoup
from conftest import Built
from lanes_book.listings import lighter

CODE = (
    '<span id="line-1"><span class="n">f</span><span class="o">-</span><span class="o">-</span><span class="w"> </span>'
    '<span class="o">+</span><span class="p">(</span><span class="n">a</span>\n</span>'
    '<span id="line-2"><span class="n">b</span>\n</span>'
)


def test_neighbours_of_one_kind_become_one_element_within_a_line() -> None:
    light = lighter(CODE)
    assert BeautifulSoup(light, "html.parser").get_text() == "f-- +(a\nb\n"
    assert light == (
        '<span id="line-1"><span class="n">f</span><span class="o">-- +</span>(<span class="n">a</span>\n</span>'
        '<span id="line-2"><span class="n">b</span>\n</span>'
    )


def test_punctuation_has_the_colour_of_text(build: Callable[[str], Built]) -> None:
    style = (build("Text.").folder / "_static" / "pygments.css").read_text(encoding="utf-8")
    text = re.findall(r"\.highlight \{.*color: (#\w+) \}", style)
    assert len(text) == 3, "light, and dark by choice and by the system"
    assert re.findall(r"\.highlight \.p \{ color: (#\w+) \}", style) == text


def test_a_source_leads_back_to_its_chapter(build: Callable[[str], Built], tmp_path: Path) -> None:
    chapter = tmp_path / "source" / "chapters" / "01_sample" / "sample.md"
    chapter.parent.mkdir(parents=True)
    chapter.write_text("---\norphan: true\n---\n# A & B\n", encoding="utf-8")
    listing = build("Text.").folder / "listings" / "chapters" / "01_sample" / "sample.cu.html"
    page = BeautifulSoup(listing.read_text(encoding="utf-8"), "html.parser")
    link = page.select_one("article h1 + p a")
    assert (link.get_text(), link["href"]) == ("A & B", "../../../chapters/01_sample/sample.html")
    assert page.h1.get_text() == "chapters/01_sample/sample.cu"
