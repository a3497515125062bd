"""One id for a table: the theme wraps each table in a container and gives both the same."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform


class OneIdForEachTable(SphinxPostTransform):
    """Takes the ids off the wrapper: the table needs them for its number."""

    formats = ("html",)
    default_priority = 600  # after the theme's, which has 500

    def run(self, **kwargs: Any) -> None:
        """Visit all tables of the document."""
        for table in self.document.findall(nodes.table):
            if table["ids"] and table.parent.get("ids") == table["ids"]:
                table.parent["ids"] = []
