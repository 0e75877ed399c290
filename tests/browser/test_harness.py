"""The browsers do what the tests will ask of them, shown on pages of a few lines."""

from __future__ import annotations

import gzip
import http.client
import json
import struct
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from knyf_panel.build import browsers
from knyf_panel.build.serving import Request
from knyf_panel.build.steps import StepFailed
from tests.browser.conftest import Open
from tests.browser.drivers import (
    CouldNotOpen,
    Engine,
    NeverHappened,
    NotInThisBrowser,
    Page,
    ScriptError,
    eventually,
)
from tests.browser.drivers.processes import memory
from tests.browser.server import Fault, FaultyServer

# (module (func (export "f") (result i32) i32.const 42))
WASM = bytes.fromhex("0061736d010000000105016000017f03020100070501016600000a06010400412a0b")

PAGES: Mapping[str, str | bytes] = {
    "index.html": """<!doctype html><html lang="pl"><meta charset="utf-8"><title>Nóż</title>
        <style>body { margin: 0 } #tall { height: 1500px }</style>
        <button id="b" onclick="this.textContent = `trusted ${event.isTrusted} ${event.detail}`">raz</button>
        <input id="i"><noscript>bez skryptów</noscript><div id="host"></div><p id="tall"></p>
        <a id="low" href="#" onclick="document.title = 'low'">na dole</a>
        <script>
          window.keys = [];
          addEventListener("keydown", event => keys.push(event.key + (event.isTrusted ? "" : " (made up)")));
          document.getElementById("host").attachShadow({mode: "open"}).innerHTML =
            `<section><button class="inner" onclick="this.textContent = 'dwa'">jeden</button></section>`;
        </script>""",
    "strict.html": """<!doctype html><meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval'">
        <link rel="icon" href="icon.svg"><p id="p">strict</p><script type="module" src="app.mjs"></script>""",
    "icon.svg": "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'/>",
    "app.mjs": """import {two} from "./two.mjs";
        const worker = new Worker(new URL("worker.mjs", import.meta.url), {type: "module"});
        worker.onmessage = event => { window.answer = event.data; };
        worker.postMessage(two);""",
    "two.mjs": "export const two = 2;",
    "worker.mjs": """import {two} from "./two.mjs";
        onmessage = async event => {
          const {instance} = await WebAssembly.instantiateStreaming(fetch("f.wasm"));
          const stream = (await fetch("text.gz")).body.pipeThrough(new DecompressionStream("gzip"));
          postMessage({sum: event.data + two, wasm: instance.exports.f(), text: await new Response(stream).text()});
        };""",
    "f.wasm": WASM,
    "text.gz": gzip.compress("zażółć gęślą jaźń ♠".encode(), mtime=0),
    "broken.html": """<!doctype html><meta charset="utf-8"><script>
        console.log("fine"); console.error("written");
        setTimeout(() => { throw new Error("thrown"); });
        Promise.reject(new TypeError("rejected"));
        </script>""",
    "offline.html": """<!doctype html><meta charset="utf-8"><p id="p">online</p><script>
        navigator.serviceWorker.register("sw.js").then(() => navigator.serviceWorker.ready)
          .then(() => { document.getElementById("p").textContent = "ready"; });
        </script>""",
    "sw.js": """
        oninstall = event => event.waitUntil(caches.open("1").then(cache => cache.addAll(["offline.html"])));
        onactivate = event => event.waitUntil(clients.claim());
        onfetch = event => event.respondWith(caches.match(event.request).then(hit => hit ?? fetch(event.request)));""",
    "media.html": "<!doctype html><meta charset='utf-8'><p>media</p>",
    "file.html": """<!doctype html><meta charset="utf-8"><script>
        const source = "onmessage = event => postMessage(event.data * 2)";
        try {
          const worker = new Worker(URL.createObjectURL(new Blob([source], {type: "text/javascript"})));
          worker.onmessage = event => { window.answer = event.data; };
          worker.onerror = event => { window.answer = "error"; };
          worker.postMessage(21);
        } catch (error) { window.answer = String(error); }
        </script>""",
}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[FaultyServer]:
    folder = tmp_path / "site"
    folder.mkdir()
    for name, content in PAGES.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with FaultyServer(folder, base="/knyf/") as server:
        yield server


def size_of(png: Path) -> tuple[int, int]:
    width, height = struct.unpack(">II", png.read_bytes()[16:24])
    return width, height


