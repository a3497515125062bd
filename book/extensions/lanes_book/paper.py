"""The book as one PDF: the pages that were built, in their order, printed by Chromium.

usage: python -m lanes_book.paper HTML_FOLDER --page PAGE_TO_PRINT --output PDF

PAGE_TO_PRINT is written first: all pages in one, with links that lead from one to the other. If it is already there
and the same, the PDF is left as it is.
"""

from __future__ import annotations

import argparse
import hashlib
import html
import re
import sys
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright
from pypdf import PdfReader

from .chromium import find_chromium

ARTICLE = re.compile(r'<article role="main"[^>]*>(.*?)</article>', re.DOTALL)
TAG = re.compile(r"<[a-zA-Z][^>]*>")
ATTRIBUTE = re.compile(r'\s(id|href|src|for|aria-labelledby|aria-describedby)="([^"]*)"')
REFERENCE = re.compile(r"url\(#([^)]+)\)")
PERMALINK = re.compile(r'<a class="headerlink".*?</a>', re.DOTALL)
HEADING = re.compile(
    r'<section[^>]*\sid="([^"]*)">\s*(?:<span id="[^"]*"></span>\s*)*<h([12])[^>]*>(.*?)</h\2>', re.DOTALL
)
LEFT_OUT = re.compile(r"<script\b.*?</script>|<lanes-run\b.*?</lanes-run>", re.DOTALL)
IN_SIDEBAR = re.compile(r'<li class="toctree-l\d[^"]*"><a class="[^"]*" href="([^"]+)"')
PART = re.compile(r"exercises/\w+/|api/(?!index)")  # pages that belong below the one before
NUMBER_CONTENTS = """(pages) => {
    for (const link of document.querySelectorAll('nav a')) {
        link.lastElementChild.textContent = pages[link.hash.slice(1)] ?? '';
    }
}"""
PATIENCE = 120_000  # ms for Chromium to lay out some hundred pages


class Paper:
    """All pages of a built book as one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.pages = self._order()
        self._anchors = {page: re.sub(r"\W+", "-", page.removesuffix(".html")) for page in self.pages}

    def _order(self) -> list[str]:
        """The first page, then those of the table of contents; exercises follow their list."""
        pages = ["index.html"]
        for page in IN_SIDEBAR.findall(self._read("index.html")):
            pages.append(page)
            if page == "exercises/README.html":
                tasks = sorted(self.folder.glob("exercises/*/README.html"))
                pages += [str(task.relative_to(self.folder)) for task in tasks]
        return list(dict.fromkeys(pages))

    def _read(self, page: str) -> str:
        return (self.folder / page).read_text(encoding="utf-8")

    def document(self) -> str:
        """The page to print."""
        chapters = [self._chapter(page) for page in self.pages]
        first = self._read("index.html")
        title = html.unescape(re.search(r"<title>(.*?)</title>", first).group(1))
        theme = "\n".join(re.findall(r"<style>.*?</style>", first, re.DOTALL))
        sheets = re.findall(r'<link rel="stylesheet"[^>]*href="(_static/[^"?]+)', first)
        sheets.append("_static/paper.css")
        digest = hashlib.sha256(b"".join((self.folder / sheet).read_bytes() for sheet in sheets)).hexdigest()
        links = "\n".join(f'<link rel="stylesheet" href="{(self.folder / sheet).as_uri()}">' for sheet in sheets)
        edition = re.search(r'<p class="citation-sentence">.*?</p>', self._read("cite.html"))
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>\n'
            f'{links}\n<!-- style sheets: {digest} -->\n{theme}</head>\n<body data-theme="light">\n'
            f'<header><p class="paper-title">{html.escape(title)}</p>{edition.group() if edition else ""}</header>\n'
            f"{self._contents(chapters)}\n<main>{''.join(chapters)}</main>\n</body></html>\n"
        )

    def _chapter(self, page: str) -> str:
        body = ARTICLE.search(self._read(page)).group(1)
        body = LEFT_OUT.sub("", PERMALINK.sub("", body))
        body = TAG.sub(lambda tag: self._tag(page, tag.group()), body)
        return f'<article id="{self._anchors[page]}">{body}</article>\n'

    def _tag(self, page: str, tag: str) -> str:
        """A tag with names that are unique in the whole, and links that lead to them."""
        tag = ATTRIBUTE.sub(lambda found: self._attribute(page, *found.groups()), tag)
        return REFERENCE.sub(lambda found: f"url(#{self._name(page, found.group(1))})", tag)

    def _attribute(self, page: str, attribute: str, value: str) -> str:
        if attribute == "href":
            target = self._target(page, html.unescape(value))
            return f' href="{html.escape(target)}"' if target else ""
        if attribute == "src":
            value = ((self.folder / page).parent / value).resolve().as_uri()
        else:
            value = " ".join(self._name(page, name) for name in value.split())
        return f' {attribute}="{value}"'

    def _name(self, page: str, name: str) -> str:
        return f"{self._anchors[page]}--{name}"

    def _target(self, page: str, address: str) -> str:
        """Where a link leads; nowhere, if it led to a page or a file that is not printed."""
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            return address
        target = page
        if parts.path:
            place = ((self.folder / page).parent / parts.path).resolve()
            target = str(place.relative_to(self.folder)) if place.is_relative_to(self.folder) else ""
        if target not in self._anchors:
            return ""
        return f"#{self._name(target, parts.fragment)}" if parts.fragment else f"#{self._anchors[target]}"

    def _contents(self, chapters: list[str]) -> str:
        """Titles of pages and of their sections, with room for the numbers of the printed pages."""
        lines = []
        for page, chapter in zip(self.pages, chapters, strict=True):
            brief = page.startswith(("exercises/", "api/", "results"))
            for name, level, title in HEADING.findall(chapter):
                if level == "1" or not brief:
                    text = re.sub("<[^>]+>", "", title)
                    depth = "2" if PART.match(page) else level
                    lines.append(f'<li class="level-{depth}"><a href="#{name}"><span>{text}</span><b>000</b></a></li>')
        return f'<nav><p class="paper-contents">Contents</p><ol>{"".join(lines)}</ol></nav>'


def print_page(page: Path, output: Path) -> None:
    """Prints a page to a PDF, with an outline, and with tags for screen readers.

    It is printed twice: only then is it known on which page each heading stands.
    """
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        tab = chromium.new_page(java_script_enabled=False)
        tab.set_default_timeout(PATIENCE)
        tab.goto(page.resolve().as_uri())
        tab.evaluate(NUMBER_CONTENTS, pages_of_names(tab.pdf(prefer_css_page_size=True)))
        tab.pdf(path=output, prefer_css_page_size=True, print_background=True, outline=True, tagged=True)
        chromium.close()


def pages_of_names(pdf: bytes) -> dict[str, int]:
    """The page, from 1, of each name that a link leads to."""
    reader = PdfReader(BytesIO(pdf))
    pages = {name: reader.get_destination_page_number(place) for name, place in reader.named_destinations.items()}
    return {name.removeprefix("/"): number + 1 for name, number in pages.items() if number is not None}


def main(arguments: list[str]) -> int:
    """Writes the page and the PDF."""
    parser = argparse.ArgumentParser(description="Prints the built book to one PDF.")
    parser.add_argument("html", type=Path)
    parser.add_argument("--page", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    document = Paper(options.html).document()
    old = options.page.read_text(encoding="utf-8") if options.page.is_file() else ""
    if document != old or not options.output.is_file():
        options.page.write_text(document, encoding="utf-8")
        print_page(options.page, options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
