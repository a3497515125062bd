"""What no line ends with: an operator between its two sides, the word `chapter` before its number, half a date."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

NO_BREAK_SPACE = "\u00a0"
NO_BREAK_HYPHEN = "\u2011"
# Stands for a neighbour that is an element, such as a letter in italics or a cited number.
ELEMENT = "\ufffc"
# An x between words is the name of an axis, and a dot there parts what a caption says.
OPERATOR = re.compile(
    rf"(?<=[\w){ELEMENT}]) ([\^/]) (?=[\w({ELEMENT}])|(?<=[\d{ELEMENT}]) (x) (?=[\d{ELEMENT}])|(?<=[\d)]) (·) (?=[\d(])"
)
NUMBERED = re.compile(r"\b([Cc]hapter|CUDA) (?=\d)")
DATE = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
LITERAL = (nodes.literal, nodes.literal_block, nodes.math, nodes.math_block, nodes.raw, nodes.comment)


class KeptTogether(SphinxPostTransform):
    """Text only: in code a space is a space. Pages made from headers are let be."""

    default_priority = 750

    def run(self, **kwargs: Any) -> None:
        """Visit all texts of the document."""
        if self.env.docname.startswith("api/"):
            return
        for text in list(self.document.findall(nodes.Text)):
            if not isinstance(text.parent, LITERAL):
                place = text.parent.index(text)
                kept = kept_together(str(text), before=place > 0, after=place + 1 < len(text.parent))
                if kept != str(text):
                    text.parent.replace(text, nodes.Text(kept))


def kept_together(text: str, before: bool = False, after: bool = False) -> str:
    """The text with spaces and hyphens that do not break. `before` and `after` say whether elements stand beside it."""
    text = f"{ELEMENT if before else ''}{text}{ELEMENT if after else ''}"
    text = OPERATOR.sub(lambda found: f"{NO_BREAK_SPACE}{found[found.lastindex]}{NO_BREAK_SPACE}", text)
    text = NUMBERED.sub(lambda found: f"{found[1]}{NO_BREAK_SPACE}", text)
    text = DATE.sub(lambda found: NO_BREAK_HYPHEN.join(found.groups()), text)
    return text[before : len(text) - after]
