"""The page of results: where each file comes from."""

from __future__ import annotations

from docutils import nodes

from .directive import BookDirective, cell, raw_html, simple_table
from .number_format import format_number
from .results import ResultsFile, Value

TITLES = {
    "device": "Device",
    "compute_capability": "Compute capability",
    "multiprocessors": "Multiprocessors",
    "l2_bytes": "L2 cache, bytes",
    "driver": "Driver's CUDA version",
    "kernel_driver": "Driver",
    "runtime": "CUDA runtime",
    "toolkit": "CUDA toolkit",
    "counted_by": "Counted by",
    "date": "Date",
    "seed": "Seed of the random inputs",
    "command": "Command",
}


def download_path(file: ResultsFile) -> str:
    """Where the file lies in the built book."""
    return f"results/{file.program}/{file.device}.{file.kind}.json"


class ResultsProvenance(BookDirective):
    """Argument: a program. A section for each of its results files."""

    required_arguments = 1

    def make(self) -> list[nodes.Node]:
        self.env.note_reread()
        return [self._section(file) for file in self.book.results.of_program(self.arguments[0])]

    def _section(self, file: ResultsFile) -> nodes.section:
        title = f"{file.kind.capitalize()}, {file.device_name}"
        section = nodes.section("", nodes.title("", title), names=[file.label])
        self.state.document.note_explicit_target(section, section)
        facts = [[cell(name), _fact(file.provenance[key])] for key, name in TITLES.items() if key in file.provenance]
        section += simple_table([], facts, 2, "provenance")
        up = "../" * self.env.docname.count("/")
        link = f'<a href="{up}{download_path(file)}" download>{download_path(file).rpartition("/")[2]}</a>'
        what = "measurements" if file.kind == "times" else "counted launches"
        section += raw_html(f"<p>{len(file.entries)} {what}, with everything else the file holds: {link}.</p>")
        return section


def _fact(value: Value) -> nodes.entry:
    return nodes.entry("", nodes.paragraph("", "", nodes.literal("", format_number(value))))
