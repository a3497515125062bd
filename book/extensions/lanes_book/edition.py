"""Which edition of the book this is, and how to cite it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from datetime import date, datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes

from .directive import BookDirective, raw_html
from .history import head_commit

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ABSTRACT = "A book about CUDA shared memory whose programs compile, check themselves, and say what they cost."


@dataclass(frozen=True)
class Edition:
    """What a citation says."""

    title: str
    authors: str
    version: str
    day: date
    commit: str
    url: str

    @property
    def name(self) -> str:
        """Version and commit, as far as they are known."""
        commit = f"commit {self.commit[:7]}" if self.commit else ""
        version = f"version {self.version}" if self.version else ""
        return ", ".join(filter(None, (version, commit)))

    def sentence(self) -> str:
        """As a line of a list of references."""
        where = f" {self.url}" if self.url else ""
        name = f" {self.name[0].upper()}{self.name[1:]}." if self.name else ""
        return f"{self.authors[0].upper()}{self.authors[1:]} ({self.day.year}). {self.title}.{name}{where}"

    def bibtex(self) -> str:
        """For LaTeX. BibTeX itself does not know `version` and passes over it; the note says it too."""
        fields = {
            "title": f"{{{self.title}}}",
            "author": f"{{{self.authors}}}",
            "year": str(self.day.year),
            "version": self.version,
            "note": f"{self.name[0].upper()}{self.name[1:]}" if self.name else "",
            "url": self.url,
        }
        lines = [f"  {name:<7} = {{{value}}}" for name, value in fields.items() if value]
        return "@misc{thirty-two-lanes,\n" + ",\n".join(lines) + "\n}\n"

    def citation_file(self) -> str:
        """Citation File Format 1.2.0. Strings are written as JSON, which is YAML too."""
        fields = {
            "cff-version": "1.2.0",
            "message": "If you use this book, please cite it.",
            "title": self.title,
            "abstract": ABSTRACT,
            "type": "software",
            "authors": [{"name": self.authors}],
            "version": self.version,
            "commit": self.commit,
            "date-released": self.day.isoformat(),
            "url": self.url,
            "license": ["Apache-2.0", "CC-BY-4.0"],
        }
        return "".join(f"{name}: {json.dumps(value)}\n" for name, value in fields.items() if value)


def edition_of(app: Sphinx) -> Edition:
    """The edition that is being built. Without git its day is that of the build."""
    config = app.config
    head = head_commit(Path(config.lanes_root)) if config.lanes_root else None
    return Edition(
        title=config.project,
        authors=config.author,
        version=config.version,
        day=head.day if head else _day_of_build(),
        commit=head.hash if head else "",
        url=config.html_baseurl,
    )


def _day_of_build() -> date:
    """Today, or the day that a build which can be repeated sets."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    moment = datetime.fromtimestamp(int(seconds), timezone.utc) if seconds else datetime.now(timezone.utc)
    return moment.date()


FILES = {"thirty-two-lanes.bib": Edition.bibtex, "CITATION.cff": Edition.citation_file}


class Citation(BookDirective):
    """How to cite the edition, and the files with it."""

    def make(self) -> list[nodes.Node]:
        self.env.note_reread()
        edition = edition_of(self.env.app)
        up = "../" * self.env.docname.count("/")
        links = ", ".join(f'<a href="{up}{name}" download>{name}</a>' for name in FILES)
        return [
            nodes.paragraph("", edition.sentence(), classes=["citation-sentence"]),
            nodes.literal_block(edition.bibtex(), edition.bibtex(), language="bibtex"),
            raw_html(f"<p>As files: {links}.</p>"),
        ]


def write_citations(app: Sphinx, exception: Exception | None) -> None:
    """Handler of `build-finished`."""
    if exception is None and app.builder.format == "html":
        edition = edition_of(app)
        for name, text in FILES.items():
            (Path(app.outdir) / name).write_text(text(edition), encoding="utf-8")


def name_pdf(
    app: Sphinx, _pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Handler of `html-page-context`: templates see no configuration but what they are given."""
    context["lanes_pdf"] = app.config.lanes_pdf
