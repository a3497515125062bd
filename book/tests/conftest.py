"""Fixtures: the sample's snippets and results, and a function that builds a small book from a text."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from lanes_book.results import Results
from lanes_book.snippets import Snippets
from make_results import all_results, write_results
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

BOOK = Path(__file__).parents[1]
SAMPLE = Path(__file__).parent / "sample"
SCHEMAS = BOOK / "results" / "schema"


@dataclass(frozen=True)
class Built:
    """What came out of a build: the page, and everything Sphinx complained of."""

    page: BeautifulSoup
    warnings: str
    folder: Path


@pytest.fixture
def snippets() -> Snippets:
    """The snippets of the sample."""
    return Snippets.load(SAMPLE / "snippets.json", SCHEMAS)


@pytest.fixture
def results_folder(tmp_path: Path) -> Path:
    """A folder with the sample's results; a test may change them before it loads or builds."""
    folder = tmp_path / "results"
    write_results(folder, all_results())
    return folder


@pytest.fixture
def results(results_folder: Path, snippets: Snippets) -> Results:
    """The sample's results."""
    return Results.load([results_folder], SCHEMAS, snippets)


@pytest.fixture
def build(tmp_path: Path, results_folder: Path) -> Callable[[str], Built]:
    """Builds a book of one page, with the configuration of the real one, and gives back the page."""

    def build_page(text: str) -> Built:
        source = tmp_path / "source"
        source.mkdir(exist_ok=True)
        (source / "index.md").write_text(f"# A page\n\n{text}\n\n{RESULTS_SECTION}", encoding="utf-8")
        warnings = io.StringIO()
        html = tmp_path / "html"
        with patch_docutils(), docutils_namespace():
            app = Sphinx(
                srcdir=source,
                confdir=BOOK,
                outdir=html,
                doctreedir=tmp_path / "doctrees",
                buildername="html",
                confoverrides={
                    "lanes_root": str(SAMPLE),
                    "lanes_snippets": str(SAMPLE / "snippets.json"),
                    "lanes_programs": str(SAMPLE / "programs"),
                    "lanes_results": [str(results_folder)],
                    "nitpicky": True,
                },
                status=None,
                warning=warnings,
                freshenv=True,
            )
            app.build()
        page = BeautifulSoup((html / "index.html").read_text(encoding="utf-8"), "html.parser")
        return Built(page, warnings.getvalue(), html)

    return build_page


RESULTS_SECTION = "```{results-provenance} sample\n```\n"
