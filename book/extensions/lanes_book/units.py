"""A number and its unit stay on one line."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

NO_BREAK_SPACE = "\u00a0"
UNIT = r"(?:[KMG]iB|[GT]B/s|[GT]FLOP/s|[GMk]Hz|[mµn]?s|bytes?|bits?)\b"
AFTER_NUMBER = re.compile(rf"(?<=\d) (?={UNIT})")
AT_START = re.compile(rf" (?={UNIT})")
AS_WRITTEN = (nodes.literal, nodes.literal_block, nodes.raw, nodes.math, nodes.math_block)


class KeepUnits(SphinxPostTransform):
    """Puts a space that does not break between a number of the text, typed or cited, and its unit."""

    default_priority = 800

    def run(self, **_kwargs: Any) -> None:
        """Changes the text of the page."""
        for text in list(self.document.findall(nodes.Text)):
            if any(isinstance(above, AS_WRITTEN) for above in _above(text)):
                continue
            kept = AFTER_NUMBER.sub(NO_BREAK_SPACE, str(text))
            if _follows_a_number(text):
                kept = AT_START.sub(NO_BREAK_SPACE, kept, count=1) if AT_START.match(kept) else kept
            if kept != text:
                text.parent.replace(text, nodes.Text(kept))


def _above(node: nodes.Node) -> list[nodes.Node]:
    above = []
    while node.parent is not None:
        node = node.parent
        above.append(node)
    return above


def _follows_a_number(text: nodes.Text) -> bool:
    """Whether what stands before it in the same line ends in a digit: a cited number is an element of its own."""
    here = text.parent.index(text)
    return here > 0 and text.parent[here - 1].astext()[-1:].isdigit()
