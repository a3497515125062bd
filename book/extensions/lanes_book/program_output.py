"""Directives that run our own programs while the book is made: `program-output`, `program-table` and `drawing`."""

from __future__ import annotations

import re
import shlex

from docutils import nodes
from docutils.parsers.rst import directives

from .directive import BookDirective, cell, raw_html, simple_table
from .errors import BookError

# How `lanes run` ends: with a table of kernels, unless none was launched.
COUNTS = re.compile(r"\n+lanes: [^\n]*\nkernel  .*\Z", re.DOTALL)


class _RunsProgram(BookDirective):
    required_arguments = 1
    final_argument_whitespace = True

    def output_of(self, words: list[str], status: int) -> str:
        """What the program prints; the page is made again when the program changes."""
        for file in (self.book.program_folder / words[0], *self.book.emulator_libraries):
            self.env.note_dependency(str(file))
        return self.book.run(words, status)


class ProgramOutput(_RunsProgram):
    """Argument: a command. What is not `lanes` itself is run by `lanes run`: the text shows the emulator's words."""

    option_spec = {"status": directives.nonnegative_int}

    def make(self) -> list[nodes.Node]:
        words = shlex.split(self.arguments[0])
        if not words[0].startswith("lanes"):
            words = ["lanes", "run", "--", str(self.book.program_folder / words[0]), *words[1:]]
            self.env.note_dependency(words[3])
        output = self.output_of(words, self.options.get("status", 0)).rstrip("\n")
        shown = ["build/bin/" + words[0], *(self._shown(word) for word in words[1:] if word != "--")]
        messages, counts = split_output(f"$ {' '.join(shown)}\n{output}")
        blocks = [nodes.literal_block(messages, messages, language="console", classes=["program-output"])]
        if counts:
            classes = ["program-output", "program-counts"]
            blocks.append(nodes.literal_block(counts, counts, language="text", classes=classes))
        for block in blocks:
            self.set_source_info(block)
        return blocks

    def _shown(self, word: str) -> str:
        return word.replace(str(self.book.program_folder), "build/bin")


def split_output(text: str) -> tuple[str, str]:
    """What a run says, whose lines may be wrapped, and its table of counts, whose lines must not. "" if it has none."""
    found = COUNTS.search(text)
    return (text[: found.start()], found.group().lstrip("\n")) if found else (text, "")


class ProgramTable(_RunsProgram):
    """Argument: a command that prints lines of cells with tabs between them, the heads first. Content: none."""

    option_spec = {"caption": directives.unchanged_required, "name": directives.unchanged}

    def make(self) -> list[nodes.Node]:
        rows = [line.split("\t") for line in self.output_of(shlex.split(self.arguments[0]), 0).splitlines()]
        if len(rows) < 2 or len({len(row) for row in rows}) != 1 or len(rows[0]) < 2:
            raise BookError("the program printed no table: a head and lines, all with as many cells between tabs")
        head, *body = [[cell(text, *(["number"] if index else [])) for index, text in enumerate(row)] for row in rows]
        table = simple_table([head], body, len(head), "program-table")
        if "caption" in self.options:
            table.insert(0, nodes.title("", "", *self.inline(self.options["caption"])))
        self.set_source_info(table)
        self.add_name(table)
        return [table]


# What a program can draw in another way where there is little room. What cannot is scrolled sideways there.
NARROW = {"lanes-draw-banks": ["--columns", "16"]}
# The keyboard can reach it, and a screen reader says what it is.
SCROLLED = 'tabindex="0" role="group" aria-label="Picture"'


class Drawing(_RunsProgram):
    """Argument: a command that prints an SVG element in the colours of the page. Content: the caption."""

    has_content = True
    option_spec = {"name": directives.unchanged}

    def make(self) -> list[nodes.Node]:
        words = shlex.split(self.arguments[0])
        figure = nodes.figure("", *self._pictures(words), classes=["picture", "drawing"])
        if self.content:
            figure += nodes.caption("", "", *self.inline(" ".join(self.content)))
        self.set_source_info(figure)
        self.add_name(figure)
        return [figure]

    def _pictures(self, words: list[str]) -> list[nodes.Node]:
        wide = self._svg(words)
        if words[0] not in NARROW:
            return [raw_html(f'<div class="picture-scroll" {SCROLLED}>{wide}</div>')]
        narrow = self._svg([*words, *NARROW[words[0]]])
        return [raw_html(f'<div class="picture-wide">{wide}</div><div class="picture-narrow">{narrow}</div>')]

    def _svg(self, words: list[str]) -> str:
        svg = self.output_of(words, 0)
        if not svg.lstrip().startswith("<svg") or "<title>" not in svg:
            raise BookError("the program printed no SVG element with a title")
        return svg
