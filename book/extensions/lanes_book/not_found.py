"""404.html, which hosts show for an address that is not there, at any depth: it loads nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def not_found_page(_app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Handler of `html-collect-pages`."""
    yield "404", {"title": "There is no such page"}, "404.html"
