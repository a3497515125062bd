"""What other sites show of a link to a page: Open Graph tags, and the description that search engines show."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from docutils import nodes
from markupsafe import Markup

if TYPE_CHECKING:
    from sphinx.application import Sphinx

LONGEST = 200
PICTURE = "_static/page.png"


def add_tags(
    app: Sphinx, pagename: str, _template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Handler of `html-page-context`. Addresses must be whole, so they are given only if the book's own is known."""
    site = app.config.html_baseurl
    description = describe(doctree) if doctree is not None else ""
    tags = {
        "og:site_name": app.config.project,
        "og:title": Markup(context.get("title", "")).striptags() or app.config.project,
        "og:type": "website" if pagename == app.config.root_doc else "article",
        "og:description": description,
        "og:url": context.get("pageurl") or "",
        "og:image": f"{site}{PICTURE}" if site else "",
        "og:image:alt": "A kernel with its cost in the margin of each line" if site else "",
    }
    lines = [f'<meta property="{name}" content="{html.escape(text)}">' for name, text in tags.items() if text]
    if description:
        lines.append(f'<meta name="description" content="{html.escape(description)}">')
    context["metatags"] = context.get("metatags", "") + "\n    " + "\n    ".join(lines)


def describe(doctree: nodes.document) -> str:
    """The first paragraph of the running text, cut at a word."""
    for paragraph in doctree.findall(nodes.paragraph):
        if isinstance(paragraph.parent, (nodes.section, nodes.document)):
            text = " ".join(paragraph.astext().split())
            if len(text) > LONGEST:
                text = f"{text[:LONGEST].rsplit(' ', 1)[0]} …"
            return text
    return ""
