"""The server does as a good host does: text compressed, unchanged files not sent again, hashed names kept for ever."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

import pytest

from knyf_panel.build.serving import HostingServer

PAGE = "<!doctype html><p>zażółć gęślą jaźń</p>" * 50
PARTS = bytes(range(256)) * 8


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes
    headers: dict[str, str]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[HostingServer]:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "assets" / "page.0123456789ab.js").write_text("let a;" * 99)
    (tmp_path / "assets" / "part.0123456789ab.zip.zst").write_bytes(PARTS)
    with HostingServer(tmp_path, base="/knyf/") as server:
        yield server


def ask(server: HostingServer, path: str, **headers: str) -> Answer:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=5)
    connection.request("GET", f"{server.base}{path}", headers={k.replace("_", "-"): v for k, v in headers.items()})
    response = connection.getresponse()
    answer = Answer(response.status, response.read(), dict(response.getheaders()))
    connection.close()
    return answer


def test_text_is_compressed_for_those_who_can_read_it(server: HostingServer) -> None:
    answer = ask(server, "index.html", Accept_Encoding="gzip, deflate, br")
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.headers["Vary"] == "Accept-Encoding"
    assert gzip.decompress(answer.body).decode() == PAGE
    assert len(answer.body) < len(PAGE) / 5
    assert server.log[-1].sent == len(answer.body)


def test_others_get_it_as_it_is(server: HostingServer) -> None:
    answer = ask(server, "")
    assert "Content-Encoding" not in answer.headers
    assert answer.body.decode() == PAGE


def test_what_is_compressed_already_is_left_alone(server: HostingServer) -> None:
    answer = ask(server, "assets/part.0123456789ab.zip.zst", Accept_Encoding="gzip")
    assert "Content-Encoding" not in answer.headers
    assert answer.body == PARTS


def test_an_unchanged_file_is_not_sent_again(server: HostingServer) -> None:
    mark = ask(server, "index.html").headers["ETag"]
    again = ask(server, "index.html", If_None_Match=mark, Accept_Encoding="gzip")
    assert (again.status, again.body) == (304, b"")
    assert again.headers["ETag"] == mark
    assert server.log[-1].sent == 0


def test_a_changed_file_is_sent(server: HostingServer) -> None:
    mark = ask(server, "index.html").headers["ETag"]
    (server.folder / "index.html").write_text("new")
    again = ask(server, "index.html", If_None_Match=mark)
    assert (again.status, again.body) == (200, b"new")
    assert again.headers["ETag"] != mark


def test_hashed_names_are_kept_for_ever_and_pages_are_asked_for_again(server: HostingServer) -> None:
    assert ask(server, "assets/page.0123456789ab.js").headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert ask(server, "index.html").headers["Cache-Control"] == "no-cache"


def test_what_is_missing_is_not_kept(server: HostingServer) -> None:
    answer = ask(server, "assets/gone.js", Accept_Encoding="gzip")
    assert answer.status == 404
    assert answer.headers["Cache-Control"] == "no-store"
    assert "ETag" not in answer.headers
