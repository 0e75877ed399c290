"""Chromium by Playwright."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from playwright import async_api as playwright

from tests.browser.drivers.base import (
    SIZE,
    TIMEOUT,
    Browser,
    CouldNotOpen,
    Engine,
    Message,
    NeverHappened,
    Options,
    Page,
    ScriptError,
)

_T = TypeVar("_T")

_FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_BLOCK_STORAGE = {"profile": {"default_content_setting_values": {"cookies": 2}}}


class _Loop:
    """A thread for Playwright's event loop: tests stay free to run one of their own, and no call can hang for ever."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def wait(self, coroutine: Coroutine[Any, Any, _T]) -> _T:
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result(TIMEOUT + 5)  # Playwright's own limit comes first, and says more
        finally:
            future.cancel()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(TIMEOUT)
        self._loop.close()


class ChromiumBrowser(Browser):
    def __init__(self, loop: _Loop, context: playwright.BrowserContext, options: Options) -> None:
        super().__init__("chromium", options)
        self.wait = loop.wait
        self._context = context
        self._spare = list(context.pages)  # a browser with a profile opens with a tab
        self.belongings.callback(lambda: loop.wait(context.close()))
        self.wait(self._prepare())

    async def _prepare(self) -> None:
        self._context.set_default_timeout(TIMEOUT * 1000)
        self._context.on("console", lambda line: self._console.append(Message(line.type, line.text)))
        self._context.on("weberror", lambda error: self._console.append(Message("error", str(error.error))))
        self._context.on("request", lambda request: self._requests.append(request.url))
        if self.options.init_script:
            await self._context.add_init_script(self.options.init_script)

    def new_page(self) -> Page:
        return self.wait(self._new_page())

    async def _new_page(self) -> Page:
        tab = self._spare.pop() if self._spare else await self._context.new_page()
        tab.on("websocket", lambda websocket: self._requests.append(websocket.url))
        return ChromiumPage(self, tab, await self._context.new_cdp_session(tab))

    def _pump(self) -> None:
        """The loop's thread takes them in as they come."""


class ChromiumPage(Page):
    browser: ChromiumBrowser

    def __init__(self, browser: ChromiumBrowser, tab: playwright.Page, session: playwright.CDPSession) -> None:
        super().__init__(browser)
        self._tab = tab
        self._session = session
        self._wait = browser.wait

    def _send(self, method: str, **params: Any) -> dict[str, Any]:
        """A command of Chromium's own protocol, where Playwright's wrapping is in the way."""
        answer: dict[str, Any] = self._wait(self._session.send(method, params))
        return answer

    def open(self, url: str) -> None:
        self._arrive(self._tab.goto(url))

    def reload(self) -> None:
        self._arrive(self._tab.reload())

    def _arrive(self, way: Coroutine[Any, Any, object]) -> None:
        try:
            self._wait(way)
        except playwright.Error as error:
            # The page that tells of the error comes after the error, and would get in the way of the next visit.
            with suppress(NeverHappened):
                self.wait_for("location.protocol === 'chrome-error:'", timeout=2)
            raise CouldNotOpen(error.message) from None

    def _run(self, program: str) -> Any:
        # Playwright's own evaluate calls eval in the page, which a strict Content-Security-Policy forbids.
        try:
            answer = self._send("Runtime.evaluate", expression=program, awaitPromise=True, returnByValue=True)
        except playwright.Error as error:  # the page went away meanwhile
            raise ScriptError(error.message) from None
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise ScriptError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        if len(key) == 1 and not key.isascii():  # Playwright's keyboard has no Polish letters
            self._send("Input.dispatchKeyEvent", type="keyDown", key=key, text=key)
            self._send("Input.dispatchKeyEvent", type="keyUp", key=key)
        else:
            self._wait(self._tab.keyboard.press(key))

    def _click_at(self, x: float, y: float) -> None:
        self._wait(self._tab.mouse.click(x, y))

    def resize(self, width: int, height: int, scale: int | None = None, mobile: bool = False) -> None:
        self._wait(self._tab.set_viewport_size({"width": width, "height": height}))
        ratio = scale or self.browser.options.scale
        self._send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=mobile
        )
        self._send("Emulation.setTouchEmulationEnabled", enabled=mobile)

    def _png(self, full: bool) -> bytes:
        # Playwright's own screenshot would undo the scale that `resize` has set.
        clip = {"clip": {**self._send("Page.getLayoutMetrics")["cssContentSize"], "scale": 1}} if full else {}
        return base64.b64decode(self._send("Page.captureScreenshot", captureBeyondViewport=full, **clip)["data"])

    def close(self) -> None:
        self._wait(self._tab.close())
        self.browser.pages.remove(self)


class Chromium(Engine):
    name = "chromium"

    def __init__(self, program: Path) -> None:
        self._settings: dict[str, Any] = {
            "executable_path": str(program),
            "args": _FLAGS,
            "chromium_sandbox": False,  # it refuses to run as root otherwise
            "timeout": TIMEOUT * 1000,
        }
        self._loop = _Loop()
        self._playwright = self._loop.wait(playwright.async_playwright().start())
        self._shared: playwright.Browser | None = None

    def launch(self, profile: Path, options: Options) -> Browser:
        if not options.storage:
            preferences = profile / "Default" / "Preferences"
            preferences.parent.mkdir(parents=True, exist_ok=True)
            preferences.write_text(json.dumps(_BLOCK_STORAGE), encoding="utf-8")
        start = self._playwright.chromium.launch_persistent_context
        context = self._loop.wait(start(profile, **self._settings, **_context_options(options)))
        return ChromiumBrowser(self._loop, context, options)

    def fresh(self, options: Options) -> Browser:
        if not options.storage:
            return super().fresh(options)  # a setting of the profile
        context = self._loop.wait(self._new_context(options))
        return ChromiumBrowser(self._loop, context, options)

    async def _new_context(self, options: Options) -> playwright.BrowserContext:
        if self._shared is None or not self._shared.is_connected():
            self._shared = await self._playwright.chromium.launch(**self._settings)
        return await self._shared.new_context(**_context_options(options))

    def close(self) -> None:
        if self._shared is not None:
            self._loop.wait(self._shared.close())
        self._loop.wait(self._playwright.stop())
        self._loop.close()


def _context_options(options: Options) -> dict[str, Any]:
    return {
        "viewport": {"width": SIZE[0], "height": SIZE[1]},
        "device_scale_factor": options.scale,
        "java_script_enabled": options.scripts,
        "color_scheme": options.color_scheme,
        "reduced_motion": "reduce" if options.reduced_motion else "no-preference",
        "forced_colors": "active" if options.forced_colors else "none",
    }
