"""The directive `machine-code`: instructions of a kernel, with what they must hold and what they must not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from docutils.parsers.rst import directives

from .directive import BookDirective
from .machine_code import check, part
from .snippet_directive import link_to_snippet

if TYPE_CHECKING:
    from .machine_code import MachineCodeFile
    from .snippets import Snippet


class MachineCodeDirective(BookDirective):
    """Argument: a key PROGRAM/DEVICE/ptx|sass/KERNEL."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec = {
        "from": directives.unchanged_required,
        "to": directives.unchanged_required,
        "holds": directives.unchanged_required,
        "lacks": directives.unchanged_required,
        "snippets": directives.unchanged_required,
        "caption": directives.unchanged,
        "name": directives.unchanged,
    }

    def make(self) -> list[nodes.Node]:
        file, kernel = self.book.machine_code.find(self.arguments[0])
        self.depend_on([])
        self.env.note_dependency(str(file.path))
        names = self.options.get("snippets", kernel).split()
        snippets = [file.snippet(name, self.book.snippets) for name in names]
        lines = part(file.kernels[kernel], self.options.get("from", ""), self.options.get("to", ""))
        check(lines, self.options.get("holds", "").split(), self.options.get("lacks", "").split())
        text = "\n".join(lines)
        code = nodes.literal_block(text, text, language="text")
        wrapper = nodes.container("", self._caption(file, snippets[0], kernel), code, literal_block=True)
        wrapper["classes"] += ["literal-block-wrapper", "snippet", "machine-code"]
        self.set_source_info(code)
        self.set_source_info(wrapper)
        self.add_name(wrapper)
        return [wrapper]

    def _caption(self, file: MachineCodeFile, snippet: Snippet, kernel: str) -> nodes.caption:
        caption = nodes.caption("", "", *self.inline(self.options.get("caption", "")))
        if "caption" in self.options:
            caption += nodes.Text(" \u00b7 ")
        form = {"ptx": "PTX", "sass": "SASS"}[file.data["form"]]
        caption += nodes.Text(f"{form} of ")
        caption += link_to_snippet(self, snippet, kernel)
        caption += nodes.Text(f" for {file.data['target']}, nvcc {file.data['toolkit']}")
        return caption
