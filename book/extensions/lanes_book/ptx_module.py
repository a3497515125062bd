"""One kernel cut out of a program's PTX, with what it needs and no more: what a page loads to run that kernel."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .errors import BookError

HEADER = (".version", ".target", ".address_size")
NAME = re.compile(r"[A-Za-z_$][\w$]*")
DECLARED = re.compile(r"([A-Za-z_$][\w$]*)\s*(?:\[[^\]]*\]\s*)*(?:=|;|$)")
CALLABLE = re.compile(r"\.(?:entry|func)\b(?:\s*\([^)]*\))?\s*([A-Za-z_$][\w$]*)")
FILE = re.compile(r'(\.file\s+(\d+)\s+)"([^"]*)"')
LOCATION = re.compile(r"^\s*\.loc\s+(\d+)|inlined_at\s+(\d+)", re.MULTILINE)
DEBUG_LABEL = re.compile(r"\$L__info_string\d+")
OF_THE_BOOK = ("chapters/", "exercises/")
TOOLKIT = "/targets/x86_64-linux/include/"


@dataclass(frozen=True)
class _Part:
    """A declaration, a function or a section: `name` is what others call it by."""

    name: str
    text: str


class PtxModule:
    """The PTX of a program, as nvcc writes it and `lanes ptx` prints it."""

    def __init__(self, text: str) -> None:
        self._header: list[str] = []
        self._parts: dict[str, str] = {}
        self._files: list[str] = []
        self._debug_strings: dict[str, str] = {}
        for part in _parts(text):
            self._take(part)
        if len(self._header) != len(HEADER):
            raise BookError(f"the PTX does not begin with {', '.join(HEADER)}")

    def kernel(self, symbol: str) -> str:
        """A module of one kernel and all that it mentions. No path says where it was compiled."""
        if symbol not in self._parts:
            raise BookError(f"the PTX has no kernel '{symbol}'")
        needed = {symbol}
        waiting = [symbol]
        while waiting:
            mentioned = set(NAME.findall(self._parts[waiting.pop()])) & self._parts.keys()
            waiting += sorted(mentioned - needed)
            needed |= mentioned
        code = "\n".join(text for name, text in self._parts.items() if name in needed)
        return "\n".join([*self._header, "", code, *self._files_of(code), *self._debug_section(code), ""])

    def _take(self, part: _Part) -> None:
        if part.name in HEADER:
            self._header.append(part.text)
        elif part.name == ".file":
            self._files.append(part.text)
        elif part.name == ".section":
            self._debug_strings = dict(_debug_strings(part.text))
        else:
            self._parts[part.name] = part.text

    def _files_of(self, code: str) -> Iterator[str]:
        used = {number for pair in LOCATION.findall(code) for number in pair}
        for line in self._files:
            found = FILE.match(line)
            if found is None:
                raise BookError(f"the PTX names a file in an unknown way: {line}")
            if found[2] in used:
                yield f'{found[1]}"{name_in_book(found[3])}"'

    def _debug_section(self, code: str) -> list[str]:
        labels = [label for label in dict.fromkeys(DEBUG_LABEL.findall(code)) if label in self._debug_strings]
        if not labels:
            return []
        strings = [f"{label}:\n{self._debug_strings[label]}" for label in labels]
        return [".section\t.debug_str", "{", *strings, "}"]


def name_in_book(path: str) -> str:
    """The path of a source of the book from the top of the repository. All others are the toolkit's.

    They keep what the emulator knows those by, for it counts lines of the book only.
    """
    for folder in OF_THE_BOOK:
        place = f"/{path}".find(f"/{folder}")  # nvcc was given the path whole, or from the top of the repository
        if place >= 0:
            return path[place:]
    return TOOLKIT + path.rpartition("/")[2]


def _parts(text: str) -> Iterator[_Part]:
    """The parts at the top level, in order. Comments and empty lines go."""
    lines: list[str] = []
    depth = 0
    for line in text.splitlines():
        if not lines and (not line.strip() or line.lstrip().startswith("//")):
            continue
        if line.strip():
            lines.append(line)
        depth += line.count("{") - line.count("}")
        if depth == 0 and _ends(lines):
            yield _Part(_name_of("\n".join(lines)), "\n".join(lines))
            lines = []
    if lines:
        raise BookError(f"the PTX ends inside of: {lines[0]}")


def _ends(lines: list[str]) -> bool:
    first, last = lines[0].strip(), lines[-1].strip()
    return first.startswith((*HEADER, ".file")) or last.endswith((";", "}"))


def _name_of(text: str) -> str:
    first = text.split(maxsplit=1)[0]
    if first in (*HEADER, ".file", ".section"):
        return first
    found = CALLABLE.search(text) or DECLARED.search(text.split("\n", maxsplit=1)[0])
    if found is None:
        raise BookError(f"the PTX declares something without a name: {text[:80]}")
    return found[1]


def _debug_strings(section: str) -> Iterator[tuple[str, str]]:
    """Labels and the bytes behind each."""
    content = section[section.index("{") + 1 : section.rindex("}")]
    pieces: Iterable[str] = re.split(r"(?m)^(?=\$L__info_string\d+:)", content)
    for piece in pieces:
        label, colon, bytes_of_it = piece.partition(":")
        if colon:
            yield label.strip(), bytes_of_it.strip("\n")
