"""The directive `live-figure`: a picture that the reader's browser computes anew, around the picture that it begins as.

The picture stays where scripts are off, where loading fails, and in print. Only pages with a live figure load scripts.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.parsers.rst import directives

from .directive import BookDirective
from .errors import BookError

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

WEB = Path(__file__).parents[2] / "web"
# In the order in which they need each other; each figure's own script comes last.
SHARED_SCRIPTS = (
    "load_wasm.js",
    "elements.js",
    "legend.js",
    "number_words.js",
    "figure_state.js",
    "figure_controls.js",
    "figure.js",
    "figure_links.js",
    "stepped_figure.js",
)
SHARED_STYLE = "figure.css"
PAIR = re.compile(r"[a-z]\w*=[\w.-]+")


class live_figure(nodes.General, nodes.Element):
    """The custom element inside a figure; the picture is inside.

    `figure` is its kind, `state` what it begins with, `numbers` what the picture was drawn from, or None.
    """


class LiveFigure(BookDirective):
    """Argument: a figure of `book/web/figures`. Content: one directive that makes a figure, its picture."""

    required_arguments = 1
    has_content = True
    option_spec = {"state": directives.unchanged, "name": directives.unchanged_required}

    def make(self) -> list[nodes.Node]:
        kind = self.arguments[0]
        for file in files_of(kind):
            self.env.note_dependency(str(file))
        content = self.parse_content_to_nodes()
        frames = [node for node in content if isinstance(node, nodes.figure)]
        if len(frames) != 1:
            raise BookError(f"the content makes {len(frames)} figures, not the one that is shown without scripts")
        self._enliven(frames[0], kind)
        return content

    def _enliven(self, frame: nodes.figure, kind: str) -> None:
        pictures = [node for node in frame.children if not isinstance(node, nodes.caption | nodes.legend)]
        state = state_text(self.options.get("state", ""))
        # A picture of results hands over the numbers that it was drawn from.
        numbers = frame.get("numbers")
        element = live_figure("", figure=kind, state=state, numbers=numbers, ids=[self._id(kind)])
        for picture in pictures:
            frame.remove(picture)
        element.extend(pictures)
        frame.insert(0, element)
        frame["classes"].append("live-frame")

    def _id(self, kind: str) -> str:
        """The id in the page, in its address and in links. Two figures of a kind on a page need names."""
        identifier = nodes.make_id(self.options.get("name", kind))
        taken = self.env.temp_data.setdefault("lanes_live_figures", set())
        if identifier in taken:
            raise BookError(f"this page has a live figure '{identifier}' already: give this one a :name:")
        taken.add(identifier)
        return identifier


def state_text(pairs: str) -> str:
    """`offset=4 stride=1` as a figure reads it: `offset:4,stride:1`."""
    for pair in pairs.split():
        if not PAIR.fullmatch(pair):
            raise BookError(f"'{pair}' in a figure's state is not name=value")
    return ",".join(pair.replace("=", ":") for pair in pairs.split())


def files_of(kind: str) -> list[Path]:
    """Script and style sheet of a kind of figure."""
    files = [WEB / "figures" / f"{kind}.js", WEB / "styles" / f"{kind}.css"]
    for file in files:
        if not file.is_file():
            raise BookError(f"there is no live figure '{kind}': {file.relative_to(WEB.parent.parent)} is not there")
    return files


def open_element(translator: HTML5Translator, node: live_figure) -> None:
    """Writes the start of the custom element."""
    state = f' data-state="{html.escape(node["state"])}"' if node["state"] else ""
    numbers = f' data-numbers="{html.escape(json.dumps(node["numbers"]))}"' if node["numbers"] else ""
    translator.body.append(f'<lanes-{node["figure"]} class="live-figure" id="{node["ids"][0]}"{state}{numbers}>')


def close_element(translator: HTML5Translator, node: live_figure) -> None:
    """Writes the end of the custom element."""
    translator.body.append(f"</lanes-{node['figure']}>\n")


def no_element(_translator: nodes.NodeVisitor, _node: live_figure) -> None:
    """Where nothing can be live, there is the picture and no more."""


def load_scripts(
    app: Sphinx, _page: str, _template: str, _context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Adds scripts and styles to a page that has live figures."""
    kinds = sorted({node["figure"] for node in doctree.findall(live_figure)}) if doctree else []
    if not kinds:
        return
    for style in [SHARED_STYLE, *(f"{kind}.css" for kind in kinds)]:
        app.add_css_file(style)
    for script in [*SHARED_SCRIPTS, *(f"{kind}.js" for kind in kinds)]:
        app.add_js_file(script, loading_method="defer")


def setup_live_figures(app: Sphinx) -> None:
    """Registers the node, and the scripts of pages that have one."""
    nothing = (no_element, no_element)
    app.add_node(live_figure, html=(open_element, close_element), latex=nothing, text=nothing)
    app.connect("html-page-context", load_scripts)
