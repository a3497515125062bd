"""The one exception of the extensions: a message for the author of a page."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class BookError(Exception):
    """Something a page asks for is not there, is out of date, or may not be said. The build stops with the message."""


def nearest(wanted: str, available: Iterable[str], count: int = 3) -> str:
    """What to append to a message about a missing name: the names most like it, best first."""
    matches = difflib.get_close_matches(wanted, list(available), n=count, cutoff=0.4)
    return f"; nearest: {', '.join(matches)}" if matches else ""


class MissingResult(BookError):
    """A result is not there. Columns that a page marks as optional may lack it."""


class MissingEntry(MissingResult):
    """A file has no measurement or case of this name. Rows that a pattern brought in may lack it."""
