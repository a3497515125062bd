"""The control below a listing that runs its kernel in the reader's browser."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from docutils import nodes

from .launches import ChapterLaunches

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

    from .directive import BookDirective
    from .snippets import Snippet

# Loads the others of book/web, and the style sheets, when the reader first presses a button.
SCRIPT = "run.js"


class run_control(nodes.General, nodes.Element):
    """`launch` is the key of the launch, `lines` the number in the source of each row of the listing."""


def control_for(directive: BookDirective, snippet: Snippet, rows: list[int]) -> list[nodes.Node]:
    """The control for a listing, if a launch runs it. `rows`: the line of each row in the source, 0 for none."""
    chapter: ChapterLaunches | None = directive.book.launches.of_file(snippet.file)
    if chapter is None:
        return []
    directive.env.note_dependency(str(chapter.path))
    launch = chapter.key_of(snippet)
    if launch is None:
        return []
    return [run_control("", launch=launch, snippet=snippet.name, file=snippet.file, rows=rows)]


def visit(translator: HTML5Translator, node: run_control) -> None:
    """Writes the element. The button is there from the start, so that nothing moves when the script comes."""
    data = {"launch": node["launch"], "file": node["file"], "lines": " ".join(map(str, node["rows"]))}
    attributes = " ".join(f'data-{name}="{html.escape(value)}"' for name, value in data.items())
    translator.body.append(
        f'<lanes-run {attributes}><button type="button" class="run-open" aria-label="Run {node["snippet"]}">Run'
        "</button></lanes-run>"
    )


def depart(_translator: nodes.NodeVisitor, _node: run_control) -> None:
    """The element is closed already."""


def load_script(
    app: Sphinx, _page: str, _template: str, _context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Adds the script to a page that has such a control."""
    if doctree is None or next(iter(doctree.findall(run_control)), None) is None:
        return
    app.add_js_file(SCRIPT, loading_method="defer")


def setup_run_control(app: Sphinx) -> None:
    """Registers the node, and the script of pages that have one."""
    app.add_node(run_control, html=(visit, depart), latex=(depart, depart), text=(depart, depart))
    app.connect("html-page-context", load_script)
