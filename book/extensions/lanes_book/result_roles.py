"""The roles `result` and `ratio`: numbers in running text, by key. And `given`, for numbers that are no results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from .book import book_of
from .directive import link_to_provenance
from .errors import BookError
from .expression import Expression
from .number_format import NARROW_NO_BREAK_SPACE, format_number

if TYPE_CHECKING:
    from .results import ResultsFile

logger = logging.getLogger(__name__)


class ResultRole(SphinxRole):
    """`KEY|FORMAT`, or with several keys `A / B|FORMAT`: the number, linked to where it comes from."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            return [self._number()], []
        except BookError as error:
            logger.warning("%s: %s", self.name, error, location=self.get_location(), type="lanes", subtype="result")
            return [nodes.problematic(self.rawtext, self.rawtext)], []

    def _number(self) -> nodes.Node:
        text, _, spec = self.text.replace("\\|", "|").partition("|")
        expression = Expression.parse(text)
        if self.name == "result" and expression.operators:
            raise BookError(f"'{text}' is more than one key: use the role 'ratio'")
        results = book_of(self.env.app).results
        value = expression.evaluate(results.value)
        files = [results.file_of(key) for key in expression.keys]
        if not files:
            raise BookError(f"'{text}' holds no key")
        self._depend_on(files)
        return link_to_provenance(files[0], format_number(value, spec.strip()), self.env.docname)

    def _depend_on(self, files: list[ResultsFile]) -> None:
        self.env.note_dependency(str(book_of(self.env.app).snippets_path))
        for file in files:
            self.env.note_dependency(str(file.path))


class GivenRole(SphinxRole):
    """A number with a unit that is no measurement: a definition, a data sheet's value, a thought experiment."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        text = self.text.replace(" %", f"{NARROW_NO_BREAK_SPACE}%")
        return [nodes.inline(self.rawtext, text, classes=["given"])], []
