"""What a row of results can be asked: the columns of a table and the series of a plot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .counters import Measure, measure_named, nsight_name
from .errors import BookError, MissingEntry, MissingResult
from .expression import Expression
from .number_format import format_number
from .results import Results, ResultsFile, Row, Value

PREDICTED = "predicted"
TIME = "time"
RATIO = "ratio"
NOTHING = "\u2013"

TIME_FIELDS = {
    "gb_per_s": "GB/s",
    "gflop_per_s": "GFLOP/s",
    "median_ms": "Median, ms",
    "minimum_ms": "Minimum, ms",
    "ratio": "Of the ceiling",
}


@dataclass(frozen=True)
class Column:
    """A value for each row. `group` spans the columns that show the same thing, `head` says where it comes from.

    `counters` are those of a card, by Nsight Compute's names, that the values are made of.
    """

    group: str
    head: str
    spec: str
    optional: bool
    files: tuple[ResultsFile, ...]
    lookup: Callable[[str], Value | None]
    counters: tuple[str, ...] = ()

    def value(self, row: Row) -> Value | None:
        """The value for a row. None where it may be missing, and where a quotient has nothing to divide by."""
        try:
            return self.lookup(row.name)
        except MissingResult as error:
            if self.optional or (row.by_pattern and isinstance(error, MissingEntry)):
                return None
            raise

    def text(self, row: Row) -> str:
        """The value as text."""
        value = self.value(row)
        return NOTHING if value is None else format_number(value, self.spec)


class Columns:
    """Makes the columns of one program."""

    def __init__(self, results: Results, program: str) -> None:
        self._results = results
        self._program = program

    def counts(self, measure_name: str, word: str, optional: bool = False) -> Column:
        """A measure: the prediction (`predicted`), or what a device counted (`emulator`, `h200`)."""
        measure = measure_named(measure_name)
        device = "emulator" if word == PREDICTED else word
        file = self._file(device, "counts")
        section = f"{PREDICTED}/" if word == PREDICTED else ""
        head = "model" if word == PREDICTED else file.device_name

        def lookup(row: str) -> Value | None:
            return self._count(measure, f"{file.key}/{row}/{section}")

        by_card = word != PREDICTED and not file.emulated
        names = (*measure.numerators, *measure.denominators) if by_card else ()
        return Column(measure.title, head, "", optional, (file,), lookup, tuple(nsight_name(name) for name in names))

    def times(self, field: str, device: str, optional: bool = False) -> Column:
        """A field of a device's measurements, such as `gb_per_s`."""
        file = self._file(device, "times")
        spec = ".1%" if field == RATIO else ""
        group = TIME_FIELDS.get(field, field)
        return Column(
            group,
            file.device_name,
            spec,
            optional,
            (file,),
            lambda row: self._results.value(f"{file.key}/{row}/{field}"),
        )

    def custom(self, line: str) -> Column:
        """A line of a directive: `GROUP > HEAD | EXPRESSION | FORMAT`, the first and the last part optional."""
        parts = [part.strip() for part in line.split("|")]
        if len(parts) not in (2, 3) or not parts[0]:
            raise BookError(f"'{line}' is not HEAD | KEY or GROUP > HEAD | KEY | FORMAT")
        group, _, head = parts[0].rpartition(">")
        expression_text, optional = _split_optional(parts[1])
        expression = Expression.parse(expression_text)
        files = tuple(self._results.file_of(self._full_key(key, "")) for key in expression.keys)
        counters = tuple(
            nsight_name(key.rpartition("/")[2])
            for key, file in zip(expression.keys, files, strict=True)
            if file.kind == "counts" and not file.emulated and _is_counter(key)
        )

        def lookup(row: str) -> Value | None:
            return expression.evaluate(lambda key: self._results.value(self._full_key(key, row)))

        spec = parts[2] if len(parts) == 3 else ""
        return Column(group.strip(), head.strip(), spec, optional, files, lookup, counters)

    def _count(self, measure: Measure, prefix: str) -> float | None:
        def counter(name: str) -> float:
            value = self._results.value(f"{prefix}{name}")
            if isinstance(value, str):
                raise BookError(f"{prefix}{name} is '{value}', not a count")
            return value

        return measure.value(counter)

    def _file(self, device: str, kind: str) -> ResultsFile:
        return self._results.file_of(f"{self._program}/{device}/{kind}/")

    def _full_key(self, key: str, row: str) -> str:
        return f"{self._program}/{key.replace('{row}', row)}"


def _is_counter(key: str) -> bool:
    """Whether a key DEVICE/counts/ROW/FIELD names what was counted: parameters and predictions have one part more."""
    return key.count("/") == 3 and not key.endswith("/kernel")


def _split_optional(text: str) -> tuple[str, bool]:
    return text.removesuffix("?").strip(), text.endswith("?")


@dataclass(frozen=True)
class Wishes:
    """What a page asks for in words: `predicted emulator h200 time ratio`, by measure and by field of a measurement."""

    words: list[str]
    measures: list[str]
    fields: list[str]


def preset_columns(results: Results, program: str, wishes: Wishes) -> list[Column]:
    """The columns for the words: counts by measure, then times by field, each on all devices that were timed."""
    columns = Columns(results, program)
    fields = {TIME: wishes.fields, RATIO: [RATIO]}
    words = [_split_optional(word) for word in wishes.words]
    made = [
        columns.counts(measure, word, optional)
        for measure in wishes.measures
        for word, optional in words
        if word not in fields and not (optional and f"{program}/{word}/counts" not in results)
    ]
    made += [
        columns.times(field, device, optional)
        for word, optional in words
        for field in fields.get(word, [])
        for device in results.devices(program, "times")
    ]
    return made


def files_of(columns: list[Column]) -> list[ResultsFile]:
    """The files that the columns draw on, each once."""
    unique = {file.key: file for column in columns for file in column.files}
    return [unique[key] for key in sorted(unique)]


def rows_with_values(rows: list[Row], columns: list[Column]) -> list[Row]:
    """The rows without those that a pattern brought in and no column knows."""
    return [row for row in rows if not row.by_pattern or any(column.value(row) is not None for column in columns)]
