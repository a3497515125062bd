"""The directive `results-table`: results of many measurements or cases side by side."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from docutils import nodes
from docutils.parsers.rst import directives

from .columns import Column, Columns, Wishes, files_of, preset_columns, rows_with_values
from .directive import BookDirective, cell, simple_table, sources_line
from .errors import BookError
from .number_format import format_number
from .repeat import repeat_fold
from .results import Row

if TYPE_CHECKING:
    from .results import Results


class RowLabels:
    """The first column: a parameter (`offset | Offset, floats`), words for each row, or the name of the result."""

    def __init__(self, results: Results, program: str, option: str) -> None:
        parameter, _, head = (part.strip() for part in option.partition("|"))
        self.head = head or parameter or "Case"
        self._parameter = parameter
        self._results = results
        self._program = program
        self._words: dict[str, str] = {}

    def say(self, option: str, rows: list[Row]) -> None:
        """Takes words in place of names: `reading | the library`, for each row those that stand in its place."""
        words = [part.strip() for part in option.split("|")]
        if len(words) != len(rows) or not all(words):
            raise BookError(
                f":row-names: has {len(words)} names for {len(rows)} rows: give one for each, with | between"
            )
        if self._parameter:
            raise BookError("the first column shows a parameter already: leave :row-names: or the parameter out")
        self._words = {row.name: word for row, word in zip(rows, words, strict=True)}

    def text(self, row: Row) -> str:
        """The label of a row."""
        if not self._parameter:
            return self._words.get(row.name, row.name)
        return format_number(self._results.parameter(self._program, row.name, self._parameter))


def results_table(labels: RowLabels, columns: list[Column], rows: list[Row]) -> nodes.table:
    """The table, with a line of groups above the heads where there are any."""
    shown = [column for column in columns if not column.optional or any(column.value(row) is not None for row in rows)]
    body = [[cell(labels.text(row)), *(cell(column.text(row), "number") for column in shown)] for row in rows]
    return simple_table(_head(labels.head, shown), body, len(shown) + 1, "results-table")


def _head(label: str, columns: list[Column]) -> list[list[nodes.entry]]:
    if not any(column.group for column in columns):
        return [[cell(label), *(cell(column.head, "number") for column in columns)]]
    upper, lower = [cell(label, rows=2)], []
    for group, members in itertools.groupby(columns, key=lambda column: column.group):
        heads = [column.head for column in members]
        if group:
            upper.append(cell(group, "group", columns=len(heads)))
            lower += [cell(head, "number") for head in heads]
        else:
            upper += [cell(head, "number", rows=2) for head in heads]
    return [upper, lower]


class ResultsTable(BookDirective):
    """Argument: the program. Content: columns of one's own, a line each."""

    required_arguments = 1
    has_content = True
    option_spec = {
        "rows": directives.unchanged_required,
        "parts": directives.unchanged_required,
        "columns": directives.unchanged,
        "counts": directives.unchanged,
        "times": directives.unchanged,
        "label": directives.unchanged,
        "row-names": directives.unchanged_required,
        "caption": directives.unchanged,
        "name": directives.unchanged,
    }

    def make(self) -> list[nodes.Node]:
        program, results = self.arguments[0], self.book.results
        columns = self._columns(program)
        rows = rows_with_values(self._rows(program), columns)
        files = files_of(columns)
        self.depend_on(files)
        labels = RowLabels(results, program, self.options.get("label", ""))
        if "row-names" in self.options:
            labels.say(self.options["row-names"], rows)
        table = results_table(labels, columns, rows)
        if "caption" in self.options:
            table.insert(0, nodes.title("", "", *self.inline(self.options["caption"])))
        self.set_source_info(table)
        self.add_name(table)
        return [table, sources_line(files, self.env.docname), *repeat_fold(program, columns)]

    def _rows(self, program: str) -> list[Row]:
        if "parts" in self.options:
            return [Row(part, by_pattern=False) for part in self.options["parts"].split()]
        return self.book.results.rows(program, self.options.get("rows", "*"))

    def _columns(self, program: str) -> list[Column]:
        wishes = Wishes(
            words=self.options.get("columns", "").split(),
            measures=self.options.get("counts", "sectors_per_load").split(),
            fields=self.options.get("times", "gb_per_s").split(),
        )
        columns = preset_columns(self.book.results, program, wishes)
        columns += [Columns(self.book.results, program).custom(line) for line in self.content if line.strip()]
        if not columns:
            raise BookError("no columns: give :columns: or lines of your own")
        return columns
