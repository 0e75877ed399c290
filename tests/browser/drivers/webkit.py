"""WebKitGTK by the classic WebDriver protocol, on a virtual screen: it has no headless mode of its own."""

from __future__ import annotations

import base64
import http.client
import json
import os
import re
import socket
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from tests.browser.drivers import webkit_window
from tests.browser.drivers.base import (
    SIZE,
    TIMEOUT,
    Browser,
    CouldNotOpen,
    Engine,
    Message,
    NotInThisBrowser,
    Options,
    Page,
    ScriptError,
    eventually,
)
from tests.browser.drivers.keys import Actions, click_actions, key_actions
from tests.browser.drivers.processes import end, spawn

_SCREEN = "2560x4096x24"  # room for tall pages: a full picture is taken by stretching the window
_QUIET = {
    "GDK_BACKEND": "x11",
    "GSETTINGS_BACKEND": "memory",
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "NO_AT_BRIDGE": "1",
    "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",  # many containers have none; all pages are our own
}
_COMMIT = 1.0  # seconds: WebKit writes its storage half a second late, and its driver ends it by force
# http://…:1:124: CONSOLE JS ERROR Error: it broke
_LINE = re.compile(r"(?:\S+:\d+:\d+: )?CONSOLE (?:[A-Z-]+ )*?(?P<level>LOG|DEBUG|INFO|WARN|ERROR) (?P<text>.*)")


class ProtocolError(Exception):
    """The driver refused a command."""


class _Driver:
    """A WebKitWebDriver process with one session."""

    def __init__(self, program: Path, env: dict[str, str], output: Path) -> None:
        with ExitStack() as stack:
            port = _free_port()
            file = stack.enter_context(output.open("wb"))
            self._process = spawn([program, f"--port={port}", "--host=127.0.0.1"], env, file)
            stack.callback(end, self._process)
            self._http = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
            stack.callback(self._http.close)
            eventually(lambda: self._answers(port), "WebKitWebDriver does not answer")
            self.session = ""
            self._stack = stack.pop_all()

    def _answers(self, port: int) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return True
        return False

    def begin(self, command: list[str]) -> None:
        options = {"binary": command[0], "args": command[1:]}
        match = {"alwaysMatch": {"webkitgtk:browserOptions": options, "pageLoadStrategy": "normal"}}
        self.session = "/session/" + self.call("POST", "/session", capabilities=match)["sessionId"]
        milliseconds = int(TIMEOUT * 1000)
        self.call("POST", "/timeouts", script=milliseconds, pageLoad=milliseconds)

    def call(self, verb: str, path: str, **body: Any) -> Any:
        content = json.dumps(body) if verb == "POST" else None
        try:
            self._http.request(verb, self.session + path, content, {"Content-Type": "application/json"})
            value = json.loads(self._http.getresponse().read())["value"]
        except (OSError, http.client.HTTPException):
            self._http.close()  # a late answer must not be taken for the next one
            raise
        if isinstance(value, dict) and "error" in value:
            raise ProtocolError(f"{value['error']}: {value['message']}")
        return value

    def close(self) -> None:
        with suppress(ProtocolError, OSError, http.client.HTTPException):
            self.call("DELETE", "")
        self._stack.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class WebKitBrowser(Browser):
    def __init__(self, driver: _Driver, options: Options, output: Path, requests: Path) -> None:
        super().__init__("webkit", options)
        self.driver = driver
        self._output, self._addresses = output, requests
        self._first: str | None = driver.call("GET", "/window")
        self.belongings.callback(driver.close)
        self.belongings.callback(self._write_down)

    def new_page(self) -> Page:
        handle = self._first or self.driver.call("POST", "/window/new", type="tab")["handle"]
        self._first = None  # the session came with a window
        return WebKitPage(self, handle)

    def _write_down(self) -> None:
        if self.remembers:
            time.sleep(_COMMIT)

    def _pump(self) -> None:
        self._requests = self._addresses.read_text("utf-8").splitlines()
        self._console = [
            Message(line["level"].lower(), line["text"])
            for line in map(_LINE.fullmatch, self._output.read_text("utf-8", "replace").splitlines())
            if line
        ]


