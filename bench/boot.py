"""How long until a page answers, in each browser: an empty Pyodide, our plain start, our start, our second visit.

From the beginning of the navigation to the moment when Python is there (empty Pyodide: `loadPyodide()` in a module
worker, files of its npm package as they are) or when the first widget answers (ours: the mark `knyf:ready`). Each
start has a browser of its own with a fresh profile; the second visit has the profile of the first, whose service
worker is installed. The starts take turns, figures are medians over rounds, and a ratio is the median of the rounds'
own ratios. Bytes are bodies as the server sent them; memory is that of all processes of the browser (Linux only).
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from urllib.request import Request, urlopen

from bench.table import Row, parser, show
from knyf_panel.build import browsers, site
from knyf_panel.build.javascript import fetch
from knyf_panel.build.serving import HostingServer
from knyf_panel.build.steps import DIST
from tests.browser.drivers import ENGINES, Engine, Options, Page, make_engine
from tests.browser.drivers.processes import memory

PATIENCE = 120  # seconds that a start may take
CALM = 1.5  # seconds in which a browser finishes its own start before ours, and its last requests after it

EMPTY_PAGE = """<!doctype html><meta charset="utf-8"><title>empty</title><link rel="icon" href="data:,">
<script type="module" src="page.mjs"></script>"""
EMPTY_SCRIPT = """const worker = new Worker("worker.mjs", { type: "module" });
worker.onmessage = () => performance.mark("knyf:ready");"""
EMPTY_WORKER = """import { loadPyodide } from "./pyodide.mjs";
await loadPyodide();
postMessage("ready");"""
READY = "performance.getEntriesByName('knyf:ready')[0]?.startTime"


@dataclass(frozen=True)
class Start:
    """One way to start: its name in the tables, the page, and when it has nothing more to load."""

    name: str
    address: str
    settled: str = "true"
    is_second: bool = False


EMPTY = Start("empty Pyodide", "index.html")
PLAIN = Start("plain start", "knyf.html?seed=7&start=plain")
OURS = Start(
    "ours", "knyf.html?seed=7", "document.documentElement.dataset.complete === '' && navigator.serviceWorker.controller"
)
SECOND = Start("second visit", OURS.address, OURS.settled, is_second=True)
STARTS = (EMPTY, PLAIN, OURS, SECOND)


@dataclass
class Figures:
    """Of one start in one browser, a number for each round."""

    milliseconds: list[float] = field(default_factory=list)
    sent_until_ready: list[int] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)


Measured = dict[Start, Figures]


# ---- One start -------------------------------------------------------------------------------------------------------


def measure(engine: Engine, start: Start, server: HostingServer, profile: Path, figures: Figures) -> None:
    """Start once and write the figures down."""
    with engine.launch(profile, Options()) as browser:
        page = browser.new_page()
        time.sleep(CALM)
        before = len(server.log)
        page.open(server.url + start.address)
        page.wait_for(READY, PATIENCE, f"{start.name} never became ready")
        figures.sent_until_ready.append(_sent(server, before))
        figures.milliseconds.append(page.evaluate(READY))
        _check(page, start)
        page.wait_for(start.settled, PATIENCE, f"{start.name} never settled")
        time.sleep(CALM)
        figures.sent.append(_sent(server, before))
        figures.memory.append(memory(str(profile)))


def _check(page: Page, start: Start) -> None:
    """A start that fell back to the other way would be measured under a wrong name."""
    way = page.evaluate("document.documentElement.dataset.start")
    expected = {EMPTY: None, PLAIN: "plain"}.get(start, "restored")
    if way != expected:
        raise AssertionError(f"{start.name}: Python was started {way}, not {expected}")


def _sent(server: HostingServer, before: int) -> int:
    return sum(request.sent for request in server.log[before:])


# ---- All of them -----------------------------------------------------------------------------------------------------


def measure_all(names: Sequence[str], rounds: int) -> dict[str, Measured]:
    found = browsers.find()
    measured: dict[str, Measured] = {name: {start: Figures() for start in STARTS} for name in names}
    with ExitStack() as stack:
        engines = {name: make_engine(name, found) for name in names}
        for engine in engines.values():
            stack.callback(engine.close)
        empty = stack.enter_context(_empty_pyodide())
        ours = stack.enter_context(_our_site())
        for number in range(rounds):
            for name, engine in engines.items():
                print(f"round {number + 1} of {rounds}: {name}", file=sys.stderr, flush=True)
                _round(engine, measured[name], lambda start: empty if start is EMPTY else ours)
    return measured


def _round(engine: Engine, measured: Measured, server_of: Callable[[Start], HostingServer]) -> None:
    with tempfile.TemporaryDirectory(prefix="knyf-bench-", ignore_cleanup_errors=True) as folder:
        for place, start in enumerate(STARTS):
            profile = Path(folder) / f"profile-{place - start.is_second}"
            measure(engine, start, server_of(start), profile, measured[start])


@contextmanager
def _empty_pyodide() -> Iterator[HostingServer]:
    """A page that does nothing but start Pyodide."""
    with tempfile.TemporaryDirectory(prefix="knyf-bench-") as name:
        folder = Path(name)
        with redirect_stdout(sys.stderr):
            shutil.copytree(fetch("pyodide"), folder, dirs_exist_ok=True)
        for file, content in (("index.html", EMPTY_PAGE), ("page.mjs", EMPTY_SCRIPT), ("worker.mjs", EMPTY_WORKER)):
            (folder / file).write_text(content, encoding="utf-8")
        with _warm(HostingServer(folder)) as server:
            yield server


@contextmanager
def _our_site() -> Iterator[HostingServer]:
    """A copy: a build in the meantime does not change what is measured."""
    with tempfile.TemporaryDirectory(prefix="knyf-bench-") as folder:
        shutil.copytree(DIST, folder, dirs_exist_ok=True)
        with _warm(HostingServer(Path(folder))) as server:
            yield server


@contextmanager
def _warm(server: HostingServer) -> Iterator[HostingServer]:
    """The first visitor shall not wait for the server to compress: every file has been asked for once."""
    with server:
        for path in (path for path in server.folder.rglob("*") if path.is_file()):
            address = server.url + path.relative_to(server.folder).as_posix()
            urlopen(Request(address, headers={"Accept-Encoding": "gzip"})).close()
        yield server


# ---- Tables ----------------------------------------------------------------------------------------------------------


def times(name: str, measured: Measured) -> Row:
    return {
        "browser": name,
        **{f"{start.name} (ms)": round(median(measured[start].milliseconds)) for start in STARTS},
        "ours / empty": _ratio(measured[OURS], measured[EMPTY]),
        "ours / plain": _ratio(measured[OURS], measured[PLAIN]),
        "second / empty": _ratio(measured[SECOND], measured[EMPTY]),
    }


def _ratio(some: Figures, others: Figures) -> float:
    return median(a / b for a, b in zip(some.milliseconds, others.milliseconds, strict=True))


def sent(name: str, measured: Measured) -> Row:
    return {
        "browser": name,
        **{f"{start.name}, until ready (MB)": median(measured[start].sent_until_ready) / 1e6 for start in STARTS[2:]},
        **{f"{start.name}, in all (MB)": median(measured[start].sent) / 1e6 for start in STARTS[2:]},
        "empty Pyodide (MB)": median(measured[EMPTY].sent) / 1e6,
    }


def held(name: str, measured: Measured) -> Row:
    return {
        "browser": name,
        **{f"{start.name} (MB)": round(median(measured[start].memory) / 1e6) for start in STARTS},
    }


def main() -> None:
    arguments_parser = parser(__doc__)
    arguments_parser.add_argument("--rounds", type=int, default=5, help="how often each start is timed (default: 5)")
    arguments_parser.add_argument("--browsers", nargs="+", choices=ENGINES, default=ENGINES, help="default: all found")
    arguments_parser.add_argument("--as-built", action="store_true", help="measure dist/ as it is, do not build it")
    arguments = arguments_parser.parse_args()
    with redirect_stdout(sys.stderr):  # the tables stay alone, so that a program can read them
        if not arguments.as_built:
            site.main()
        found = browsers.ensure()
    names = [name for name in arguments.browsers if not browsers.missing(name, found)]
    measured = measure_all(names, arguments.rounds)
    tables = {"start": times, "bytes sent by the server": sent, "memory when all has been loaded": held}
    show(
        {title: [row(name, measured[name]) for name in names] for title, row in tables.items()},
        arguments.json,
    )


if __name__ == "__main__":
    main()