def test_expressions(page: Page, site: FaultyServer) -> None:
    page.open(site.url)
    assert page.evaluate("({a: [1, 'ż', null]})") == {"a": [1, "ż", None]}
    assert page.evaluate("undefined") is None
    assert page.evaluate("await new Promise(done => setTimeout(() => done(7), 20))") == 7
    assert page.evaluate("new Promise(done => setTimeout(() => done(document.title), 20))") == "Nóż"
    with pytest.raises(ScriptError, match="nope"):
        page.evaluate("Promise.reject(new Error('nope'))")
    with pytest.raises(NeverHappened, match="a mountain"):
        page.wait_for("document.querySelector('#mountain').hidden", 0.2, "a mountain")


def test_real_clicks_and_keys(page: Page, site: FaultyServer) -> None:
    page.open(site.url)
    page.click("#b")
    assert page.text("#b") == "trusted true 1"
    page.click(".inner")  # inside a shadow root
    assert page.text(".inner") == "dwa"
    assert page.text(".absent") is None
    with pytest.raises(NeverHappened, match="there is none"):
        page.click(".absent", timeout=0.2)
    page.click("#i")
    page.type("Nóż 7+ł")
    for key in ("ArrowLeft", "Backspace", "Home", "Delete", "Enter"):
        page.press(key)
    assert page.query("#i", "element.value") == "óż 7ł"
    page.press("Shift+Tab")
    assert page.evaluate("document.activeElement.id") == "b"
    page.press("Space")
    assert page.text("#b") == "trusted true 0"
    seen = page.evaluate("keys")
    tab = "Unidentified" if page.browser.engine == "webkit" else "Tab"  # with Shift; the focus moves all the same
    assert seen[-3:] == ["Shift", tab, " "]
    assert [key for key in seen if key != "Shift"][:6] == ["N", "ó", "ż", " ", "7", "+"]
    page.click("#low")  # scrolled to first
    assert page.evaluate("document.title") == "low"


def test_module_worker_webassembly_and_gzip_under_a_strict_policy(page: Page, site: FaultyServer) -> None:
    page.open(site.url + "strict.html")
    page.wait_for("window.answer")
    assert page.evaluate("window.answer") == {"sum": 4, "wasm": 42, "text": "zażółć gęślą jaźń ♠"}
    assert {"f.wasm", "text.gz", "worker.mjs", "two.mjs"} <= set(site.paths)
    assert site.sent >= len(WASM)
    page.click("#p")  # finding an element needs no eval either
    assert not page.console_errors


def test_console_errors_are_seen(page: Page, site: FaultyServer) -> None:
    page.open(site.url + "broken.html")
    expected = ("written", "thrown", "rejected")
    eventually(lambda: all(text in str(page.console_errors) for text in expected), "three errors in the console", 10)
    assert not any("fine" in line for line in page.console_errors)
    assert any("fine" in message.text for message in page.browser.console)


def test_requests_to_other_origins_are_seen(page: Page, site: FaultyServer, tmp_path: Path) -> None:
    with FaultyServer(tmp_path) as other:
        page.open(site.url)
        page.evaluate(f"void fetch('{other.url}from-page').catch(() => 0)")
        source = f"fetch('{other.url}from-worker').catch(() => 0)"
        page.evaluate(f"void new Worker(URL.createObjectURL(new Blob([{json.dumps(source)}])))")
        expected = {other.url + "from-page", other.url + "from-worker"}
        eventually(lambda: expected <= set(page.requests), "both requests were seen", 10)
    assert site.url in page.requests


def test_a_service_worker_answers_when_the_server_is_gone(page: Page, site: FaultyServer) -> None:
    page.open(site.url + "offline.html")
    page.wait_for("document.getElementById('p').textContent === 'ready'")
    site.stop()
    page.reload()
    assert page.text("#p") in ("online", "ready")
    tab = page.new_tab()
    tab.open(site.url + "offline.html")
    tab.wait_for("navigator.serviceWorker.controller")
    with pytest.raises(CouldNotOpen):
        tab.open(site.url + "index.html")
    site.start()
    tab.open(site.url + "index.html")
    assert tab.text("#b") == "raz"


