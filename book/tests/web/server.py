"""A server like a static host's: files below a path, gzip where it pays, the book's own page for what is not there."""

from __future__ import annotations

import gzip
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

PREFIX = "/book/"  # as on hosts that give each project a folder
COMPRESSED = {".html", ".css", ".js", ".json", ".svg", ".txt", ".xml", ".bib", ".ptx"}


@lru_cache(maxsize=512)
def _content(path: Path) -> tuple[bytes, bool]:
    """A file's bytes as they are sent, and whether they are compressed."""
    content = path.read_bytes()
    return (gzip.compress(content, 6), True) if path.suffix in COMPRESSED else (content, False)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folder: Path

    def do_GET(self) -> None:
        address = unquote(urlsplit(self.path).path)
        path = (self.folder / address.removeprefix(PREFIX)).resolve()
        if path.is_dir():
            path /= "index.html"
        found = address.startswith(PREFIX) and path.is_relative_to(self.folder) and path.is_file()
        if not found:
            path = self.folder / "404.html"
        content, compressed = _content(path) if path.is_file() else (b"not found", False)
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", guess_type(path.name)[0] or "application/octet-stream")
        self.send_header("Content-Length", str(len(content)))
        if compressed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments: object) -> None:
        """Says nothing."""


class Server:
    """Serves a folder on a free port until it is closed."""

    def __init__(self, folder: Path) -> None:
        handler = type("Handler", (_Handler,), {"folder": folder.resolve()})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Where the folder is, with a slash at the end."""
        return f"http://127.0.0.1:{self._server.server_address[1]}{PREFIX}"

    def close(self) -> None:
        """Stops."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
