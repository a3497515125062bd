"""Commands that make the book's numbers again: on the emulator, under Nsight Compute, on the clock.

Their names come from the results files, so no command asks for a counter that was not counted when the book's own
numbers were.
"""

from __future__ import annotations

from dataclasses import dataclass

from docutils import nodes
from docutils.parsers.rst import directives

from .columns import Column
from .counters import nsight_name
from .directive import BookDirective, fold
from .errors import BookError, nearest
from .results import Results, ResultsFile

# Nsight Compute adds up, averages and so on: the book uses sums over the whole GPU.
SUMMED = ".sum"
WIDTH = 100


@dataclass(frozen=True)
class Commands:
    """The commands for one program, as lines to type."""

    program: str

    def emulator(self) -> list[str]:
        """Prints the counts of each kernel and source line, and writes those of each launch, without a GPU."""
        return [f"$ build/bin/lanes run --lines --json counts.json build/bin/{self.program} --counts"]

    def nsight_compute(self, counters: list[str]) -> list[str]:
        """Counts each launch on the GPU. The metrics are broken into lines where the shell allows it."""
        metrics = [f"{counter}{SUMMED}" for counter in counters]
        lines = ["$ ncu --clock-control none --metrics \\"]
        lines += [f"{metric},\\" for metric in metrics[:-1]]
        lines += [f"{metrics[-1]} \\", f"    build/bin/{self.program} --counts"]
        short = f"$ ncu --clock-control none --metrics {','.join(metrics)} build/bin/{self.program} --counts"
        return [short] if len(short) <= WIDTH else lines

    def times(self) -> list[str]:
        """Times everything on the GPU."""
        return [f"$ build/bin/{self.program} --bench-only"]


def _block(lines: list[str]) -> nodes.literal_block:
    text = "\n".join(lines)
    return nodes.literal_block(text, text, language="console", classes=["repeat"])


def commands_of_columns(program: str, columns: list[Column]) -> list[str]:
    """What repeats the numbers of a table, whose columns know their files and their counters."""
    files = {file.key: file for column in columns for file in column.files}.values()
    counters = list(dict.fromkeys(counter for column in columns for counter in column.counters))
    commands = Commands(program)
    lines: list[str] = []
    if any(file.kind == "counts" and file.emulated for file in files):
        lines += commands.emulator()
    if counters:
        lines += commands.nsight_compute(counters)
    if any(file.kind == "times" for file in files):
        lines += commands.times()
    return lines


def repeat_block(program: str, columns: list[Column]) -> nodes.literal_block:
    """The commands, as they stand below the numbers of a picture."""
    return _block(commands_of_columns(program, columns))


def repeat_fold(program: str, columns: list[Column]) -> list[nodes.Node]:
    """The commands, folded away below a table."""
    return fold("Repeat it", [repeat_block(program, columns)], "fold repeat-fold")


def counters_of(file: ResultsFile) -> list[str]:
    """The counters of a file, without a profiler's averages and extremes, in alphabetical order."""
    names = {name for entry in file.entries.values() for name in entry["counters"]}
    return sorted(name for name in names if "." not in name)


class Repeat(BookDirective):
    """Argument: a program. Option `counters`: which, by short or Nsight Compute's names; all, if left out."""

    required_arguments = 1
    option_spec = {"counters": directives.unchanged}

    def make(self) -> list[nodes.Node]:
        program = self.arguments[0]
        file = best_counts_file(self.book.results, program)
        self.depend_on([file])
        known = counters_of(file)
        counters = [nsight_name(name) for name in self.options.get("counters", "").split()] or known
        for counter in counters:
            if counter not in known:
                raise BookError(f"{file.path.name} of {program} holds no counter '{counter}'{nearest(counter, known)}")
        commands = Commands(program)
        block = _block([*commands.emulator(), *commands.nsight_compute(counters)])
        self.set_source_info(block)
        return [block]


def best_counts_file(results: Results, program: str) -> ResultsFile:
    """The counts of a card, or of the emulator as long as no card has counted the program."""
    files = [file for file in results.of_program(program) if file.kind == "counts"]
    if not files:
        raise BookError(f"nobody has counted {program}")
    return min(files, key=lambda file: (file.emulated, file.device == "here", file.key))
