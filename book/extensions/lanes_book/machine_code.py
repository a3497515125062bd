"""Instructions of kernels, as PTX or as SASS, as lanes-machine-code wrote them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import BookError, nearest
from .snippets import Snippet, Snippets
from .validated import Schema

FORMS = ("ptx", "sass")
GAP = "..."


@dataclass(frozen=True)
class MachineCodeFile:
    """One file. Its place, program/device.form.json, says whose code of which form it holds."""

    path: Path
    key: str
    data: dict[str, Any]

    @property
    def kernels(self) -> dict[str, list[str]]:
        """Lines of each kernel."""
        return {kernel["name"]: kernel["code"] for kernel in self.data["kernels"]}

    def snippet(self, name: str, snippets: Snippets) -> Snippet:
        """A snippet of the program's source. BookError if the code was made from another version of it."""
        source = self.data["source"]
        current = snippets.of_source(source)
        if name not in current:
            raise BookError(f"no snippet '{name}' in {source}{nearest(name, current)}")
        made_from = self.data["sources"].get(name)
        if made_from != current[name].hash:
            raise BookError(
                f"{self.path} was made from another version of snippet '{name}' of {source} "
                f"({made_from} then, {current[name].hash} now)"
            )
        return current[name]


class MachineCode:
    """All files of machine code, by PROGRAM/DEVICE/FORM."""

    def __init__(self, files: list[MachineCodeFile]) -> None:
        self._files = {file.key: file for file in reversed(files)}

    @classmethod
    def load(cls, directories: list[Path], schemas: Path) -> MachineCode:
        """Reads and validates directory/program/device.form.json of each directory. The first with a name wins."""
        schema = Schema(schemas / "machine-code.schema.json")
        files = []
        for directory in directories:
            for path in sorted(path for form in FORMS for path in directory.glob(f"*/*.{form}.json")):
                device, _, form = path.name.removesuffix(".json").rpartition(".")
                data = schema.read(path)
                if (data["program"], data["form"]) != (path.parent.name, form):
                    raise BookError(f"{path} holds {data['form']} of '{data['program']}': its place says otherwise")
                files.append(MachineCodeFile(path, f"{path.parent.name}/{device}/{form}", data))
        return cls(files)

    @property
    def files(self) -> list[MachineCodeFile]:
        """All of them, by key."""
        return [self._files[key] for key in sorted(self._files)]

    def symbols(self, key: str) -> dict[str, str]:
        """What the code calls each kernel, of the file with a key PROGRAM/DEVICE/FORM."""
        if key not in self._files:
            raise BookError(f"no machine code '{key}'{nearest(key, self._files)}")
        return self._files[key].data.get("symbols", {})

    def find(self, key: str) -> tuple[MachineCodeFile, str]:
        """The file and the kernel's name of a key PROGRAM/DEVICE/FORM/KERNEL."""
        file_key, kernel = "/".join(key.split("/")[:3]), "/".join(key.split("/")[3:])
        if file_key not in self._files:
            raise BookError(
                f"no machine code for '{key}' (a key is PROGRAM/DEVICE/ptx|sass/KERNEL){nearest(file_key, self._files)}"
            )
        file = self._files[file_key]
        if kernel not in file.kernels:
            raise BookError(f"no kernel '{kernel}' in {file.path}{nearest(kernel, file.kernels)}")
        return file, kernel


def part(lines: list[str], first: str, last: str) -> list[str]:
    """The lines from the first that holds `first` to the next that holds `last`. Dots stand for what is left out."""
    start = _line_with(lines, first, 0) if first else 0
    end = _line_with(lines, last, start) if last else len(lines) - 1
    before = [GAP] if start > 0 else []
    after = [GAP] if end + 1 < len(lines) else []
    return [*before, *lines[start : end + 1], *after]


def _line_with(lines: list[str], text: str, start: int) -> int:
    for index in range(start, len(lines)):
        if text in lines[index]:
            return index
    raise BookError(f"no line with '{text}' from line {start + 1} of {len(lines)} on")


def check(lines: list[str], holds: list[str], lacks: list[str]) -> None:
    """BookError unless each of `holds` and none of `lacks` is in some line."""
    for text in holds:
        if not any(text in line for line in lines):
            raise BookError(f"no line holds '{text}':\n" + "\n".join(lines))
    for text in lacks:
        for line in lines:
            if text in line:
                raise BookError(f"'{line}' holds '{text}', which the page says is not there")
