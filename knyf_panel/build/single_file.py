"""The whole site in one HTML file that runs from a disk, with no server and no network."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from knyf_panel.build import pages, runtime

_POLICY = (
    "default-src 'none'; script-src {scripts} blob: 'wasm-unsafe-eval'; worker-src blob:; connect-src data:; "
    "style-src blob: 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'"
)


def make(parts: Path, scripts: Path, site: Path, bokeh: Sequence[Path], styles: Mapping[str, Path]) -> str:
    """The home page with everything in it: the first views of the other pages, scripts, style sheets, and the parts."""
    programs = [(scripts / "page.js").read_text("utf-8"), *(path.read_text("utf-8") for path in bokeh)]
    icon = base64.b64encode((site / "icon.svg").read_bytes()).decode()
    around = pages.Surroundings(
        policy=_POLICY.format(scripts=" ".join(map(_hash, map(_harmless, programs)))),
        head=f'<link rel="icon" href="data:image/svg+xml;base64,{icon}">\n'
        f"<style>{(site / 'style.css').read_text('utf-8')}</style>",
        scripts="\n".join(
            [
                *_first_views(),
                _data("kp-styles", pages.script_json({name: path.read_text("utf-8") for name, path in styles.items()})),
                _data("kp-worker", _harmless((scripts / "worker.classic.js").read_text("utf-8"))),
                *_packed(parts),
                # A module runs after the page has been read, and these before it; so the order is the other way round.
                *(f"<script>{_harmless(program)}</script>" for program in programs[1:]),
                f'<script type="module">{_harmless(programs[0])}</script>',
            ]
        ),
        config={"isSingleFile": True, "runtime": {"parts": {}, **runtime.sizes(parts)}},
    )
    return pages.page(pages.HOME, around)


def _packed(parts: Path) -> Iterable[str]:
    for name in runtime.PARTS:
        yield _data(f"kp-part-{name}", base64.b64encode((parts / f"{name}.zst").read_bytes()).decode())


def _first_views() -> Iterable[str]:
    for name in pages.NAMES:
        yield f'<template id="kp-view-{name}">{pages.first_view(name)}</template>'


def _data(name: str, content: str) -> str:
    return f'<script type="text/plain" id="{name}">{content}</script>'


def _harmless(program: str) -> str:
    """No text inside a script can end its element. In JavaScript these stand in strings and expressions only."""
    return program.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _hash(program: str) -> str:
    digest = base64.b64encode(hashlib.sha256(program.encode()).digest()).decode()
    return f"'sha256-{digest}'"
