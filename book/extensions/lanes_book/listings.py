"""A page for each source that the book cites: the whole file, every line with an anchor."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from .book import book_of
from .line_breaks import between_parts

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# Elements around blanks and punctuation, which has the colour of text, change nothing and would be half of the page.
PLAIN = re.compile(r'<span class="(?:w">( +)|p">([^<]*))</span>')
ALIKE = re.compile(r'<span class="(\w+)">([^<]*)</span>( *)<span class="\1">')


def listing_page(file: str) -> str:
    """The name of the page of a source file."""
    return f"listings/{file}"


def listed_file(page: str) -> str | None:
    """The source file that a page shows, if it is the page of one."""
    return page.removeprefix("listings/") if page.startswith("listings/") else None


def listing_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Handler of `html-collect-pages`."""
    book = book_of(app)
    for file in book.snippets.files:
        yield listing_page(file), {"title": file, "body": _body(app, file, book.source(file))}, "page.html"


def _body(app: Sphinx, file: str, source: str) -> str:
    formatter = HtmlFormatter(linespans="line", wrapcode=True)
    code = highlight(source, get_lexer_by_name("cuda"), formatter)
    return f'<h1>{between_parts(file)}</h1>{_way_back(app, file)}<div class="listing">{lighter(code)}</div>'


def _way_back(app: Sphinx, file: str) -> str:
    """Links to the pages that lie beside the source."""
    folder = PurePosixPath(file).parent
    links = []
    for page in sorted(app.env.found_docs):
        if PurePosixPath(page).parent == folder:
            address = app.builder.get_relative_uri(listing_page(file), page)
            links.append(f'<a href="{address}">{html.escape(app.env.titles[page].astext())}</a>')
    return f"<p>From: {', '.join(links)}</p>" if links else ""


def lighter(code: str) -> str:
    """Highlighted code with fewer elements, which looks the same: neighbours of one kind become one."""
    code, joined = PLAIN.sub(r"\1\2", code), 1
    while joined:
        code, joined = ALIKE.subn(r'<span class="\1">\2\3', code)
    return code
