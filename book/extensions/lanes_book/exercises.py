"""Exercises: the list of a chapter, and the hints of one, closed at first."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .directive import BookDirective, fold
from .errors import BookError

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

LIST = "exercises/README"
PAGE = re.compile(r"exercises/\d\d_\w+/README")


@dataclass(frozen=True)
class Exercise:
    """What README.md of a folder `exercises/NN_topic` says of itself."""

    name: str
    title: str
    kind: str
    teaches: str

    @classmethod
    def read(cls, folder: Path) -> Exercise:
        """Reads the lines between two `---`, and the heading. Pages are orphans: lists lead to them, and no sidebar."""
        text = (folder / "README.md").read_text(encoding="utf-8")
        found = re.match(r"---\norphan: true\nkind: (.+)\nteaches: (.+)\n---\n# (.+)\n", text)
        if not found:
            raise BookError(f"{folder.name}/README.md does not begin with orphan, kind, teaches and a heading")
        kind, teaches, title = found.groups()
        return cls(folder.name, title, kind, teaches)

    @property
    def number(self) -> str:
        """That of the chapter, and which of its exercises it is."""
        return f"{self.name[0]}.{self.name[1]}"

    @property
    def entry(self) -> str:
        """An item of a list, with a link to the page."""
        return f"- **{self.number} [{self.title}](/exercises/{self.name}/README.md)** ({self.kind}). {self.teaches}\n"


class Exercises(BookDirective):
    """Argument: the number of a chapter. A list of its exercises."""

    required_arguments = 1

    def make(self) -> list[nodes.Node]:
        folders = sorted((self.book.root / "exercises").glob(f"{self.arguments[0]}[0-9]_*"))
        if not folders:
            raise BookError(f"chapter {self.arguments[0]} has no exercises")
        for folder in folders:
            self.env.note_dependency(str(folder / "README.md"))
        return self.parse_text_to_nodes("".join(Exercise.read(folder).entry for folder in folders))


class Hints(BookDirective):
    """What hints.md beside the page holds, a fold for each heading."""

    def make(self) -> list[nodes.Node]:
        path = Path(self.env.doc2path(self.env.docname)).parent / "hints.md"
        if not path.is_file():
            raise BookError(f"there is no {path}")
        self.env.note_dependency(str(path))
        folds: list[nodes.Node] = []
        for part in path.read_text(encoding="utf-8").split("\n## ")[1:]:
            title, text = part.split("\n", 1)
            folds += fold(f"Hint: {title}", self.parse_text_to_nodes(text), "fold answer")
        return folds


def lead_on(
    app: Sphinx, pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Handler of `html-page-context`: says below an exercise's title which it is, and what comes before and after."""
    if not PAGE.fullmatch(pagename):
        return
    exercise = Exercise.read(Path(app.env.doc2path(pagename)).parent)
    to_list = app.builder.get_relative_uri(pagename, LIST)
    place = f'Exercise {exercise.number}: {exercise.kind}. <a href="{to_list}">All exercises</a>'
    context["body"] = context["body"].replace("</h1>", f'</h1>\n<p class="exercise-place">{place}</p>', 1)
    order = [LIST, *sorted(page for page in app.env.found_docs if PAGE.fullmatch(page))]
    here = order.index(pagename)
    context["prev"] = _neighbour(app, pagename, order[here - 1])
    if here + 1 < len(order):
        context["next"] = _neighbour(app, pagename, order[here + 1])


def _neighbour(app: Sphinx, pagename: str, other: str) -> dict[str, str]:
    return {"link": app.builder.get_relative_uri(pagename, other), "title": html.escape(app.env.titles[other].astext())}
