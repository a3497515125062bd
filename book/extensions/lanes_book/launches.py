"""Launches of the kernels that listings show, from the chapters' launches.json."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import BookError, nearest
from .validated import Schema

if TYPE_CHECKING:
    from .snippets import Snippet, Snippets

FILE = "launches.json"
KERNEL = "__global__"


@dataclass(frozen=True)
class ChapterLaunches:
    """The launches of one chapter, whose program has the kernels."""

    path: Path
    program: str
    launches: dict[str, Any]
    listings: dict[str, str]
    not_run: dict[str, str]

    def key_of(self, snippet: Snippet) -> str | None:
        """PROGRAM/LAUNCH of the launch that runs a snippet. BookError for a kernel that has none, nor a reason."""
        name = snippet.name
        launch = self.listings.get(name, name if name in self.launches else None)
        if launch is not None:
            return f"{self.program}/{launch}"
        if KERNEL in snippet.text and name not in self.not_run:
            raise BookError(
                f"nothing says how a page runs kernel '{name}': add it to launches or not_run of {self.path}"
            )
        return None

    def check(self, snippets: dict[str, Snippet]) -> None:
        """BookError if the file speaks of snippets or launches that are not there."""
        for name in [*self.listings, *self.not_run]:
            if name not in snippets:
                raise BookError(f"{self.path}: there is no snippet '{name}'{nearest(name, snippets)}")
        for launch in self.listings.values():
            if launch not in self.launches:
                raise BookError(f"{self.path}: there is no launch '{launch}'{nearest(launch, self.launches)}")
        for name, launch in self.launches.items():
            kernels = {kernel["name"].partition("<")[0] for kernel in launch["kernels"]}
            if name in snippets and KERNEL in snippets[name].text and name not in kernels:
                raise BookError(f"{self.path}: launch '{name}' runs {', '.join(sorted(kernels))}")


class Launches:
    """The launches of all chapters, by their folder."""

    def __init__(self, chapters: dict[str, ChapterLaunches]) -> None:
        self.chapters = chapters

    @classmethod
    def load(cls, root: Path, schemas: Path, snippets: Snippets) -> Launches:
        """Reads, validates and checks the file of every chapter that has one."""
        schema = Schema(schemas / "launches.schema.json")
        chapters = {}
        for path in sorted((root / "chapters").glob(f"*/{FILE}")):
            data = schema.read(path)
            folder = path.parent.name
            chapter = ChapterLaunches(
                path, folder.partition("_")[2], data["launches"], data["listings"], data["not_run"]
            )
            chapter.check(snippets.of_source(f"chapters/{folder}/{chapter.program}.cu"))
            chapters[f"chapters/{folder}"] = chapter
        return cls(chapters)

    def of_file(self, file: str) -> ChapterLaunches | None:
        """The launches of a source's chapter, if it has any."""
        return self.chapters.get(file.rpartition("/")[0])
