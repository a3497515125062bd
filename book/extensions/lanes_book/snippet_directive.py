"""The directive `snippet`: a named piece of a compiled source, with what each of its lines costs beside it."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docutils import nodes
from docutils.parsers.rst import directives

from .counters import Measure, measure_named
from .directive import BookDirective, cell, fold, raw_html, simple_table
from .errors import BookError
from .listings import listing_page
from .number_format import format_number
from .run_control import control_for

if TYPE_CHECKING:
    from .snippets import Snippet

DEFAULT_COLUMNS = "requests sectors"


@dataclass(frozen=True)
class LineCounts:
    """What the lines of a snippet cost. `values[line][column]`; None where nothing was counted."""

    measures: list[Measure]
    numbers: list[int]
    values: list[list[float | None]]

    def share(self, line: int, column: int) -> float:
        """The value as part of the greatest in its column: 0 to 1."""
        value = self.values[line][column] or 0.0
        greatest = max((row[column] or 0.0) for row in self.values)
        return value / greatest if greatest else 0.0


def count_lines(snippet: Snippet, numbers: list[int], lines: list[dict], columns: str) -> LineCounts:
    """The counts of a snippet's lines, out of the lines of a case. BookError if none of them belongs to the snippet."""
    measures = [measure_named(name) for name in columns.split()]
    counted: dict[int, dict[str, int]] = {}
    for line in lines:
        if line["file"].endswith(snippet.file) or snippet.file.endswith(f"/{line['file']}"):
            counted[line["line"]] = line["counters"]
    if not any(number in counted for number in numbers):
        raise BookError(f"the case counts nothing on the lines of snippet '{snippet.name}': is it another kernel's?")
    return LineCounts(measures, numbers, [_values(measures, counted.get(number, {})) for number in numbers])


def _values(measures: list[Measure], counters: dict[str, int]) -> list[float | None]:
    return [measure.value(lambda name: counters.get(name, 0)) or None for measure in measures]


def margin(counts: LineCounts) -> str:
    """The column beside the code, for the eye. The same numbers follow in a table for everyone."""
    texts = [[format_number(value) if value is not None else "" for value in row] for row in counts.values]
    # A word a line, so that more room is left for the code.
    heads = [measure.head.split() for measure in counts.measures]
    widths = [max(map(len, [*words, *(row[i] for row in texts)])) for i, words in enumerate(heads)]
    head = " ".join(
        f'<span class="count">{html.escape(chr(10).join(f"{word:>{width}}" for word in words))}</span>'
        for words, width in zip(heads, widths, strict=True)
    )
    lines = [
        " ".join(_count(counts, line, column, text, widths[column]) for column, text in enumerate(row))
        for line, row in enumerate(texts)
    ]
    return (
        f'<div class="line-counts" aria-hidden="true"><div class="line-counts-head">{head}</div>'
        f"<pre>{chr(10).join(lines)}</pre></div>"
    )


def _count(counts: LineCounts, line: int, column: int, text: str, width: int) -> str:
    if not text:
        return f'<span class="count">{"":>{width}}</span>'
    return f'<span class="count counted" style="--share:{counts.share(line, column):.2f}">{text:>{width}}</span>'


def counts_table(snippet: Snippet, counts: LineCounts) -> nodes.table:
    """The counts as a table, only of lines that have any."""
    head = [[cell("Line"), cell("Code"), *(cell(measure.title, "number") for measure in counts.measures)]]
    body = []
    for number, code, values in zip(counts.numbers, snippet.lines, counts.values, strict=True):
        if any(value is not None for value in values):
            texts = ["" if value is None else format_number(value) for value in values]
            code_cell = nodes.entry("", nodes.paragraph("", "", nodes.literal("", code.strip())))
            body.append([cell(str(number)), code_cell, *(cell(text, "number") for text in texts)])
    return simple_table(head, body, len(counts.measures) + 2, "line-counts-table")


def link_to_snippet(directive: BookDirective, snippet: Snippet, text: str) -> nodes.reference:
    """A link to the first line of a snippet, in the page of its source."""
    page = directive.env.app.builder.get_relative_uri(directive.env.docname, listing_page(snippet.file))
    name = nodes.literal("", text)
    return nodes.reference("", "", name, internal=True, refuri=f"{page}#line-{snippet.first_line}")


class SnippetDirective(BookDirective):
    """Arguments: a source and the name of a snippet in it."""

    required_arguments = 2
    option_spec = {
        "counts": directives.unchanged_required,
        "columns": directives.unchanged_required,
        "caption": directives.unchanged,
        "name": directives.unchanged,
    }

    def make(self) -> list[nodes.Node]:
        snippet = self.book.snippets.get(*self.arguments)
        self.depend_on([])
        text = snippet.text.rstrip("\n")
        code = nodes.literal_block(text, text, language="cuda")
        wrapper = nodes.container("", self._caption(snippet), literal_block=True)
        wrapper["classes"] += ["literal-block-wrapper", "snippet"]
        if "counts" in self.options:
            counts = self._count(snippet)
            wrapper["classes"].append("snippet-with-counts")
            table = fold("Counts of each line", [counts_table(snippet, counts)], "fold line-counts-fold")
            wrapper += [raw_html(margin(counts)), code, *table]
        else:
            wrapper += code
        wrapper += control_for(self, snippet, snippet.line_numbers(self.book.source(snippet.file)))
        self.set_source_info(code)
        self.set_source_info(wrapper)
        self.add_name(wrapper)
        return [wrapper]

    def _count(self, snippet: Snippet) -> LineCounts:
        results = self.book.results
        program = results.program_of_source(snippet.file)
        self.depend_on(results.of_program(program))
        numbers = snippet.line_numbers(self.book.source(snippet.file))
        lines = results.lines(program, self.options["counts"])
        return count_lines(snippet, numbers, lines, self.options.get("columns", DEFAULT_COLUMNS))

    def _caption(self, snippet: Snippet) -> nodes.caption:
        caption = nodes.caption("", "", *self.inline(self.options.get("caption", "")))
        if "caption" in self.options:
            caption += nodes.Text(" \u00b7 ")
        caption += link_to_snippet(self, snippet, snippet.file.rpartition("/")[2])
        if "counts" in self.options:
            caption += nodes.Text(f" \u00b7 counted by the emulator, case {self.options['counts']}")
        return caption