class WebKitPage(Page):
    browser: WebKitBrowser

    def __init__(self, browser: WebKitBrowser, handle: str) -> None:
        super().__init__(browser)
        self._handle = handle

    def _call(self, verb: str, path: str, **body: Any) -> Any:
        driver = self.browser.driver
        if len(self.browser.pages) > 1:
            driver.call("POST", "/window", handle=self._handle)
        return driver.call(verb, path, **body)

    def open(self, url: str) -> None:
        self._arrive("/url", url=url)

    def reload(self) -> None:
        self._arrive("/refresh")

    def _arrive(self, path: str, **body: Any) -> None:
        try:
            self._call("POST", path, **body)
        except (ProtocolError, OSError) as error:
            raise CouldNotOpen(str(error)) from None
        # The driver is content with the page that tells of an error; only its address gives it away.
        if (shown := self.evaluate("[location.href, document.body?.innerText]"))[0] == "about:blank":
            raise CouldNotOpen(shown[1] or "nothing was loaded")

    def _run(self, program: str) -> Any:
        # Errors come back as values: the driver's own report leaves out what a promise was rejected with.
        script = (
            f"const done = arguments[0]; Promise.resolve().then(() => {program})"
            ".then(value => done([value]), error => done([null, String(error)]))"
        )
        try:
            if not self.browser.options.scripts:
                return self._call("POST", "/execute/sync", script=f"return {program}", args=[])
            value, *errors = self._call("POST", "/execute/async", script=script, args=[])
        except ProtocolError as error:
            raise ScriptError(str(error)) from None
        if errors:
            raise ScriptError(errors[0])
        return value

    def press(self, key: str) -> None:
        self._perform(key_actions(key))

    def _click_at(self, x: float, y: float) -> None:
        self._perform(click_actions(x, y))

    def _perform(self, actions: Actions) -> None:
        self._call("POST", "/actions", actions=actions)

    def resize(self, width: int, height: int, scale: int | None = None, mobile: bool = False) -> None:
        if mobile:
            raise NotInThisBrowser("WebKitGTK does not pretend to be a mobile browser")
        if scale not in (None, self.browser.options.scale):
            raise NotInThisBrowser("WebKitGTK takes its scale when it starts: Options(scale=…)")
        self._call("POST", "/window/rect", width=width, height=height)
        self.wait_for(f"innerWidth === {width} && innerHeight === {height}", 10, f"no window of {width}×{height}")

    def _png(self, full: bool) -> bytes:
        if not full:
            return base64.b64decode(self._call("GET", "/screenshot"))
        width, height, whole = self.evaluate("[innerWidth, innerHeight, document.documentElement.scrollHeight]")
        self.resize(width, max(height, whole))
        try:
            return self._png(full=False)
        finally:
            self.resize(width, height)

    def close(self) -> None:
        self._call("DELETE", "/window")
        self.browser.pages.remove(self)


class WebKit(Engine):
    name = "webkit"

    def __init__(self, driver: Path, xvfb: Path, python: Path) -> None:
        self._driver, self._xvfb, self._python = driver, xvfb, python
        self._stack = ExitStack()
        self._display = ""

    def launch(self, profile: Path, options: Options) -> Browser:
        if options.forced_colors:
            raise NotInThisBrowser("WebKitGTK has no forced colours")
        profile.mkdir(parents=True, exist_ok=True)
        output, requests = profile / "output.txt", profile / "requests.txt"
        requests.write_text("")
        env = {**_QUIET, "DISPLAY": self._screen(), "GDK_SCALE": str(options.scale)}
        driver = _Driver(self._driver, env, output)
        try:
            driver.begin([str(self._python), webkit_window.__file__, self._setup(profile, requests, options)])
            return WebKitBrowser(driver, options, output, requests)
        except BaseException:
            driver.close()
            raise

    @staticmethod
    def _setup(profile: Path, requests: Path, options: Options) -> str:
        return json.dumps(
            {
                "profile": str(profile),
                "requests": str(requests),
                "width": SIZE[0],
                "height": SIZE[1],
                "dark": options.color_scheme == "dark",
                "reduced_motion": options.reduced_motion,
                "scripts": options.scripts,
                "storage": options.storage,
                "init_script": options.init_script,
            }
        )

    def _screen(self) -> str:
        """The virtual screen, started once; it finds a free number itself."""
        if not self._display:
            reader, writer = os.pipe()
            screen = ["-displayfd", str(writer), "-screen", "0", _SCREEN, "-nolisten", "tcp"]
            self._stack.callback(end, spawn([self._xvfb, *screen], keep=[writer]))
            os.close(writer)
            with os.fdopen(reader) as answer:
                self._display = ":" + answer.readline().strip()
        return self._display

    def close(self) -> None:
        self._display = ""
        self._stack.close()
