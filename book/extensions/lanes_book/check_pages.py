"""Looks at the pages that were built: links, assets, no network, titles, headings, names of pictures, the glossary.

usage: python -m lanes_book.check_pages HTML_FOLDER --root TOP_OF_THE_REPOSITORY
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, Tag

LOADED = {
    "script": "src",
    "link": "href",
    "img": "src",
    "source": "src",
    "iframe": "src",
    "video": "src",
    "audio": "src",
}
GREATEST_WEIGHT = 500_000
SEARCH_INDEX = "searchindex.js"
CSS_URL = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")


class Site:
    """All pages of a folder, parsed once."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.folder = folder.resolve()
        self._root = f"{root.resolve()}/"
        self.pages = {
            path: BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
            for path in sorted(self.folder.rglob("*.html"))
        }
        self._anchors: dict[Path, set[str]] = {}

    def anchors(self, page: Path) -> set[str]:
        """The ids of a page."""
        if page not in self._anchors:
            self._anchors[page] = {str(tag["id"]) for tag in self.pages[page].find_all(id=True)}
        return self._anchors[page]

    def problems(self) -> Iterator[str]:
        """Everything that is wrong with any page, as `page: what`."""
        for page, soup in self.pages.items():
            name = page.relative_to(self.folder)
            for check in (self._links, self._loads, self._weight, self._outline, self._pictures, self._permalinks):
                yield from (f"{name}: {problem}" for problem in check(page, soup))
        for style in sorted(self.folder.rglob("*.css")):
            yield from (f"{style.relative_to(self.folder)}: {problem}" for problem in self._style(style))

    def _links(self, page: Path, soup: BeautifulSoup) -> Iterator[str]:
        for link in soup.find_all("a", href=True):
            problem = self._resolve(page, str(link["href"]))
            if problem:
                yield problem

    def _loads(self, page: Path, soup: BeautifulSoup) -> Iterator[str]:
        for tag_name, attribute in LOADED.items():
            for tag in soup.find_all(tag_name, attrs={attribute: True}):
                address = str(tag[attribute])
                if urlsplit(address).scheme == "data":
                    continue
                if is_external(address):
                    yield f"loads {address} from the network"
                elif problem := self._resolve(page, address):
                    yield problem
        for style in [*soup.find_all("style"), *soup.find_all(style=True)]:
            text = style.get_text() if style.name == "style" else str(style["style"])
            yield from (f"a style loads {address}" for address in _css_addresses(text) if is_external(address))

    def _weight(self, page: Path, soup: BeautifulSoup) -> Iterator[str]:
        """The page with its scripts and styles, without its pictures and without the words of the whole book, which the
        search loads and which may weigh as much again."""
        pictures = sum(len(str(svg).encode()) for svg in soup.select("figure svg"))
        weight = page.stat().st_size - pictures
        for tag_name in ("script", "link"):
            for tag in soup.find_all(tag_name, attrs={LOADED[tag_name]: True}):
                loaded = page.parent / unquote(urlsplit(str(tag[LOADED[tag_name]])).path)
                if loaded.suffix not in {".js", ".css"} or not loaded.is_file():
                    continue
                if loaded.name != SEARCH_INDEX:
                    weight += loaded.stat().st_size
                elif loaded.stat().st_size > GREATEST_WEIGHT:
                    yield f"loads a search index of {loaded.stat().st_size} bytes, more than {GREATEST_WEIGHT}"
        if weight > GREATEST_WEIGHT:
            yield f"weighs {weight} bytes before its pictures, more than {GREATEST_WEIGHT}"

    def _style(self, path: Path) -> Iterator[str]:
        for address in _css_addresses(path.read_text(encoding="utf-8")):
            if is_external(address):
                yield f"loads {address} from the network"
            elif not address.startswith(("data:", "#")) and not (path.parent / urlsplit(address).path).exists():
                yield f"{address} is not there"

    def _resolve(self, page: Path, address: str) -> str | None:
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            return None if parts.scheme in {"http", "https", "mailto", "data"} else f"{address} has a strange scheme"
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        if target.is_dir():
            target /= "index.html"
        if not target.is_file():
            return f"{address} leads nowhere"
        if parts.fragment and target in self.pages and unquote(parts.fragment) not in self.anchors(target):
            return f"{address}: the page has no such anchor"
        return None

    def _outline(self, page: Path, soup: BeautifulSoup) -> Iterator[str]:
        if soup.html is None or not soup.html.get("lang"):
            yield "no lang on the html element"
        title = soup.select_one("head > title")
        if title is None or not title.get_text(strip=True):
            yield "no title"
        headings = len(soup.find_all("h1"))
        if headings != 1:
            yield f"{headings} h1 headings, not 1"
        identifiers = [str(tag["id"]) for tag in soup.find_all(id=True)]
        for identifier in sorted({i for i in identifiers if identifiers.count(i) > 1}):
            yield f"the id {identifier} is there twice"
        if self._root in str(soup):
            yield f"names the folder {self._root} of the machine that built it"

    def _pictures(self, page: Path, soup: BeautifulSoup) -> Iterator[str]:
        for image in soup.find_all("img"):
            if not image.get("alt"):
                yield f"the image {image.get('src')} has no alt text"
        for svg in soup.select("figure svg"):
            title = svg.find("title")
            if not isinstance(title, Tag) or not title.get_text(strip=True):
                yield "an SVG picture has no title"
            if svg.get("role") != "img":
                yield "an SVG picture has not the role img"

    def _permalinks(self, page: Path, soup: BeautifulSoup) -> Iterator[str]:
        """Links to this page must be possible: to each section, figure, listing and table with a caption."""
        captions = "figure figcaption, table caption, .code-block-caption"
        for part in soup.select(f"article section:not(.genindex-section) > :is(h2, h3, h4), article :is({captions})"):
            if part.select_one("a.headerlink") is None:
                yield f"no link to '{part.get_text(' ', strip=True)[:60]}'"


