"""What our directives share: messages that fail the build, and pieces of pages that several of them make."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

from .book import Book, book_of
from .errors import BookError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .results import ResultsFile


class BookDirective(SphinxDirective):
    """A directive whose BookError is an error at its place in the page."""

    def run(self) -> list[nodes.Node]:
        try:
            return self.make()
        except BookError as error:
            raise self.error(f"{self.name}: {error}") from error

    def make(self) -> list[nodes.Node]:
        """The nodes of the directive."""
        raise NotImplementedError

    @property
    def book(self) -> Book:
        """The inputs of this build."""
        return book_of(self.env.app)

    def inline(self, text: str) -> list[nodes.Node]:
        """Markup inside a line, such as a caption."""
        parsed, messages = self.parse_inline(text)
        return [*parsed, *messages]

    def depend_on(self, files: Sequence[ResultsFile]) -> None:
        """The page is made again when one of these files changes, or a snippet that they are held against."""
        self.env.note_dependency(str(self.book.snippets_path))
        for file in files:
            self.env.note_dependency(str(file.path))


def raw_html(text: str) -> nodes.raw:
    """A piece of HTML that docutils has no node for."""
    return nodes.raw("", text, format="html")


def fold(summary: str, content: list[nodes.Node], css_class: str) -> list[nodes.Node]:
    """Content that is closed at first and opens by mouse or keyboard. `summary` is plain text."""
    opening = f'<details class="{css_class}"><summary>{html.escape(summary)}</summary><div class="fold-content">'
    return [raw_html(opening), *content, raw_html("</div></details>")]


def link_to_provenance(file: ResultsFile, text: str, docname: str) -> nodes.inline:
    """A text of class `result`, with a link to the entry of a file in the page of results."""
    link = addnodes.pending_xref(
        "",
        nodes.inline("", text),
        refdomain="std",
        reftype="ref",
        reftarget=file.label,
        refexplicit=True,
        refwarn=True,
        refdoc=docname,
    )
    return nodes.inline("", "", link, classes=["result"])


def sources_line(files: list[ResultsFile], docname: str) -> nodes.paragraph:
    """Where the numbers of a table or a plot come from, with links."""
    line = nodes.paragraph("", "Source: ", classes=["result-sources"])
    for index, file in enumerate(files):
        if index:
            line += nodes.Text("; ")
        line += link_to_provenance(file, describe(file), docname)
    line += nodes.Text(".")
    return line


def describe(file: ResultsFile) -> str:
    """What a file holds, in a few words: `times on H200, 2026-11-29`."""
    if file.emulated:
        return "counts by the emulator"
    by = "times" if file.kind == "times" else f"counts by {file.provenance['counted_by']}"
    return f"{by} on {file.device_name}, {file.provenance['date'][:10]}"


def simple_table(
    head: list[list[nodes.entry]], body: list[list[nodes.entry]], width: int, css_class: str
) -> nodes.table:
    """A table from its cells. The first column heads its row."""
    group = nodes.tgroup(cols=width)
    for index in range(width):
        group += nodes.colspec(colwidth=1, stub=1 if index == 0 else 0)
    for part, rows in ((nodes.thead(), head), (nodes.tbody(), body)):
        part.extend(nodes.row("", *cells) for cells in rows)
        group += part
    return nodes.table("", group, classes=[css_class])


def cell(text: str, *classes: str, columns: int = 1, rows: int = 1) -> nodes.entry:
    """A cell of a table."""
    entry = nodes.entry("", nodes.paragraph("", text), classes=list(classes))
    if columns > 1:
        entry["morecols"] = columns - 1
    if rows > 1:
        entry["morerows"] = rows - 1
    return entry
