"""Where lines of a page may break: names between their parts, and what a program printed below its columns."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

SHORT = 24  # characters that every column of text has room for
CODE = re.compile(r'<code class="[^"]*\bliteral\b[^"]*">.*?</code>', re.DOTALL)
NAME = re.compile(r'<span class="pre">([^<]*)</span>')
AFTER_SLASH = re.compile(r"(?<=/)(?=[^/])")
BETWEEN_PARTS = re.compile(r"(?<=_)(?=[^_])|(?<=::)|(?<=[a-z])(?=[A-Z])")
PRINTED = re.compile(r'<div class="[^"]*\bprogram-output\b[^"]*"><div class="highlight"><pre>.*?</pre>', re.DOTALL)
PRINTED_LINE = re.compile(r'<span class="go">([^<]*)</span>')
COLUMN_GAP = re.compile(r"(?<=\S) {2,}(?=\S)")
INDENT = 2
FAR = 80  # characters after which too little of a line is left


def break_lines_well(
    _app: Sphinx, _pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Handler of `html-page-context`."""
    for part in ("body", "toc"):
        if context.get(part):
            context[part] = CODE.sub(lambda code: NAME.sub(_name, code[0]), context[part])
    if context.get("body"):
        context["body"] = PRINTED.sub(lambda block: PRINTED_LINE.sub(_printed_line, block[0]), context["body"])


def between_parts(name: str) -> str:
    """HTML of a path that may break after a slash, or a name that may after `_` and `::` and before a capital."""
    return (AFTER_SLASH if "/" in name else BETWEEN_PARTS).sub("<wbr>", name)


def _name(name: re.Match[str]) -> str:
    if len(html.unescape(name[1])) <= SHORT:
        return name[0]
    return f'<span class="pre long">{between_parts(name[1])}</span>'


def column_below(text: str) -> int:
    """Where a printed line goes on: below its last column, or its second if the last is far to the right.

    A line without columns goes on a bit further in than it began.
    """
    gaps = [gap.end() for gap in COLUMN_GAP.finditer(text)]
    if not gaps:
        return len(text) - len(text.lstrip()) + INDENT
    return gaps[-1] if gaps[-1] <= FAR else gaps[0]


def _printed_line(line: re.Match[str]) -> str:
    shown = COLUMN_GAP.sub(lambda gap: f'<span class="gap">{gap[0]}</span>', line[1])
    return f'<span class="go" style="--column: {column_below(html.unescape(line[1]))}">{shown}</span>'
