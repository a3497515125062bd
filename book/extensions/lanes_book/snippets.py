"""Named snippets of the sources, as lanes-snippets wrote them, with the number of each of their lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .errors import BookError, nearest
from .validated import Schema

MARKER = re.compile(r"\s*//\s*\[/?[A-Za-z0-9_]+\]\s*")


@dataclass(frozen=True)
class Snippet:
    """A named piece of a source file. `first_line` is the line in the file of the first line of `text`."""

    name: str
    file: str
    first_line: int
    text: str
    hash: str

    @property
    def lines(self) -> list[str]:
        """The lines of the text, without line ends."""
        return self.text.rstrip("\n").split("\n")

    def line_numbers(self, source: str) -> list[int]:
        """For each line of the text its line in the file, whose whole text is `source`. Markers inside are skipped."""
        numbers: list[int] = []
        wanted = [line.strip() for line in self.lines]
        for number, line in enumerate(source.split("\n")[self.first_line - 1 :], start=self.first_line):
            if len(numbers) == len(wanted):
                break
            if MARKER.fullmatch(line):
                continue
            if line.strip() != wanted[len(numbers)]:
                raise BookError(
                    f"{self.file}:{number} is not what snippet '{self.name}' says: run lanes-snippets again"
                )
            numbers.append(number)
        if len(numbers) < len(wanted):
            raise BookError(f"{self.file} ends before snippet '{self.name}' does: run lanes-snippets again")
        return numbers


class Snippets:
    """All snippets of all sources."""

    def __init__(self, snippets: list[Snippet]) -> None:
        self._snippets = {(snippet.file, snippet.name): snippet for snippet in snippets}

    @classmethod
    def load(cls, path: Path, schemas: Path) -> Snippets:
        """Reads and validates the output of lanes-snippets."""
        listed = Schema(schemas / "snippets.schema.json").read(path)["snippets"]
        return cls([Snippet(**snippet) for snippet in listed])

    @property
    def files(self) -> list[str]:
        """The sources that hold snippets."""
        return sorted({file for file, _ in self._snippets})

    def get(self, file: str, name: str) -> Snippet:
        """The snippet of a source, given by its path from the top of the repository."""
        snippet = self._snippets.get((file, name))
        if snippet is None:
            available = [f"{other_file} {other_name}" for other_file, other_name in self._snippets]
            raise BookError(f"no snippet '{name}' in {file}{nearest(f'{file} {name}', available)}")
        return snippet

    def of_source(self, source: str) -> dict[str, Snippet]:
        """The snippets of a chapter known by the end of its source's path, such as `coalescing.cu`.

        They are those of all files in the source's folder.
        """
        folders = {_folder(file) for file, _ in self._snippets if f"/{file}".endswith(f"/{source}")}
        return {name: snippet for (file, name), snippet in self._snippets.items() if _folder(file) in folders}

    def chapter_sources(self, file: str) -> list[str]:
        """The files with snippets in the folder of a file: the chapter's source and its headers."""
        return [other for other in self.files if _folder(other) == _folder(file)]


def _folder(file: str) -> str:
    return file.rpartition("/")[0]
