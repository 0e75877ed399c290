"""Pointer and keys in the form of the WebDriver standard, which Firefox and WebKit share."""

from __future__ import annotations

from typing import Any

Actions = list[dict[str, Any]]

_KEYS = {  # the standard gives keys without a letter a code point of its own
    "Backspace": "\ue003",
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Shift": "\ue008",
    "Control": "\ue009",
    "Alt": "\ue00a",
    "Escape": "\ue00c",
    "Space": " ",
    "PageUp": "\ue00e",
    "PageDown": "\ue00f",
    "End": "\ue010",
    "Home": "\ue011",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
    "Delete": "\ue017",
    **{f"F{number}": chr(0xE030 + number) for number in range(1, 13)},
    "Meta": "\ue03d",
}


def key_actions(key: str) -> Actions:
    """Down in order, up in reverse: "Shift+Tab" is four events."""
    names = [key] if len(key) == 1 else key.split("+")
    codes = [_KEYS.get(name, name) for name in names]
    for name, code in zip(names, codes, strict=True):
        if len(code) != 1:
            raise ValueError(f"no key is called {name!r}")
    events = [{"type": "keyDown", "value": code} for code in codes]
    events += [{"type": "keyUp", "value": code} for code in reversed(codes)]
    return [{"type": "key", "id": "keyboard", "actions": events}]


def click_actions(x: float, y: float) -> Actions:
    events = [
        {"type": "pointerMove", "x": int(x), "y": int(y), "duration": 0},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]
    return [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": events}]
