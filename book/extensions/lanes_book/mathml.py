"""Equations as MathML, which browsers draw themselves: no script, no font, no network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import latex2mathml.converter
from docutils import nodes
from sphinx.util import logging

if TYPE_CHECKING:
    from sphinx.writers.html5 import HTML5Translator

logger = logging.getLogger(__name__)


def to_mathml(latex: str, display: str) -> str:
    """MathML for LaTeX; display is "inline" or "block". ValueError for what the converter does not know."""
    mathml = latex2mathml.converter.convert(latex, display=display)
    if "\\" in mathml:
        raise ValueError(f"cannot convert all of '{latex}' to MathML")
    return mathml


def visit_math(self: HTML5Translator, node: nodes.math) -> None:
    """An equation in running text."""
    self.body.append(_convert(node, "inline"))
    raise nodes.SkipNode


def visit_displayed_math(self: HTML5Translator, node: nodes.math_block) -> None:
    """An equation in a line of its own, numbered if it has a label."""
    self.body.append(self.starttag(node, "div", CLASS="math"))
    if node["number"]:
        self.body.append(f'<span class="eqno">({node["number"]})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append(_convert(node, "block"))
    self.body.append("</div>\n")
    raise nodes.SkipNode


def _convert(node: nodes.Element, display: str) -> str:
    try:
        return to_mathml(node.astext(), display)
    except Exception as error:  # the converter raises many kinds, none of its own base
        logger.warning("equation: %s", error, location=node, type="lanes", subtype="math")
        return ""
