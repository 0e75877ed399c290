"""What `build.py build` and `build.py serve` do."""

from __future__ import annotations

import threading
import webbrowser

from knyf_panel.build.environment import python
from knyf_panel.build.serving import HostingServer
from knyf_panel.build.steps import DIST, StepFailed, run


def build() -> None:
    """Make dist/, in the project's own environment, which has Panel and Bokeh."""
    run([python("build"), "-m", "knyf_panel.build.site"], "dist/ is not complete: see above.")


def serve(port: int, base: str, show: bool) -> None:
    """Build, then serve dist/ to this machine until somebody stops it."""
    build()
    try:
        server = HostingServer(DIST, base, port).start()
    except OSError as error:
        raise StepFailed(f"Port {port} cannot be used: {error.strerror}. Try another: --port 8001") from error
    print(f"\nThe site is at {server.url} (Ctrl-C stops it).", flush=True)
    if show:
        webbrowser.open(server.url)
    try:
        threading.Event().wait()
    finally:
        server.stop()
