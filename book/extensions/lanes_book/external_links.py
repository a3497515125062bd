"""Lists all links that leave the book in one file; with --check, asks each whether it still answers.

usage: python -m lanes_book.external_links HTML_FOLDER --output FILE [--check]
"""

from __future__ import annotations

import argparse
import html
import re
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urldefrag
from urllib.request import Request, urlopen

LINK = re.compile(r'<a\s[^>]*href="(https?://[^"]+)"')
AGENT = "Mozilla/5.0 (compatible; a check of the links of a book)"
SECONDS = 20
AT_ONCE = 8
ALIVE = {401, 403, 405, 429}  # there, but not for programs


def external_links(folder: Path) -> dict[str, list[str]]:
    """Each address, without its fragment, with the pages that link to it."""
    pages: dict[str, list[str]] = defaultdict(list)
    for page in sorted(folder.rglob("*.html")):
        for address in sorted({urldefrag(html.unescape(link)).url for link in LINK.findall(page.read_text("utf-8"))}):
            pages[address].append(str(page.relative_to(folder)))
    return dict(sorted(pages.items()))


def problem(address: str) -> str | None:
    """What is wrong with an address."""
    try:
        with urlopen(Request(address, headers={"User-Agent": AGENT}), timeout=SECONDS):
            return None
    except HTTPError as error:
        return None if error.code in ALIVE else f"answers {error.code}"
    except (URLError, OSError) as error:
        return f"cannot be reached: {getattr(error, 'reason', error)}"


def check(addresses: list[str]) -> int:
    """Asks all. The number of those that do not answer; 0 if none does, for then there is no network."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        problems = list(pool.map(problem, addresses))
    if all(found and found.startswith("cannot be reached") for found in problems):
        print(f"There is no network here: none of {len(addresses)} links was checked.")
        return 0
    dead = [(address, found) for address, found in zip(addresses, problems, strict=True) if found]
    for address, found in dead:
        print(f"{address} {found}")
    print(f"{len(addresses)} links, {len(dead)} do not answer")
    return len(dead)


def main(arguments: list[str]) -> int:
    """Writes the list. 1 if a link was checked and does not answer."""
    parser = argparse.ArgumentParser(description="Lists the links that leave the book.")
    parser.add_argument("html", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--check", action="store_true", help="ask each address whether it answers")
    options = parser.parse_args(arguments)
    links = external_links(options.html)
    lines = [f"{address}  {' '.join(pages[:3])}{' ...' if len(pages) > 3 else ''}" for address, pages in links.items()]
    options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 1 if options.check and check(list(links)) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
