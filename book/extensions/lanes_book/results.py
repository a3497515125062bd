"""Results files: what was counted and measured, where, when, and of which source."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .counters import nsight_name
from .errors import BookError, MissingEntry, MissingResult, nearest
from .machine_code import FORMS
from .snippets import Snippets
from .validated import Schema

Value = float | int | str | bool

KINDS = {"times": "measurements", "counts": "cases"}
PROVENANCE = "provenance"
FIELDS_THAT_ARE_NO_TIMES = {"name", "bytes", "parameters"}


@dataclass(frozen=True)
class Row:
    """A measurement or case that a page asks for, by its name or by a pattern."""

    name: str
    by_pattern: bool


@dataclass(frozen=True)
class ResultsFile:
    """One file. Its place, program/device.kind.json, says whose results of which kind it holds."""

    path: Path
    program: str
    device: str
    kind: str
    data: dict[str, Any]

    @property
    def key(self) -> str:
        """The beginning of the keys of all its results."""
        return f"{self.program}/{self.device}/{self.kind}"

    @property
    def label(self) -> str:
        """The label of its entry in the page of results."""
        return f"results-{self.program}-{self.device}-{self.kind}"

    @property
    def provenance(self) -> dict[str, Any]:
        """Device, driver, date and so on."""
        return self.data["provenance"]

    @property
    def emulated(self) -> bool:
        """Whether the emulator ran it."""
        return bool(self.provenance["emulated"])

    @property
    def device_name(self) -> str:
        """A short name of the device; the machine that builds the book is told apart from the book's own."""
        if self.emulated:
            return "emulator"
        name = str(self.provenance["device"]).removeprefix("NVIDIA ")
        return f"{name}, here" if self.device == "here" else name

    @property
    def entries(self) -> dict[str, dict[str, Any]]:
        """The measurements or cases by name, in their order."""
        return {entry["name"]: entry for entry in self.data[KINDS[self.kind]]}

    def values(self) -> Iterator[tuple[str, Value]]:
        """Every key with its value."""
        for name, entry in {PROVENANCE: self.provenance, **self.entries}.items():
            for field, value in _flatten(entry):
                yield f"{self.key}/{name}/{field}", value


def _flatten(entry: dict[str, Any]) -> Iterator[tuple[str, Value]]:
    for field, value in entry.items():
        if field == "counters":
            yield from value.items()
        elif isinstance(value, dict):
            yield from ((f"{field}/{inner}", inner_value) for inner, inner_value in value.items())
        elif isinstance(value, (int, float, str)):
            yield field, value


