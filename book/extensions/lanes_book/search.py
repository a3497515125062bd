"""What the search finds of C++: functions, classes and their members, and no parameters."""

from __future__ import annotations

from collections.abc import Iterator

from sphinx.domains.cpp import CPPDomain

PARAMETERS = ("functionParam", "templateParam")
NOT_FOUND = -1  # Sphinx's search leaves out what has a priority below 0


class SearchedCpp(CPPDomain):
    """Sphinx's domain, in which `count` would find each function that takes one, by the name `copy::count`."""

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """All names, with what says how far up the search shows them."""
        for name, shown, kind, page, anchor, priority in super().get_objects():
            yield name, shown, kind, page, anchor, NOT_FOUND if kind in PARAMETERS else priority
