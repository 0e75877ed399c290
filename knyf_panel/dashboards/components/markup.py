"""HTML in which text cannot become markup: everything is escaped, unless it was made here."""

from __future__ import annotations

from html import escape


class Markup(str):
    """A string that is HTML already."""

    __slots__ = ()


def element(tag: str, /, *children: str, **attributes: str) -> Markup:
    """An element with its children. `class_` is written class, `data_early` is written data-early.

    >>> element("p", "1 < 2, ", element("b", "sure"), class_="kp-note")
    '<p class="kp-note">1 &lt; 2, <b>sure</b></p>'
    """
    names = {name: name.removesuffix("_").replace("_", "-") for name in attributes}
    written = "".join(f' {names[name]}="{escape(value)}"' for name, value in attributes.items())
    return Markup(f"<{tag}{written}>{joined(*children)}</{tag}>")


def joined(*children: str) -> Markup:
    return Markup("".join(child if isinstance(child, Markup) else escape(child) for child in children))


def listed(tag: str, items: tuple[str, ...], **attributes: str) -> Markup:
    return element(tag, *(element("li", item) for item in items), **attributes)
