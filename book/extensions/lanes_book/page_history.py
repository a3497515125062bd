"""Below each page, what changed: the commits of the page's own sources."""

from __future__ import annotations

import html
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .history import Commit, History, read_history
from .listings import listed_file

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

PARTS = ("book/pages", "chapters", "exercises")
SHOWN = 20


def load_history(app: Sphinx) -> None:
    """Handler of `builder-inited`."""
    root = app.config.lanes_root
    app.lanes_history = read_history(Path(root), *PARTS) if root else History()


def history_of(app: Sphinx) -> History:
    """The history that this build shows."""
    return app.lanes_history


def commits_of_page(app: Sphinx, pagename: str) -> list[Commit]:
    """The commits of a page's text and, for a chapter or an exercise, of all that lies beside it."""
    listed = listed_file(pagename)
    if listed is not None:
        return history_of(app).of([listed])
    if pagename not in app.env.found_docs:
        return []
    root = Path(app.config.lanes_root).resolve()
    page = Path(app.env.doc2path(pagename)).resolve()
    if not page.is_relative_to(root):
        return []
    path = page.relative_to(root)
    beside = path.parts[0] in ("chapters", "exercises") and len(path.parts) > 2
    return history_of(app).of([str(path.parent if beside else path)])


def pages_to_write_again(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Handler of `env-updated`: pages whose sources were committed after they had been written."""
    known = getattr(env, "lanes_history_shown", {})
    env.lanes_history_shown = {docname: _digest(app, docname) for docname in env.found_docs}
    return [docname for docname, digest in env.lanes_history_shown.items() if known.get(docname) != digest]


def show_history(
    app: Sphinx, pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Handler of `html-page-context`."""
    history = history_of(app)
    commits = commits_of_page(app, pagename)
    if commits:
        context["page_history"] = _fold(commits, history.complete)
    elif not history.commits and pagename in app.env.found_docs:
        context["page_history"] = '<p class="page-history">Built without the history of its sources.</p>'


def day_in_words(commit: Commit) -> str:
    """30 November 2026."""
    return f"{commit.day.day} {commit.day:%B %Y}"


def _digest(app: Sphinx, docname: str) -> str:
    commits = commits_of_page(app, docname)
    return f"{len(commits)} {commits[0].hash}" if commits else ""


def _fold(commits: list[Commit], complete: bool) -> str:
    lines = [
        f'<li><time datetime="{commit.day}">{day_in_words(commit)}</time> {html.escape(commit.subject)}</li>'
        for commit in commits[:SHOWN]
    ]
    left = len(commits) - SHOWN
    if left > 0:
        lines.append(f"<li>and {left} earlier {'change' if left == 1 else 'changes'}</li>")
    if not complete:
        lines.append("<li>Earlier changes are not in the copy of the repository that this was built from.</li>")
    summary = f"Last changed on {day_in_words(commits[0])}: what changed"
    return (
        f'<details class="fold page-history"><summary>{summary}</summary>'
        f'<div class="fold-content"><ul>{"".join(lines)}</ul></div></details>'
    )
