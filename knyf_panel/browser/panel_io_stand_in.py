"""Takes the place of panel.io.pyodide in the browser.

That module loads an HTTP library, keeps JavaScript objects alive, which a memory snapshot cannot hold, and takes its
files from another origin. Panel itself asks it only for the names below; documents and patches go by our own bridge.
"""

from __future__ import annotations

from typing import NoReturn

_IN_WORKER = True
_IN_PYSCRIPT_WORKER = False


def serve(*_: object, **__: object) -> NoReturn:
    raise RuntimeError("There is no server in the browser; the page opens dashboards by knyf_panel.browser.bridge.")
