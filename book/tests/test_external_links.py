"""The list of links that leave the book, and the check of them against a server of our own."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from lanes_book.external_links import check, external_links, main


class Handler(BaseHTTPRequestHandler):
    """Answers by the address: /404 with 404, and so on."""

    def do_GET(self) -> None:
        self.send_response(int(self.path[1:]))
        self.end_headers()

    def log_message(self, *arguments: object) -> None:
        """Says nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    """A server on this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_each_link_is_listed_once_with_its_pages(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a class="x" href="https://b.org/?x=1&amp;y=2#z">b</a><a href="c.html">c</a>')
    (tmp_path / "c.html").write_text('<a href="https://b.org/?x=1&amp;y=2">b</a>')
    assert external_links(tmp_path) == {"https://b.org/?x=1&y=2": ["a.html", "c.html"]}
    assert main([str(tmp_path), "--output", str(tmp_path / "links.txt")]) == 0
    assert (tmp_path / "links.txt").read_text() == "https://b.org/?x=1&y=2  a.html c.html\n"


def test_dead_links_are_named(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert check([f"{server}/200", f"{server}/403", f"{server}/404"]) == 1
    assert f"{server}/404 answers 404" in capsys.readouterr().out


def test_without_a_network_nothing_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert check(["http://127.0.0.1:9/"]) == 0
    assert "no network" in capsys.readouterr().out
