"""How a person plays on a page: by mouse or by keyboard alone, reading what is on the screen."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from tests.browser.drivers import Page, eventually

PATIENCE = 90.0  # seconds for a start

# All elements that match, those in shadow roots as well.
ALL = """(selector => {
  const found = [];
  const walk = root => {
    for (const element of root.querySelectorAll("*")) {
      if (element.matches(selector)) found.push(element);
      if (element.shadowRoot) walk(element.shadowRoot);
    }
  };
  walk(document);
  return found;
})"""
FOCUS = """(() => {
  let focus = document.activeElement;
  while (focus?.shadowRoot?.activeElement) focus = focus.shadowRoot.activeElement;
  return focus;
})()"""
# What a screen reader calls the focused element, less what style sheets add.
_NAME = f"""(focus => focus?.getAttribute("aria-label") || focus?.labels?.[0]?.textContent
  || focus?.textContent || "")({FOCUS}).trim()"""
_MOST_TABS = 250  # more than there are stops on any page


def wait_until_ready(page: Page) -> None:
    page.wait_for("/ready|failed/.test(document.documentElement.dataset.state)", PATIENCE)
    assert page.evaluate("document.documentElement.dataset.state") == "ready", page.text("#kp-reason")


def spoken(page: Page) -> str:
    """What was read aloud last."""
    return page.text("#kp-live") or ""


class Player:
    """Presses buttons by their names (regular expressions that match all of it), with the mouse or the keyboard alone,
    and waits until the page has answered."""

    def __init__(self, page: Page, by_keyboard: bool) -> None:
        self.page, self._by_keyboard = page, by_keyboard

    def press(self, name: str) -> None:
        self._answered(name, lambda: self._enter(name) if self._by_keyboard else self._click(_button(name)))

    def press_beside(self, name: str) -> None:
        """The field of a row of the sheet, which comes after the row's name."""
        self._answered(name, lambda: self._enter(name, 1) if self._by_keyboard else self._click(_beside(name, 1)))

    def cells(self, name: str) -> str:
        """What a row of the sheet says after its field."""
        return str(self.page.evaluate(f"{_beside(name, 2)}.textContent"))

    def _answered(self, name: str, act: Callable[[], None]) -> None:
        before = spoken(self.page)
        act()
        eventually(lambda: spoken(self.page) != before, f"the page answers to {name!r}, having said {before!r}")

    def _enter(self, name: str, further: int = 0) -> None:
        self._tab_to(name)
        for _ in range(further):
            self.page.press("Tab")
        self.page.press("Enter")

    def _tab_to(self, name: str) -> None:
        """On from where the focus is, round the page if need be."""
        for _ in range(_MOST_TABS):
            if re.fullmatch(name, self.page.evaluate(_NAME)):
                return
            self.page.press("Tab")
        raise AssertionError(f"the Tab key never comes to {name!r}")

    def _click(self, element: str) -> None:
        self.page.wait_for(element)
        self.page.evaluate(f"void {element}.setAttribute('data-press', '')")
        self.page.click("[data-press]")
        self.page.evaluate(f"{ALL}('[data-press]').forEach(button => button.removeAttribute('data-press'))")


def _button(name: str) -> str:
    pattern = json.dumps(f"^(?:{name})$")
    return f"{ALL}('button').find(button => new RegExp({pattern}).test(button.textContent.trim()))"


def _beside(name: str, steps: int) -> str:
    """The button or the text so many places after the button with this name, in a layout."""
    host = f"{_button(name)}.getRootNode().host{'.nextElementSibling' * steps}"
    return f"(place => place.shadowRoot.querySelector('button') ?? place.shadowRoot.querySelector('p'))({host})"
