"""Holds the text to two promises: measured numbers are cited, not typed; CUDA is included from sources, not pasted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util import logging

if TYPE_CHECKING:
    from sphinx.application import Sphinx

logger = logging.getLogger(__name__)

# A warp of 32 lanes has at most this many sectors in one request (two each): more is a count of a whole launch.
GREATEST_COUNT_OF_ONE_WARP = 64

NUMBER = r"(?<![\w.])\d[\d,.\u202f]*"
MEASURED = re.compile(
    NUMBER + r"\s*(?:[kMGT]i?B/s|[kMGTP]?FLOP(?:/s|S?\b)|[mµμn]s\b|(?:milli|micro|nano)seconds?\b|%|per ?cent\b)"
)
FACTOR = re.compile(r"(?<![\w.])\d+\.\d+\s*(?:×|times\b)")
COUNT = re.compile(rf"({NUMBER})\s+(?:sectors?|wavefronts?|requests?|(?:bank )?conflicts?|instructions?)\b")

PASTED_LANGUAGES = {"cuda", "cu", "c", "c++", "cpp"}
PLACEHOLDER = "\ufffc"


def check_prose(app: Sphinx, doctree: nodes.document) -> None:
    """Handler of `doctree-read`: warns of typed numbers and pasted code. Pages made from headers are let be."""
    if app.env.docname.startswith("api/"):
        return
    for message, node in [*typed_numbers(doctree), *pasted_code(doctree)]:
        logger.warning(message, location=node, type="lanes", subtype="prose")


def typed_numbers(doctree: nodes.document) -> Iterator[tuple[str, nodes.Node]]:
    """A message for each number that looks measured and is no result."""
    for element in doctree.findall(nodes.TextElement):
        if isinstance(element, nodes.Inline | nodes.FixedTextElement | nodes.raw) or _is_generated(element):
            continue
        text = _typed_text(element)
        found = [match.group() for pattern in (MEASURED, FACTOR) for match in pattern.finditer(text)]
        found += [match.group() for match in COUNT.finditer(text) if _number(match) > GREATEST_COUNT_OF_ONE_WARP]
        for number in found:
            yield (
                f"'{number}' is typed by hand: cite it with {{result}} or {{ratio}}, or mark it as "
                f"{{given}}`{number}` if it was not measured",
                element,
            )


def pasted_code(doctree: nodes.document) -> Iterator[tuple[str, nodes.Node]]:
    """A message for each block of CUDA or C++ that is not a snippet."""
    for block in doctree.findall(nodes.literal_block):
        is_snippet = isinstance(block.parent, nodes.container) and "snippet" in block.parent["classes"]
        if block.get("language", "").lower() in PASTED_LANGUAGES and not is_snippet:
            yield (
                "CUDA or C++ pasted into the text: include it from a compiled source with the directive snippet",
                block,
            )


def _typed_text(element: nodes.Element) -> str:
    """The text of an element, with everything that is no typed prose replaced by a placeholder."""
    return "".join(_typed_text_of_child(child) for child in element.children)


def _typed_text_of_child(child: nodes.Node) -> str:
    if isinstance(child, nodes.Text):
        return str(child)
    if isinstance(child, nodes.literal | nodes.math | nodes.raw | nodes.problematic):
        return PLACEHOLDER
    if isinstance(child, nodes.Element) and not {"result", "given"} & set(child.get("classes", [])):
        return _typed_text(child)
    return PLACEHOLDER


def _is_generated(element: nodes.Element) -> bool:
    """Whether the element lies in a table that a program or a results file made."""
    ancestor: nodes.Element | None = element
    while ancestor is not None:
        if {"results-table", "line-counts-table", "program-table", "result-sources"} & set(ancestor.get("classes", [])):
            return True
        ancestor = ancestor.parent
    return False


def _number(match: re.Match[str]) -> float:
    return float(re.sub(r"[^\d.]|\.$", "", match.group(1)) or 0)