def unlinked_terms(site: Site) -> Iterator[str]:
    """Terms of the glossary that no page of the book links to. The index, which links to all, does not count."""
    glossary = site.folder / "glossary.html"
    terms = (
        {str(term["id"]) for term in site.pages[glossary].select("dl.glossary dt[id]")}
        if glossary in site.pages
        else set()
    )
    linked = set()
    for page, soup in site.pages.items():
        if page in (glossary, site.folder / "genindex.html"):
            continue
        for link in soup.select("article a[href*='glossary.html#']"):
            parts = urlsplit(str(link["href"]))
            if (page.parent / unquote(parts.path)).resolve() == glossary:
                linked.add(unquote(parts.fragment))
    for term in sorted(terms - linked):
        yield f"glossary.html: {term} is linked from nowhere: write {{term}} where a chapter first uses it"


def is_external(address: str) -> bool:
    """Whether a browser would go to the network for it."""
    parts = urlsplit(address)
    return bool(parts.netloc) or parts.scheme in {"http", "https", "ws", "wss"}


def _css_addresses(text: str) -> Iterator[str]:
    for match in CSS_URL.finditer(text):
        yield (match.group(1) or match.group(2)).strip()


def missing_chapters(html: Path, root: Path) -> Iterator[str]:
    """Chapters whose text has no page."""
    for text in sorted(root.glob("chapters/*/*.md")):
        page = html / text.relative_to(root).with_suffix(".html")
        if not page.is_file():
            yield f"{text} has no page {page}"


def main(arguments: list[str]) -> int:
    """Prints the problems. 0 if there are none."""
    parser = argparse.ArgumentParser(description="Checks the pages of the built book.")
    parser.add_argument("html", type=Path)
    parser.add_argument("--root", type=Path, required=True)
    options = parser.parse_args(arguments)
    site = Site(options.html, options.root)
    problems = [*site.problems(), *missing_chapters(options.html, options.root), *unlinked_terms(site)]
    if not site.pages:
        problems.append(f"no pages in {options.html}: build the book first")
    for problem in problems:
        print(problem)
    print(f"{len(site.pages)} pages, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
