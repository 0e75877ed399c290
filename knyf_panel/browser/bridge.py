"""The bridge between the page and Python: a dashboard as a Bokeh document, and patches to and fro, all as JSON text."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from secrets import randbelow
from threading import get_ident
from typing import Any

from bokeh import __version__ as bokeh_version
from bokeh.core.serialization import Serializer
from bokeh.document import Document
from bokeh.embed.util import standalone_docs_json_and_render_items
from panel.io.resources import CDN_DIST
from panel.io.state import state

from knyf_panel.dashboards import PAGES, Dashboard, Visit
from knyf_panel.dashboards.shelf import Shelf

STYLES = "panel/"  # where the site has panel's stylesheets, beside the page
FROM_PAGE: Any = "page"  # marks changes that the page made, and so knows of


def fresh_seed() -> int:
    """From the browser's own source of randomness, not from Python's generator, whose state came with the snapshot."""
    return randbelow(10**9)


class Bridge:
    """One page at a time. `send` takes patches, whenever there is one; the games of all pages lie on one shelf."""

    def __init__(self, send: Callable[[str], None], shelf: Shelf | None = None) -> None:
        self._send, self._shelf = send, shelf or Shelf()
        self._events: list[Any] = []
        self._flush_planned = False
        self._document = Document()
        self._document.on_change(self._changed)
        self._dashboard: Dashboard | None = None

    def open(self, page: str, language: str, seed: int | None) -> str:
        """Open a dashboard and give the page its document. A change of language goes on with the same game."""
        self._document.remove_on_change(self._changed)
        self._document, self._events = Document(), []
        state.curdoc = self._document
        before, self._dashboard = self._dashboard, PAGES[page](Visit(language, seed), fresh_seed, self._shelf)
        if type(before) is type(self._dashboard) and before.visit.seed == seed:
            self._dashboard.carry_on(before)
        self._dashboard.view().server_doc(self._document, location=False)
        return self._opened()

    def early(self, clicks: Iterable[str]) -> None:
        """What was clicked on the page before Python was ready."""
        if self._dashboard:
            with self._held():
                self._dashboard.early(list(clicks))
            self._flush()

    def _opened(self) -> str:
        documents, _ = standalone_docs_json_and_render_items(self._document.roots, suppress_callback_warning=True)
        (document,) = documents.values()
        self._document.on_change(self._changed)
        # Otherwise panel would send the new children of a layout to a server's sockets, of which there are none.
        state._loaded[self._document] = state._connected[self._document] = True
        state._thread_id = get_ident()
        roots = [root.id for root in self._document.roots]
        return _local({"version": bokeh_version, "roots": roots, "document": document})

    def receive(self, patch: str) -> None:
        """A patch from the page. What follows from it is sent back as one patch."""
        with self._held():
            self._document.apply_json_patch(json.loads(patch), setter=FROM_PAGE)
        self._flush()

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Several changes of one thing become one."""
        self._document.hold("combine")
        try:
            yield
        finally:
            self._document.unhold()

    def _changed(self, event: Any) -> None:
        if event.setter != FROM_PAGE:
            self._events.append(event)
            self._plan_flush()

    def _plan_flush(self) -> None:
        """Changes that come outside `receive`, from a task that goes on in the background, are sent as well."""
        if not self._flush_planned:
            self._flush_planned = True
            asyncio.get_event_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._flush_planned = False
        events, self._events = self._events, []
        if events:
            models = self._document.models
            serializer = Serializer(references=models.synced_references, deferred=False)
            patch = {"events": serializer.encode(events)}
            models.flush_synced(lambda model: not serializer.has_ref(model))
            self._send(_local(patch))


def _local(content: object) -> str:
    """As JSON, with panel's stylesheets from our own origin."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).replace(CDN_DIST, STYLES)