def test_what_is_stored_outlives_the_browser(open_browser: Open, site: FaultyServer, tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    with open_browser(profile) as before:
        page = before.new_page()
        page.open(site.url + "offline.html")
        page.wait_for("document.getElementById('p').textContent === 'ready'")
        page.evaluate("void localStorage.setItem('hand', '♠7')")
        tab = page.new_tab()
        tab.open(site.url)
        assert tab.evaluate("localStorage.getItem('hand')") == "♠7"
        assert memory(str(profile)) > 50_000_000
    eventually(lambda: memory(str(profile)) == 0, "no process is left", 10)
    site.stop()
    with open_browser(profile) as after:
        page = after.new_page()
        page.open(site.url + "offline.html")
        assert page.evaluate("localStorage.getItem('hand')") == "♠7"


def test_a_fresh_browser_remembers_nothing(open_browser: Open, site: FaultyServer) -> None:
    for _ in range(2):
        page = open_browser().new_page()
        page.open(site.url)
        assert page.evaluate("localStorage.getItem('hand')") is None
        page.evaluate("void localStorage.setItem('hand', '♠7')")


def test_a_page_without_scripts(open_browser: Open, site: FaultyServer) -> None:
    page = open_browser(scripts=False).new_page()
    page.open(site.url)
    assert "bez skryptów" in page.evaluate("document.body.innerText")
    assert page.evaluate("typeof keys") == "undefined"
    page.click("#b")
    assert page.text("#b") == "raz"


def test_a_page_without_storage(open_browser: Open, site: FaultyServer) -> None:
    page = open_browser(storage=False).new_page()
    page.open(site.url)
    with pytest.raises(ScriptError, match=r"(?i)denied|insecure"):
        page.evaluate("localStorage.setItem('a', 'b')")
    kept = page.evaluate("navigator.serviceWorker.register('sw.js').then(() => true).catch(() => false)")
    assert not kept


def test_pictures_have_the_size_of_the_window(page: Page, site: FaultyServer, tmp_path: Path) -> None:
    page.open(site.url)
    assert page.evaluate("[innerWidth, innerHeight, devicePixelRatio]") == [1280, 800, 1]
    assert size_of(page.screenshot(tmp_path / "usual.png")) == (1280, 800)
    page.resize(400, 700)
    assert page.evaluate("[innerWidth, innerHeight]") == [400, 700]
    assert size_of(page.screenshot(tmp_path / "small.png")) == (400, 700)
    width, height = size_of(page.screenshot(tmp_path / "full.png", full=True))
    assert (width, height) == (400, page.evaluate("document.documentElement.scrollHeight"))
    assert height > 1500


def test_a_phone(page: Page, site: FaultyServer, tmp_path: Path) -> None:
    page.open(site.url)
    if page.browser.engine != "chromium":
        with pytest.raises(NotInThisBrowser):
            page.resize(360, 640, scale=2, mobile=True)
        return
    page.resize(360, 640, scale=2, mobile=True)
    assert page.evaluate("[devicePixelRatio, matchMedia('(pointer: coarse)').matches]") == [2, True]
    assert size_of(page.screenshot(tmp_path / "phone.png")) == (720, 1280)


def test_what_the_user_prefers(open_browser: Open, site: FaultyServer) -> None:
    page = open_browser(color_scheme="dark", reduced_motion=True, scale=2, init_script="window.early = 1").new_page()
    page.open(site.url + "media.html")
    queries = ["(prefers-color-scheme: dark)", "(prefers-reduced-motion)", "(min-resolution: 2dppx)"]
    assert page.evaluate(f"{queries}.map(query => matchMedia(query).matches)") == [True, True, True]
    assert page.evaluate("window.early") == 1


def test_forced_colours(open_browser: Open, engine: Engine, site: FaultyServer) -> None:
    if engine.name == "webkit":
        with pytest.raises(NotInThisBrowser):
            open_browser(forced_colors=True)
        return
    page = open_browser(forced_colors=True).new_page()
    page.open(site.url + "media.html")
    assert page.evaluate("matchMedia('(forced-colors: active)').matches") is True


def test_a_page_from_the_disk(page: Page, site: FaultyServer) -> None:
    page.open((site.folder / "file.html").as_uri())
    page.wait_for("window.answer !== undefined")
    assert page.evaluate("window.answer") == 42
    with pytest.raises(CouldNotOpen):
        page.open((site.folder / "absent.html").as_uri())


def test_a_failing_server(page: Page, site: FaultyServer) -> None:
    page.open(site.url)
    site.faults["two.mjs"] = Fault(missing=True)
    site.faults["f.wasm"] = Fault(corrupt=True)
    site.faults["text.gz"] = Fault(delay=0.4)
    assert page.evaluate("fetch('two.mjs').then(answer => answer.status)") == 404
    broken = "fetch('f.wasm').then(answer => answer.arrayBuffer()).then(WebAssembly.validate)"
    assert page.evaluate(broken) is False
    start = time.monotonic()
    assert page.evaluate("fetch('text.gz').then(answer => answer.ok)") is True
    assert time.monotonic() - start > 0.4
    site.faults.clear()
    assert page.evaluate(broken) is True


class TestFindingTheBrowsers:
    @pytest.fixture(autouse=True)
    def bare_machine(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """A system with nothing on its PATH but Chromium, where nothing can be installed."""
        (tmp_path / "chromium").write_text("#!/bin/sh\n")
        (tmp_path / "chromium").chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setenv("KNYF_WEBKIT_PYTHON", sys.executable)  # has no WebKit
        monkeypatch.delenv("CI", raising=False)
        for name in ("KNYF_CHROMIUM", "KNYF_FIREFOX", "KNYF_WEBKIT_DRIVER", "KNYF_XVFB"):
            monkeypatch.delenv(name, raising=False)

    def test_chromium_is_enough_outside_ci(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert browsers.ensure() == {"chromium": tmp_path / "chromium"}
        firefox, webkit = capsys.readouterr().out.splitlines()
        assert "firefox-esr" in firefox
        assert "KNYF_FIREFOX" in firefox
        assert "webkit2gtk-driver xvfb python3-gi gir1.2-webkit2-4.1" in webkit

    def test_ci_wants_all_three(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CI", "true")
        with pytest.raises(StepFailed, match="no firefox"):
            browsers.ensure()

    def test_without_chromium_it_says_how_to_get_it(self, tmp_path: Path) -> None:
        (tmp_path / "chromium").unlink()
        with pytest.raises(StepFailed, match=r"no chromium.*KNYF_CHROMIUM"):
            browsers.ensure()

    def test_a_variable_names_a_program(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("KNYF_FIREFOX", str(tmp_path / "chromium"))
        assert browsers.find()["firefox"] == tmp_path / "chromium"
        monkeypatch.setenv("KNYF_FIREFOX", str(tmp_path / "absent"))
        with pytest.raises(StepFailed, match="KNYF_FIREFOX names"):
            browsers.find()

    def test_what_is_missing_is_installed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        commands: list[list[str]] = []
        monkeypatch.setattr(browsers, "_as_root", lambda: ["sudo"])
        monkeypatch.setattr(browsers, "run", lambda command, _advice: commands.append(command))
        browsers.ensure()
        assert [command[-1] for command in commands] == ["update", "fonts-dejavu-core"]
        assert {"firefox-esr", "webkit2gtk-driver", "xvfb", "--no-install-recommends"} < set(commands[1])
        assert "chromium" not in commands[1]


def ask(connection: http.client.HTTPConnection, path: str) -> http.client.HTTPResponse:
    connection.request("GET", path)
    return connection.getresponse()


class TestTheServer:
    @pytest.mark.parametrize(
        ("path", "status", "kind"),
        [
            ("/knyf/", 200, "text/html; charset=utf-8"),
            ("/knyf/app.mjs?v=1", 200, "text/javascript; charset=utf-8"),
            ("/knyf/f.wasm", 200, "application/wasm"),
            ("/knyf/icon.svg", 200, "image/svg+xml"),
            ("/knyf/absent.js", 404, "text/plain"),
            ("/app.mjs", 404, "text/plain"),
            ("/knyf/..%2f..%2fetc/passwd", 404, "text/plain"),
            ("/knyf", 301, None),
        ],
    )
    def test_answers(self, site: FaultyServer, path: str, status: int, kind: str | None) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=5)
        answer = ask(connection, path)
        assert (answer.status, answer.getheader("Content-Type")) == (status, kind)
        assert site.log == [Request(path, status, len(answer.read()))]
        connection.close()

    def test_stopping_hangs_up(self, site: FaultyServer) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=5)
        ask(connection, site.base).read()
        site.stop()
        with pytest.raises((OSError, http.client.HTTPException)):
            ask(connection, site.base)
        port = site.port
        assert site.start().port == port
        connection.close()
