"""What no line ends with: a number before its unit, an operator, the word `chapter` before its number, half a date."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

NO_BREAK_SPACE = "\u00a0"
# Stand for a neighbour that is an element: one that ends in a digit, such as a cited number, and any other.
NUMBER = "\ue000"
ELEMENT = "\ufffc"
BESIDE = f"{NUMBER}{ELEMENT}"
UNIT = r"(?:[KMG]iB|[GT]B/s|[GT]FLOP/s|[GMk]Hz|[mµn]?s|bytes?|bits?)\b"
# An x between words is the name of an axis, and a dot there parts what a caption says.
SPACE = re.compile(
    rf"(?<=[\d{NUMBER}]) (?={UNIT})"
    rf"|(?<=[\w){BESIDE}]) (?=[\^/] [\w({BESIDE}])|(?<=[\w){BESIDE}] [\^/]) (?=[\w({BESIDE}])"
    rf"|(?<=[\d{BESIDE}]) (?=x [\d{BESIDE}])|(?<=[\d{BESIDE}] x) (?=[\d{BESIDE}])"
    r"|(?<=[\d)]) (?=· [\d(])|(?<=[\d)] ·) (?=[\d(])"
    r"|(?<=\b[Cc]hapter) (?=\d)|(?<=\bCUDA) (?=\d)"
)
DATE = re.compile(r"\b(\d{4}-\d\d-\d\d)\b")
# In code a space is a space.
AS_WRITTEN = (
    nodes.literal,
    nodes.literal_block,
    nodes.math,
    nodes.math_block,
    nodes.raw,
    nodes.comment,
    addnodes.desc_signature,
)


class KeptTogether(SphinxPostTransform):
    """Spaces that do not break, and dates in elements of the class `together`: copied, a date is still one."""

    default_priority = 800

    def run(self, **_kwargs: Any) -> None:
        """Visits all texts of the page."""
        for text in list(self.document.findall(nodes.Text)):
            if not any(isinstance(above, AS_WRITTEN) for above in _above(text)):
                parts = DATE.split(kept_together(str(text), *_beside(text)))
                if parts != [text]:
                    text.parent.replace(text, list(_elements(parts)))


def kept_together(text: str, before: str = "", after: str = "") -> str:
    """The text with spaces that do not break. `before` and `after` are NUMBER or ELEMENT where one stands beside it."""
    kept = SPACE.sub(NO_BREAK_SPACE, f"{before}{text}{after}")
    return kept[len(before) : len(kept) - len(after)]


def _above(node: nodes.Node) -> list[nodes.Node]:
    above = []
    while node.parent is not None:
        node = node.parent
        above.append(node)
    return above


def _beside(text: nodes.Text) -> tuple[str, str]:
    here = text.parent.index(text)
    before = ""
    if here > 0:
        before = NUMBER if text.parent[here - 1].astext()[-1:].isdigit() else ELEMENT
    return before, ELEMENT if here + 1 < len(text.parent) else ""


def _elements(parts: list[str]) -> list[nodes.Node]:
    """Texts and dates, which alternate."""
    elements = [nodes.Text(part) for part in parts]
    elements[1::2] = [nodes.inline("", date, classes=["together"]) for date in parts[1::2]]
    return [element for element in elements if element.astext()]
