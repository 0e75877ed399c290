"""The browsers as fixtures: every test that asks for one runs in all of them."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from knyf_panel.build import browsers
from tests.browser.drivers import ENGINES, Browser, Engine, Options, Page, make_engine

LIMIT = 120  # seconds that a test may take, whatever it waits for; @pytest.mark.limit(…) for another

Open = Callable[..., Browser]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "limit(seconds): a time limit of its own for a browser test")


@pytest.fixture(scope="session", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """One of the three; its shared process lives as long as the tests of this worker."""
    found = browsers.find()
    if gap := browsers.missing(request.param, found):
        (pytest.fail if browsers.required(request.param) else pytest.skip)(gap)
    engine = make_engine(request.param, found)
    yield engine
    engine.close()


@pytest.fixture
def open_browser(engine: Engine, request: pytest.FixtureRequest) -> Iterator[Open]:
    """`open_browser(profile=None, **options)`: with a profile a browser that remembers, else one that forgets."""
    opened: list[Browser] = []
    with ExitStack() as stack:

        def open_one(profile: Path | None = None, **options: Any) -> Browser:
            setup = Options(**options)
            browser = engine.fresh(setup) if profile is None else engine.launch(profile, setup)
            opened.append(stack.enter_context(browser))
            return browser

        yield open_one
        if request.node.stash.get(_FAILED, False):
            _take_pictures(request.node.name, opened)


@pytest.fixture
def browser(open_browser: Open) -> Browser:
    """An ordinary browser that remembers nothing of other tests."""
    return open_browser()


@pytest.fixture
def page(browser: Browser) -> Page:
    return browser.new_page()


_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    report = yield
    if call.when == "call":
        item.stash[_FAILED] = report.failed
    return report


def _take_pictures(test: str, opened: list[Browser]) -> None:
    """What every tab showed when a test failed."""
    folder = Path(tempfile.mkdtemp(prefix="knyf-failed-"))
    for page in [page for browser in opened for page in browser.pages]:
        with suppress(Exception):  # the browser may be what failed
            name = "".join(letter if letter.isalnum() else "-" for letter in test)
            print("picture:", page.screenshot(folder / f"{name}-{page.browser.pages.index(page)}.png"))
            print("console:", *page.browser.console[-20:], sep="\n  ")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """A test that hangs is interrupted, so that its browsers are closed and the others can go on."""
    if not hasattr(signal, "SIGALRM"):  # Windows
        return (yield)
    marker = item.get_closest_marker("limit")
    seconds = marker.args[0] if marker else LIMIT

    def interrupt(*_: object) -> None:
        raise TimeoutError(f"the test took longer than {seconds} s")

    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
