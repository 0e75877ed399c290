"""A static web server for this machine only: the right types, any sub-path, a log, and a stop that is felt at once.

`StaticServer` keeps nothing in the browser's cache, so that what works offline does so by our doing. `HostingServer`
does as a good host does: text compressed, unchanged files not sent again, hashed names kept for ever.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import socket
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote, urlsplit

_TYPES = {  # not from the system's table, which differs from machine to machine
    ".css": "text/css; charset=utf-8",
    ".gz": "application/gzip",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".toml": "application/toml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".whl": "application/zip",
    ".woff2": "font/woff2",
    ".xml": "text/xml; charset=utf-8",
    ".zip": "application/zip",
}


@dataclass(frozen=True)
class Request:
    """One answered request: its path with the query, the status and the bytes of the body that were sent."""

    path: str
    status: int
    sent: int


@dataclass(frozen=True)
class Reply:
    status: HTTPStatus
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


class StaticServer:
    """Serves a folder at http://127.0.0.1:<port><base>; a context manager, and may be stopped and started again."""

    def __init__(self, folder: Path, base: str = "/", port: int = 0, headers: Mapping[str, str] | None = None) -> None:
        if not (base.startswith("/") and base.endswith("/")):
            raise ValueError(f"a base begins and ends with a slash: {base!r}")
        self.folder = folder.resolve()
        self.base = base
        self.port = port  # 0 until the first start: any free one, kept from then on
        self.headers = {"Cache-Control": "no-store", **(headers or {})}
        self.log: list[Request] = []
        self._http: _Connections | None = None

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return self.origin + self.base

    def start(self) -> Self:
        if self._http is None:
            self._http = _Connections(self)
            self.port = self._http.server_port
            threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def stop(self) -> None:
        """Close the port and every connection, so that from now on nobody gets an answer."""
        if self._http is not None:
            self._http.shutdown()
            self._http.server_close()
            self._http.hang_up()
            self._http = None

    def finish(self, reply: Reply, _path: str, _asked: Mapping[str, str]) -> Reply:
        """The answer in view of what the browser said of itself."""
        return reply

    def reply(self, path: str) -> Reply:
        """The answer to a path (without its query)."""
        if path == self.base.rstrip("/"):
            return Reply(HTTPStatus.MOVED_PERMANENTLY, headers={"Location": self.base})
        file = self._file(path)
        if file is not None and file.is_dir():
            return Reply(HTTPStatus.MOVED_PERMANENTLY, headers={"Location": path + "/"})
        if file is None or not file.is_file():
            return Reply(HTTPStatus.NOT_FOUND, f"There is no {path} here.\n".encode(), {"Content-Type": "text/plain"})
        kind = _TYPES.get(file.suffix.lower(), "application/octet-stream")
        return Reply(HTTPStatus.OK, file.read_bytes(), {"Content-Type": kind})

    def _file(self, path: str) -> Path | None:
        if not path.startswith(self.base) or "\0" in path:
            return None
        file = (self.folder / path.removeprefix(self.base).lstrip("/")).resolve()
        if path.endswith("/"):
            file /= "index.html"
        return file if file.is_relative_to(self.folder) else None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class HostingServer(StaticServer):
    """As a host on the internet serves the site."""

    _TEXT = ("text/", "image/svg+xml", "application/json", "application/manifest+json")

    def __init__(self, folder: Path, base: str = "/", port: int = 0) -> None:
        super().__init__(folder, base, port)
        self._compressed: dict[str, bytes] = {}  # by the hash of what was compressed

    def finish(self, reply: Reply, path: str, asked: Mapping[str, str]) -> Reply:
        if reply.status != HTTPStatus.OK:
            return reply
        mark = hashlib.sha256(reply.body).hexdigest()
        is_hashed = path.startswith(f"{self.base}assets/")
        cache = "public, max-age=31536000, immutable" if is_hashed else "no-cache"
        headers = {**reply.headers, "ETag": f'"{mark}"', "Cache-Control": cache, "Vary": "Accept-Encoding"}
        if asked.get("If-None-Match") == headers["ETag"]:
            return Reply(HTTPStatus.NOT_MODIFIED, headers=headers)
        if "gzip" in asked.get("Accept-Encoding", "") and reply.headers["Content-Type"].startswith(self._TEXT):
            body = self._compressed.setdefault(mark, gzip.compress(reply.body, mtime=0))
            return Reply(reply.status, body, {**headers, "Content-Encoding": "gzip"})
        return replace(reply, headers=headers)


class _Connections(ThreadingHTTPServer):
    """The sockets of one start."""

    daemon_threads = True

    def __init__(self, site: StaticServer) -> None:
        self.site = site
        self._open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", site.port), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that hangs up in the middle of an answer is no news."""

    def hang_up(self) -> None:
        for connection in list(self._open):  # kept alive by browsers; a server that is gone would not answer on them
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Connections

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def do_POST(self) -> None:
        self.close_connection = True  # what was sent along is not read
        self._send(Reply(HTTPStatus.METHOD_NOT_ALLOWED), with_body=True)

    do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_POST  # noqa: N815 - the library's names

    def _answer(self, with_body: bool) -> None:
        site, path = self.server.site, unquote(urlsplit(self.path).path)
        self._send(site.finish(site.reply(path), path, dict(self.headers.items())), with_body)

    def _send(self, reply: Reply, with_body: bool) -> None:
        site = self.server.site
        body = reply.body if with_body else b""
        site.log.append(Request(self.path, reply.status, len(body)))
        self.send_response(reply.status)
        for name, value in {**site.headers, **reply.headers, "Content-Length": str(len(reply.body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *values: Any) -> None:  # noqa: A002 - the library's name
        """The log is a list; the terminal stays quiet."""
