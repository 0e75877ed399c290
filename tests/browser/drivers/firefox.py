"""Firefox by WebDriver BiDi, spoken to directly over its WebSocket."""

from __future__ import annotations

import base64
import json
import re
import time
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.protocol import State
from websockets.sync.client import connect

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
    temporary_profile,
)
from tests.browser.drivers.keys import Actions, click_actions, key_actions
from tests.browser.drivers.processes import end, spawn

_QUIET = {  # Firefox sets most of what automation needs by itself; this is the rest
    "app.update.enabled": False,
    "browser.sessionstore.resume_from_crash": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
    "ui.useOverlayScrollbars": 1,  # that take no room, as in the other two
}
_EVENTS = ["log.entryAdded", "network.beforeRequestSent"]


class ProtocolError(Exception):
    """Firefox refused a command."""


def _preferences(options: Options) -> dict[str, Any]:
    return {
        **_QUIET,
        "javascript.enabled": options.scripts,
        "network.cookie.cookieBehavior": 5 if options.storage else 2,
        "layout.css.prefers-color-scheme.content-override": 0 if options.color_scheme == "dark" else 1,
        "ui.prefersReducedMotion": int(options.reduced_motion),
        "browser.display.document_color_use": 2 if options.forced_colors else 1,
    }


class _Process:
    """A running Firefox and the one connection to it."""

    def __init__(self, program: Path, profile: Path, options: Options) -> None:
        profile.mkdir(parents=True, exist_ok=True)
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in _preferences(options).items()]
        (profile / "user.js").write_text("".join(lines), encoding="utf-8")
        command = [str(program), "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
        self.browsers: list[FirefoxBrowser] = []
        self._numbers = count(1)
        self._hangs = False
        with ExitStack() as stack:
            output = stack.enter_context((profile / "output.txt").open("wb"))
            self._process = spawn(command, env={"MOZ_CRASHREPORTER_DISABLE": "1"}, output=output)
            stack.callback(end, self._process, 10)
            address = self._address(profile / "output.txt")
            # It speaks to itself only: no proxy, whatever the environment says.
            self._socket = stack.enter_context(
                connect(address + "/session", max_size=None, max_queue=None, proxy=None, ping_interval=None)
            )
            self.call("session.new", capabilities={})
            self.call("session.subscribe", events=_EVENTS)
            self._stack = stack.pop_all()

    def _address(self, output: Path) -> str:
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline and self._process.poll() is None:
            if found := re.search(r"listening on (ws://\S+)\s", output.read_text(errors="replace")):
                return found[1]
            time.sleep(0.02)
        raise CouldNotOpen(f"Firefox did not start:\n{output.read_text(errors='replace')[-2000:]}")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        try:
            answer = self._answer(number)
        except TimeoutError:
            self._hangs = True
            raise
        if answer["type"] == "error":
            raise ProtocolError(f"{method}: {answer['error']}: {answer['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    def _answer(self, number: int) -> dict[str, Any]:
        deadline = time.monotonic() + TIMEOUT
        while True:
            message: dict[str, Any] = json.loads(self._socket.recv(max(0.0, deadline - time.monotonic())))
            if message.get("id") == number:
                return message
            if "method" in message:  # not the late answer to a question that was given up
                self._hear(message)

    def pump(self) -> None:
        """An answer comes after the events before it, so a cheap question brings them all in."""
        self.call("session.status")

    def _hear(self, event: dict[str, Any]) -> None:
        params = event.get("params", {})
        source = params.get("source", params).get("context")
        for browser in self.browsers:
            # A service worker has no tab; what nobody else owns is everybody's.
            if source in browser.contexts or not any(source in other.contexts for other in self.browsers):
                browser.hear(event["method"], params)

    @property
    def alive(self) -> bool:
        return not self._hangs and self._process.poll() is None and self._socket.state is State.OPEN

    def close(self) -> None:
        with suppress(ProtocolError, ConnectionClosed, TimeoutError):
            self.call("browser.close")
        self._stack.close()


class FirefoxBrowser(Browser):
    def __init__(self, process: _Process, options: Options, container: str = "default") -> None:
        super().__init__("firefox", options)
        self.process = process
        self.contexts: set[str] = set()
        self._container = container
        if options.init_script:
            script = f"() => {{ {options.init_script} }}"
            process.call("script.addPreloadScript", functionDeclaration=script, userContexts=[container])
        process.browsers.append(self)
        self.belongings.callback(process.browsers.remove, self)

    def new_page(self) -> Page:
        tab = self.process.call("browsingContext.create", type="tab", userContext=self._container)["context"]
        self.contexts.add(tab)
        page = FirefoxPage(self, tab)
        page.resize(*SIZE)
        return page

    def hear(self, method: str, params: dict[str, Any]) -> None:
        if method == "log.entryAdded":
            self._console.append(Message(params["level"], params["text"] or ""))
        elif method == "network.beforeRequestSent":
            self._requests.append(params["request"]["url"])

    def _pump(self) -> None:
        self.process.pump()


class FirefoxPage(Page):
    def __init__(self, browser: FirefoxBrowser, context: str) -> None:
        super().__init__(browser)
        self._context = context
        self._process = browser.process

    def _call(self, method: str, **params: Any) -> dict[str, Any]:
        return self._process.call(method, context=self._context, **params)

    def open(self, url: str) -> None:
        self._arrive("browsingContext.navigate", url=url)

    def reload(self) -> None:
        self._arrive("browsingContext.reload")

    def _arrive(self, method: str, **params: Any) -> None:
        try:
            self._call(method, wait="complete", **params)
        except (ProtocolError, TimeoutError) as error:
            raise CouldNotOpen(str(error)) from None

    def _run(self, program: str) -> Any:
        try:
            answer = self._process.call(
                "script.evaluate", expression=program, target={"context": self._context}, awaitPromise=True
            )
        except ProtocolError as error:  # the page went away meanwhile
            raise ScriptError(str(error)) from None
        if answer["type"] == "exception":
            raise ScriptError(answer["exceptionDetails"]["text"])
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        self._perform(key_actions(key))

    def _click_at(self, x: float, y: float) -> None:
        self._perform(click_actions(x, y))

    def _perform(self, actions: Actions) -> None:
        self._call("input.performActions", actions=actions)

    def resize(self, width: int, height: int, scale: int | None = None, mobile: bool = False) -> None:
        if mobile:
            raise NotInThisBrowser("Firefox has no emulation of a mobile browser over WebDriver BiDi")
        ratio = scale or self.browser.options.scale
        self._call("browsingContext.setViewport", viewport={"width": width, "height": height}, devicePixelRatio=ratio)

    def _png(self, full: bool) -> bytes:
        shot = self._call("browsingContext.captureScreenshot", origin="document" if full else "viewport")
        return base64.b64decode(shot["data"])

    def close(self) -> None:
        self._call("browsingContext.close")
        self.browser.pages.remove(self)


class Firefox(Engine):
    name = "firefox"

    def __init__(self, program: Path) -> None:
        self._program = program
        self._shared: _Process | None = None
        self._stack = ExitStack()

    def launch(self, profile: Path, options: Options) -> Browser:
        process = _Process(self._program, profile, options)
        browser = FirefoxBrowser(process, options)
        browser.belongings.callback(process.close)
        return browser

    def fresh(self, options: Options) -> Browser:
        if _preferences(options) != _preferences(Options()):
            return super().fresh(options)  # preferences are for a whole process
        process = self._shared_process()
        container = process.call("browser.createUserContext")["userContext"]
        browser = FirefoxBrowser(process, options, container)
        browser.belongings.callback(process.call, "browser.removeUserContext", userContext=container)
        return browser

    def _shared_process(self) -> _Process:
        if self._shared is None or not self._shared.alive:
            self.close()
            profile = self._stack.enter_context(temporary_profile())
            self._shared = _Process(self._program, profile, Options())
            self._stack.callback(self._shared.close)
        return self._shared

    def close(self) -> None:
        self._shared = None
        self._stack.close()
