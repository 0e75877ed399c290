"""The pages as they are before any script runs: a frame, and the first view of each dashboard in both languages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from string import Template
from typing import Any

from knyf_panel.build.steps import ROOT
from knyf_panel.dashboards import PAGES
from knyf_panel.texts import LANGUAGES, load

HOME = "index"
NAMES = (HOME, *PAGES)

_THEMES = ("system", "light", "dark", "contrast")  # as in site/look.mjs
_SPOKEN = ("loading", "restore", "plain", "worker_failed", *(f"theme_{name}" for name in _THEMES))  # by scripts
_WRITTEN = (
    *("pages", "retry", "update", "update_now", "no_scripts", "footer", "unsaved"),
    *("look", "theme", "projector"),
)
_TEMPLATE = ROOT / "site" / "page.html"


@dataclass(frozen=True)
class Surroundings:
    """What differs between the site and the single file."""

    policy: str
    head: str
    scripts: str
    config: Mapping[str, Any]


def page(name: str, around: Surroundings) -> str:
    """The HTML of one page."""
    polish = load("pl")
    return Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        policy=around.policy,
        description=escape(polish("site.home.intro")),
        title=escape(title(name, "pl")),
        head=around.head,
        skip=_in_both("skip"),
        links="\n".join(_link(name) for name in NAMES),
        **{key: _in_both(key) for key in _WRITTEN},
        themes="\n".join(f'<option value="{name}"></option>' for name in _THEMES),
        failure=f"{_in_both('failed')} {_in_both('failed_advice')}",
        page=name,
        content=first_view(name),
        config=script_json(around.config),
        texts=script_json({language: _texts(language) for language in LANGUAGES}),
        scripts=around.scripts,
    )


def first_view(name: str) -> str:
    """Once in each language; the script shows the one that is wanted, and without it both are there."""
    return "\n".join(
        f'<div data-language="{language}" lang="{language}">'
        f"{_home(language) if name == HOME else PAGES[name].static(language)}</div>"
        for language in LANGUAGES
    )


def title(name: str, language: str) -> str:
    return load(language)("site.home.title") if name == HOME else PAGES[name].title(language)


def script_json(content: object) -> str:
    """JSON inside a script element: no text of it can end the element."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=True).replace("<", "\\u003c")


def _link(name: str) -> str:
    return f'<li><a data-page="{name}" href="{name}.html">{_in_both(f"page_{name}")}</a></li>'


def _home(language: str) -> str:
    texts = load(language)
    games = "".join(
        f"<li><h2>{escape(PAGES[name].title(language))}</h2><p>{escape(texts(f'site.home.{name}'))}</p>"
        f'<a class="kp-button" data-page="{name}" href="{name}.html">{escape(texts("site.home.open"))}'
        f'<span class="kp-visually-hidden"> {escape(PAGES[name].title(language))}</span></a></li>'
        for name in PAGES
    )
    return f'<p>{escape(texts("site.home.intro"))}</p><ul class="kp-games">{games}</ul>'


def _in_both(key: str) -> str:
    """A text of the frame in each language."""
    words = {language: escape(load(language)(f"site.shell.{key}")) for language in LANGUAGES}
    return " ".join(
        f'<span data-language="{language}" lang="{language}">{text}</span>' for language, text in words.items()
    )


def _texts(language: str) -> dict[str, str]:
    texts = load(language)
    titles = {f"title.{name}": title(name, language) for name in NAMES}
    return {**titles, **{key: texts.raw(f"site.shell.{key}") for key in _SPOKEN}}
