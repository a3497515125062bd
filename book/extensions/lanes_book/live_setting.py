"""The role `setting`, words of the text that set a live figure of their page: {setting}`stride 8 <sectors stride=8>`.

They are links, so that the setting can be opened and sent as well: `?sectors=stride:8#sectors`.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.util.docutils import SphinxRole

from .errors import BookError
from .live_figure import state_text

SETTING = re.compile(r"(?P<words>.+?)\s*<(?P<id>[\w-]+)(?P<state>(?: +\S+)*)>", re.DOTALL)


class SettingRole(SphinxRole):
    """Words, and in angle brackets the id of a figure and a state, which may be empty: the figure's first state."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            return [self._link()], []
        except BookError as error:
            message = self.inliner.reporter.error(f"setting: {error}", line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]

    def _link(self) -> nodes.reference:
        match = SETTING.fullmatch(self.text)
        if match is None:
            raise BookError(f"'{self.text}' is not WORDS <FIGURE NAME=VALUE ...>")
        state, figure = state_text(match["state"]), match["id"]
        query = f"?{figure}={state}" if state else ""
        return nodes.reference("", match["words"], refuri=f"{query}#{figure}", internal=True, classes=["live-setting"])
