"""The book as one PDF: contents with the right pages, an outline, links that lead somewhere."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

import pytest
from pypdf import PageObject, PdfReader

CHAPTERS = ("Coalescing:", "Tiling:", "Bank conflicts:", "Occupancy:", "Divergence:", "Reduction:", "Glossary")


@cache
def read(path: Path) -> PdfReader:
    """The PDF, read once."""
    return PdfReader(path)


def text_of(page: PageObject) -> str:
    """The text of a page, with two letters where one sign stands for them."""
    return unicodedata.normalize("NFKC", page.extract_text())


@pytest.fixture
def pdf(book_html: Path) -> PdfReader:
    """The PDF beside the pages."""
    return read(book_html / "thirty-two-lanes.pdf")


def test_pages_lead_to_it(book_html: Path) -> None:
    for page in ("index.html", "exercises/11_sectors/README.html"):
        link = re.search(r'<a href="([^"]*)">The book as PDF</a>', (book_html / page).read_text(encoding="utf-8"))
        assert ((book_html / page).parent / link.group(1)).is_file()


def test_it_is_a_book_on_a4(pdf: PdfReader) -> None:
    assert len(pdf.pages) > 150
    assert {(round(page.mediabox.width), round(page.mediabox.height)) for page in pdf.pages} <= {(595, 842), (596, 842)}
    assert pdf.metadata.title == "Thirty-Two Lanes"
    assert "/StructTreeRoot" in pdf.trailer["/Root"]  # tags for screen readers


def test_the_contents_name_the_right_pages(pdf: PdfReader) -> None:
    contents = ""
    for page in pdf.pages[1:8]:
        text = text_of(page)
        if "There are 32 lanes in a warp" in text:
            break
        contents += text
    for chapter in CHAPTERS:
        number = int(re.search(rf"{chapter}[^\d]*?(?:32 lanes[^\d]*)?\s*(\d+)$", contents, re.MULTILINE).group(1))
        assert chapter in text_of(pdf.pages[number - 1])[:200]


def test_the_outline_has_all_chapters(pdf: PdfReader) -> None:
    titles = [entry.title for entry in pdf.outline if not isinstance(entry, list)]
    for chapter in CHAPTERS:
        assert any(chapter in title for title in titles), chapter


def test_every_link_leads_somewhere(pdf: PdfReader) -> None:
    names = {name.removeprefix("/") for name in pdf.named_destinations}
    inside = outside = 0
    for page in pdf.pages:
        for annotation in page.get("/Annots") or []:
            link = annotation.get_object()
            action = link.get("/A", {})
            if "/URI" in action:
                outside += 1
                assert str(action["/URI"]).startswith("http"), action["/URI"]
            else:
                inside += 1
                assert str(link.get("/Dest", action.get("/D"))).removeprefix("/") in names
    assert inside > 500
    assert outside > 0
