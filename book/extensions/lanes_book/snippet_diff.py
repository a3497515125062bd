"""The directive `snippet-diff`: what changes from one named piece of a compiled source to another."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from docutils import nodes
from docutils.parsers.rst import directives

from .directive import BookDirective
from .errors import BookError
from .run_control import control_for
from .snippet_directive import link_to_snippet

if TYPE_CHECKING:
    from .snippets import Snippet

DEFAULT_CONTEXT = 1
GAP = "..."
HUNK = re.compile(r"@@ -\S+ \+(\d+)")
FROM_FIRST_LINE = ("@@ -1 ", "@@ -1,")


def difference(before: Snippet, after: Snippet, context: int) -> list[str]:
    """The lines of a unified diff, without its head. What was left out before a change is a line of dots."""
    lines = list(difflib.unified_diff(before.lines, after.lines, n=context, lineterm=""))[2:]
    if not lines:
        raise BookError(f"snippets '{before.name}' and '{after.name}' are the same: there is nothing to show")
    shown = [GAP if line.startswith("@@") else line for line in lines]
    starts_at_first_line = lines[0].startswith(FROM_FIRST_LINE)
    return shown[1:] if starts_at_first_line else shown


def places_of_difference(before: Snippet, after: Snippet, context: int) -> list[int | None]:
    """For each row of difference() its place among the lines of `after`; None for what is not there or left out."""
    places: list[int | None] = []
    at = 0
    for line in list(difflib.unified_diff(before.lines, after.lines, n=context, lineterm=""))[2:]:
        start = HUNK.match(line)
        if start:
            at = int(start[1]) - 1
            if places or not line.startswith(FROM_FIRST_LINE):
                places.append(None)
        else:
            places.append(None if line.startswith("-") else at)
            at += not line.startswith("-")
    return places


class SnippetDiff(BookDirective):
    """Arguments: a source and the names of two snippets in it, the older one first."""

    required_arguments = 3
    option_spec = {
        "context": directives.nonnegative_int,
        "caption": directives.unchanged,
        "name": directives.unchanged,
    }

    def make(self) -> list[nodes.Node]:
        file, old, new = self.arguments
        before, after = self.book.snippets.get(file, old), self.book.snippets.get(file, new)
        self.depend_on([])
        context = self.options.get("context", DEFAULT_CONTEXT)
        text = "\n".join(difference(before, after, context))
        code = nodes.literal_block(text, text, language="diff")
        wrapper = nodes.container("", self._caption(before, after), code, literal_block=True)
        wrapper += control_for(self, after, self._rows(before, after, context))
        wrapper["classes"] += ["literal-block-wrapper", "snippet", "snippet-diff"]
        self.set_source_info(code)
        self.set_source_info(wrapper)
        self.add_name(wrapper)
        return [wrapper]

    def _rows(self, before: Snippet, after: Snippet, context: int) -> list[int]:
        numbers = after.line_numbers(self.book.source(after.file))
        places = places_of_difference(before, after, context)
        return [0 if place is None else numbers[place] for place in places]

    def _caption(self, before: Snippet, after: Snippet) -> nodes.caption:
        caption = nodes.caption("", "", *self.inline(self.options.get("caption", "")))
        if "caption" in self.options:
            caption += nodes.Text(" \u00b7 ")
        caption += nodes.Text("from ")
        caption += link_to_snippet(self, before, before.name)
        caption += nodes.Text(" to ")
        caption += link_to_snippet(self, after, after.name)
        return caption
