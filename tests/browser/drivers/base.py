"""What every browser can do, whoever drives it."""

from __future__ import annotations

import json
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

TIMEOUT = 30.0  # seconds that a single operation may take
SIZE = (1280, 800)


class NotInThisBrowser(Exception):
    """The engine or its driver has no such thing; the message says why."""


class CouldNotOpen(Exception):
    """A page did not arrive: no server, no file."""


class ScriptError(Exception):
    """A JavaScript expression threw, or its promise was rejected."""


class NeverHappened(AssertionError):
    """What a test waited for did not come in time."""


@dataclass(frozen=True)
class Options:
    """How a browser is set up for its whole life."""

    scripts: bool = True
    storage: bool = True  # False: as with "block all cookies and site data"
    color_scheme: Literal["light", "dark"] = "light"
    reduced_motion: bool = False
    forced_colors: bool = False
    scale: int = 1  # device pixels per CSS pixel
    init_script: str = ""  # runs in every document before the document's own scripts


@dataclass(frozen=True)
class Message:
    """A line in the browser's console; an uncaught error is a line of level `error`."""

    level: str
    text: str


def eventually(condition: Callable[[], object], message: str, timeout: float = TIMEOUT) -> None:
    """Wait until the condition holds."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            raise NeverHappened(f"{message} (waited {timeout:g} s)")
        time.sleep(0.03)


@contextmanager
def temporary_profile() -> Iterator[Path]:
    # A browser's last helper may still write while the folder goes; what is left then is the system's to sweep.
    with tempfile.TemporaryDirectory(prefix="knyf-profile-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


class Engine(ABC):
    """One of the three, ready to start browsers."""

    name: str

    @abstractmethod
    def launch(self, profile: Path, options: Options) -> Browser:
        """A process of its own that remembers in `profile` what was stored."""

    def fresh(self, options: Options) -> Browser:
        """A browser that remembers nothing; it may share a process with others to save the start."""
        with ExitStack() as stack:
            profile = stack.enter_context(temporary_profile())
            browser = self.launch(profile, options)
            browser.remembers = False
            stack.push(browser.belongings.pop_all())  # ends before the profile goes
            browser.belongings = stack.pop_all()
        return browser

    @abstractmethod
    def close(self) -> None:
        """End what its browsers shared."""


class Browser(ABC):
    """A browser with a storage of its own: a process, or a closed-off part of one. A context manager."""

    def __init__(self, engine: str, options: Options) -> None:
        self.engine = engine
        self.options = options
        self.remembers = True  # until it is closed, and in its profile after that
        self.belongings = ExitStack()  # what ends with it, in reverse order
        self.pages: list[Page] = []
        self._console: list[Message] = []
        self._requests: list[str] = []

    @abstractmethod
    def new_page(self) -> Page:
        """A new tab; all tabs share storage and service workers."""

    @abstractmethod
    def _pump(self) -> None:
        """Take in the events that came meanwhile."""

    @property
    def console(self) -> list[Message]:
        """The console of all tabs and their workers so far."""
        self._pump()
        return list(self._console)

    @property
    def requests(self) -> list[str]:
        """The network addresses that all tabs and their workers have asked for so far."""
        self._pump()
        return [url for url in self._requests if url.startswith(("http:", "https:", "ws:", "wss:"))]

    def close(self) -> None:
        """End it, and let it write down what it has to remember."""
        self.pages.clear()
        self.belongings.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


# Bokeh draws its widgets inside shadow roots, which querySelector does not enter.
_FIND = """(selector => {
  const find = root => {
    const hit = root.querySelector(selector);
    if (hit) return hit;
    for (const host of root.querySelectorAll("*")) {
      const inner = host.shadowRoot && find(host.shadowRoot);
      if (inner) return inner;
    }
    return null;
  };
  return find(document);
})"""

# The middle of an element that can be clicked, or the reason why it cannot.
_TARGET = """(element => {
  if (!element) return "there is none";
  const middle = () => {
    const box = element.getClientRects()[0];
    return box && box.width && box.height ? [box.left + box.width / 2, box.top + box.height / 2] : null;
  };
  const seen = at => at[0] >= 0 && at[1] >= 0 && at[0] < innerWidth && at[1] < innerHeight;
  if (!middle()) return "it has no size";
  if (!seen(middle())) element.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
  const [x, y] = middle();
  let top = document.elementFromPoint(x, y);
  for (let inner; (inner = top?.shadowRoot?.elementFromPoint(x, y)) && inner !== top;) top = inner;
  for (let node = top; node; node = node.assignedSlot ?? node.parentNode ?? node.host)
    if (node === element) return [x, y];
  return `${top?.outerHTML.slice(0, 120)} lies over it`;
})"""


class Page(ABC):
    """A tab."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        browser.pages.append(self)

    # What each driver does in its own way.

    @abstractmethod
    def open(self, url: str) -> None:
        """Go there and wait for the load event; CouldNotOpen if nothing answers."""

    @abstractmethod
    def reload(self) -> None:
        """Load the page again, as the user's reload key does."""

    @abstractmethod
    def press(self, key: str) -> None:
        """A key by its DOM name ("Tab", "Enter", "Space", "ArrowLeft", "7", "a"), with modifiers: "Shift+Tab"."""

    @abstractmethod
    def resize(self, width: int, height: int, scale: int | None = None, mobile: bool = False) -> None:
        """The size of the viewport in CSS pixels."""

    @abstractmethod
    def close(self) -> None:
        """Close the tab."""

    @abstractmethod
    def _run(self, program: str) -> Any:
        """The value of an expression that gives a string or undefined, or a promise of one."""

    @abstractmethod
    def _click_at(self, x: float, y: float) -> None:
        """Pointer there, button down, button up."""

    @abstractmethod
    def _png(self, full: bool) -> bytes:
        """A picture of the viewport or of the whole page."""

    # The rest follows.

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression, or of what its promise gives, by way of JSON; undefined is None."""
        value = f"(\n{expression}\n)"
        if self.browser.options.scripts:
            program = f"(async () => JSON.stringify(await {value}))()"
        else:  # promises stand still in a page without scripts
            program = f"JSON.stringify({value})"
        answer = self._run(program)
        return None if answer is None else json.loads(answer)

    def query(self, selector: str, expression: str = "true") -> Any:
        """The expression for `element`, the first that matches, shadow roots included; None where none does."""
        find = f"(element => element && ({expression}))({_FIND}({json.dumps(selector)}))"
        return self.evaluate(find)

    def text(self, selector: str) -> str | None:
        text: str | None = self.query(selector, "element.textContent.trim()")
        return text

    def wait_for(self, predicate: str, timeout: float = TIMEOUT, message: str = "") -> None:
        """Wait until a JavaScript expression is truthy; one that throws (the page is still loading) is not."""
        problem = ""
        value = f"await ({predicate})" if self.browser.options.scripts else predicate  # see evaluate

        def holds() -> bool:
            nonlocal problem
            try:
                return bool(self.evaluate(f"Boolean({value})"))
            except ScriptError as error:
                problem = f"; {error}"
                return False

        try:
            eventually(holds, message or f"never true: {predicate}", timeout)
        except NeverHappened as error:
            raise NeverHappened(f"{error}{problem}; console: {self.browser.console[-5:]}") from None

    def click(self, selector: str, timeout: float = TIMEOUT) -> None:
        """A real click in the middle of the element, once it is there, rests in one place and nothing covers it."""
        before: object = None
        target: object = None

        def rests() -> bool:
            nonlocal before, target
            before, target = target, self.evaluate(f"{_TARGET}({_FIND}({json.dumps(selector)}))")
            return isinstance(target, list) and target == before

        try:
            eventually(rests, f"cannot click {selector}", timeout)
        except NeverHappened as error:
            raise NeverHappened(f"{error}: {target}") from None
        assert isinstance(target, list)
        self._click_at(*target)

    def type(self, text: str) -> None:
        """Key by key, into what has the focus."""
        for letter in text:
            self.press("Space" if letter == " " else letter)

    def screenshot(self, path: Path, full: bool = False) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self._png(full))
        return path

    def new_tab(self) -> Page:
        return self.browser.new_page()

    @property
    def requests(self) -> list[str]:
        return self.browser.requests

    @property
    def console_errors(self) -> list[str]:
        return [message.text for message in self.browser.console if message.level == "error"]