class Results:
    """All results files, by key."""

    def __init__(self, files: list[ResultsFile], snippets: Snippets) -> None:
        self._files = {file.key: file for file in reversed(files)}
        self._snippets = snippets

    @classmethod
    def load(cls, directories: list[Path], schemas: Path, snippets: Snippets) -> Results:
        """Reads and validates directory/program/device.kind.json of each directory. The first with a name wins."""
        paths = [path for directory in directories for path in sorted(directory.glob("*/*.*.json"))]
        by_kind = {kind: Schema(schemas / f"{kind}.schema.json") for kind in KINDS}
        results = [path for path in paths if path.parent.name != schemas.name and not _is_machine_code(path)]
        return cls([_load_file(path, by_kind) for path in results], snippets)

    @property
    def files(self) -> list[ResultsFile]:
        """All files, by key."""
        return [self._files[key] for key in sorted(self._files)]

    def __contains__(self, file_key: str) -> bool:
        """Whether there is a file PROGRAM/DEVICE/KIND."""
        return file_key in self._files

    def file_of(self, key: str) -> ResultsFile:
        """The file that a key points into."""
        file_key = "/".join(key.split("/")[:3])
        if key.count("/") < 3 or file_key not in self._files:
            raise MissingResult(
                f"no results file for '{key}' (a key is PROGRAM/DEVICE/times|counts/NAME/FIELD)"
                f"{nearest(file_key, self._files)}"
            )
        return self._files[file_key]

    def value(self, key: str) -> Value:
        """The value of a key. BookError if it is missing, out of date, or an emulator's time."""
        file = self.file_of(key)
        name, _, field = key.split("/", 3)[3].partition("/")
        field = "/".join(nsight_name(part) for part in field.split("/"))
        found = dict(file.values()).get(f"{file.key}/{name}/{field}")
        if found is None:
            missing = MissingResult if name in file.entries else MissingEntry
            raise missing(f"no result '{key}'{nearest(key, self._keys())}")
        if name != PROVENANCE:
            self._forbid_emulated_times(file, key, field)
            self._require_current(file, file.entries[name])
        return found

    def of_program(self, program: str) -> list[ResultsFile]:
        """The files of a program."""
        files = [file for file in self.files if file.program == program]
        if not files:
            raise BookError(f"no results of a program '{program}'{nearest(program, [f.program for f in self.files])}")
        return files

    def rows(self, program: str, patterns: str) -> list[Row]:
        """The measurements and cases of a program that the patterns match, in the patterns' order, then the files'."""
        available = {name: None for file in self.of_program(program) for name in file.entries}
        found: dict[str, Row] = {}
        for pattern in patterns.split():
            matches = fnmatch.filter(available, pattern)
            if not matches:
                raise BookError(f"'{pattern}' matches no result of {program}{nearest(pattern, available)}")
            found.update({name: Row(name, by_pattern=name != pattern) for name in matches})
        return list(found.values())

    def parameter(self, program: str, name: str, parameter: str) -> Value:
        """A parameter of a measurement or case; where both are there, they must agree."""
        values = {
            entry["parameters"][parameter]
            for file in self.of_program(program)
            for entry in [file.entries.get(name, {})]
            if parameter in entry.get("parameters", {})
        }
        if len(values) != 1:
            what = "no file says" if not values else "the files disagree on"
            raise BookError(f"{what} the parameter '{parameter}' of {program}'s '{name}'")
        return values.pop()

    def lines(self, program: str, case: str) -> list[dict[str, Any]]:
        """The counts of each source line in a case, by the emulator."""
        key = f"{program}/emulator/counts/{case}"
        file = self.file_of(f"{key}/lines")
        entry = file.entries.get(case)
        if entry is None:
            raise BookError(f"no case '{key}'{nearest(case, file.entries)}")
        self._require_current(file, entry)
        return entry["lines"]

    def devices(self, program: str, kind: str) -> list[str]:
        """The devices that measured (kind "times") or counted (kind "counts") a program; the emulator times nothing."""
        files = [file for file in self.of_program(program) if file.kind == kind]
        return [file.device for file in files if kind == "counts" or not file.emulated]

    def program_of_source(self, source: str) -> str:
        """The program whose results say that they come from this source file, or from one beside this header."""
        beside = [f"/{file}" for file in [source, *self._snippets.chapter_sources(source)]]
        for file in self._files.values():
            if any(path.endswith(f"/{file.provenance['source']}") for path in beside):
                return file.program
        raise BookError(f"no results file has the source {source}")

    def _keys(self) -> Iterator[str]:
        for file in self._files.values():
            yield from (key for key, _ in file.values())

    @staticmethod
    def _forbid_emulated_times(file: ResultsFile, key: str, field: str) -> None:
        if file.kind == "times" and file.emulated and field.split("/", maxsplit=1)[0] not in FIELDS_THAT_ARE_NO_TIMES:
            raise BookError(f"'{key}' is a time of the emulator, which says nothing of a GPU: cite a measured device")

    def _require_current(self, file: ResultsFile, entry: dict[str, Any]) -> None:
        source = file.provenance["source"]
        current = self._snippets.of_source(source)
        for name in entry["snippets"]:
            measured = file.data["sources"].get(name)
            now = current[name].hash if name in current else None
            if measured is None or measured != now:
                raise BookError(
                    f"{file.path} was made from another version of snippet '{name}' of {source} "
                    f"({measured} then, {now} now); {self._how_to_renew(file)}"
                )

    def _how_to_renew(self, file: ResultsFile) -> str:
        if file.emulated:
            return "build the target 'results' again"
        source = f"/{file.provenance['source']}"
        folders = [path.split("/")[-2] for path in self._snippets.files if path.endswith(source)]
        output = file.path.parent.parent
        return f"measure again with: ci/measure --name {file.device} --output {output} {' '.join(folders)}"


def _is_machine_code(path: Path) -> bool:
    """Whether it is a file of instructions: it lies beside the results, and is read by MachineCode."""
    return path.name.endswith(tuple(f".{form}.json" for form in FORMS))


def _load_file(path: Path, schemas: dict[str, Schema]) -> ResultsFile:
    device, _, kind = path.name.removesuffix(".json").rpartition(".")
    if kind not in schemas:
        raise BookError(f"{path} is neither DEVICE.times.json nor DEVICE.counts.json")
    data = schemas[kind].read(path)
    if data["program"] != path.parent.name:
        raise BookError(f"{path} holds results of '{data['program']}', but lies in a folder named {path.parent.name}")
    return ResultsFile(path, data["program"], device, kind, data)
