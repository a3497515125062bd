"""The checks of the built pages find what they are there to find."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Built
from lanes_book.check_pages import Site, main, missing_chapters, unlinked_terms

GOOD = """<!doctype html><html lang="en"><head><title>T</title><link rel="stylesheet" href="a.css"></head>
<body><h1 id="top">H</h1><a href="#top">up</a><a href="https://example.org/">out</a>
<figure><svg role="img"><title>P</title></svg></figure>{}</body></html>"""


def problems_of(folder: Path, page: str, style: str = "") -> list[str]:
    """The problems of a site of one page and one style sheet."""
    (folder / "index.html").write_text(page, encoding="utf-8")
    (folder / "a.css").write_text(style, encoding="utf-8")
    return list(Site(folder, folder / "checkout").problems())


def test_good_page(tmp_path: Path) -> None:
    assert problems_of(tmp_path, GOOD.format("")) == []


@pytest.mark.parametrize(
    ("addition", "problem"),
    [
        ('<a href="missing.html">x</a>', "missing.html leads nowhere"),
        ('<a href="#nowhere">x</a>', "no such anchor"),
        ('<a href="javascript:x()">x</a>', "strange scheme"),
        ('<script src="https://cdn.example.org/x.js"></script>', "from the network"),
        ('<script src="//cdn.example.org/x.js"></script>', "from the network"),
        ('<script src="missing.js"></script>', "missing.js leads nowhere"),
        ('<img src="a.css">', "no alt text"),
        ("<style>p { background: url(http://example.org/x.png) }</style>", "a style loads"),
        ('<p style="background: url(//example.org/x.png)">x</p>', "a style loads"),
        ("<h1>again</h1>", "2 h1 headings"),
        ('<p id="top">x</p>', "the id top is there twice"),
        ('<figure><svg role="img"></svg></figure>', "no title"),
        ("<figure><svg><title>P</title></svg></figure>", "not the role img"),
    ],
)
def test_bad_page(tmp_path: Path, addition: str, problem: str) -> None:
    assert any(problem in found for found in problems_of(tmp_path, GOOD.format(addition)))


@pytest.mark.parametrize(("part", "problem"), [(' lang="en"', "no lang"), ("<title>T</title>", "no title")])
def test_page_without(tmp_path: Path, part: str, problem: str) -> None:
    assert any(problem in found for found in problems_of(tmp_path, GOOD.format("").replace(part, "", 1)))


def test_page_that_names_the_folder_of_its_making(tmp_path: Path) -> None:
    assert any("names the folder" in found for found in problems_of(tmp_path, GOOD.format(f"{tmp_path}/checkout/x")))


@pytest.mark.parametrize(
    ("style", "problem"),
    [
        ('@import "https://example.org/x.css";', "from the network"),
        ("@font-face { src: url(https://example.org/x.woff2) }", "from the network"),
        ("p { background: url(missing.png) }", "missing.png is not there"),
    ],
)
def test_bad_style(tmp_path: Path, style: str, problem: str) -> None:
    assert any(problem in found for found in problems_of(tmp_path, GOOD.format(""), style))


def test_page_that_is_too_heavy(tmp_path: Path) -> None:
    assert problems_of(tmp_path, GOOD.format("x" * 400_000)) == []
    assert any("weighs 6" in found for found in problems_of(tmp_path, GOOD.format("x" * 400_000), "y" * 200_000))
    search = GOOD.format('<script src="searchindex.js"></script>')
    (tmp_path / "searchindex.js").write_text("w" * 490_000, encoding="utf-8")
    assert problems_of(tmp_path, search, "y" * 200_000) == [], "the words of the whole book do not count"
    (tmp_path / "searchindex.js").write_text("w" * 510_000, encoding="utf-8")
    assert any("search index of 510000" in found for found in problems_of(tmp_path, search))
    heavy_picture = GOOD.format("").replace("<svg>", f"<svg><desc>{'x' * 600_000}</desc>")
    assert problems_of(tmp_path, heavy_picture) == [], "pictures do not count"


def test_chapter_without_a_page(tmp_path: Path) -> None:
    (tmp_path / "chapters" / "01_one").mkdir(parents=True)
    (tmp_path / "chapters" / "01_one" / "one.md").touch()
    assert "has no page" in next(missing_chapters(tmp_path / "html", tmp_path))


def test_term_that_nobody_links_to(tmp_path: Path) -> None:
    chapter = tmp_path / "chapters" / "one.html"
    chapter.parent.mkdir()
    glossary = '<article><dl class="glossary"><dt id="term-bank">bank</dt><dt id="term-warp">warp</dt></dl></article>'
    (tmp_path / "glossary.html").write_text(glossary + '<article><a href="#term-bank">bank</a></article>')
    (tmp_path / "genindex.html").write_text('<article><a href="glossary.html#term-bank">bank</a></article>')
    chapter.write_text('<article><a href="../glossary.html#term-warp">warp</a></article>')
    assert [problem.split(" is ")[0] for problem in unlinked_terms(Site(tmp_path, tmp_path))] == [
        "glossary.html: term-bank"
    ]


def test_no_pages_at_all(tmp_path: Path) -> None:
    assert main([str(tmp_path), "--root", str(tmp_path)]) == 1


def test_a_page_of_the_book_passes(build: Callable[[str], Built], tmp_path: Path) -> None:
    built = build(
        ":::{snippet} chapters/01_sample/sample.cu copy\n:counts: offset_1\n:::\n\n"
        ":::{results-plot} sample\n:rows: offset_*\n:x: offset\n:y: sectors_per_load\n:alt: A line.\n:::"
    )
    assert main([str(built.folder), "--root", str(tmp_path / "source")]) == 0
