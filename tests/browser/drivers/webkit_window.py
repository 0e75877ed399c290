"""The window that WebKitWebDriver drives: WebKitGTK and nothing around it.

Run by the system's Python, which has the bindings for GTK, not by the tests' own. The MiniBrowser that comes with the
driver would do but for one thing: under a driver it forgets everything, and tests must be able to restart a browser.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import signal
import sys
from pathlib import Path
from typing import Any

PR_SET_PDEATHSIG = 1

# WebKit's own switches hide a storage; a user who blocks all site data gets errors from it.
_NO_STORAGE = """{
  const refusal = () => new DOMException("The operation is insecure.", "SecurityError");
  for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
    Object.defineProperty(globalThis, name, {get() { throw refusal(); }});
  if (globalThis.ServiceWorkerContainer) ServiceWorkerContainer.prototype.register = () => Promise.reject(refusal());
}"""


def main(options: dict[str, Any]) -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # ends with its driver, however that ends
    gi = importlib.import_module("gi")
    gi.require_version("Gtk", "3.0")
    gi.require_version("WebKit2", "4.1")
    gtk = importlib.import_module("gi.repository.Gtk")
    webkit = importlib.import_module("gi.repository.WebKit2")
    look = gtk.Settings.get_default()
    look.set_property("gtk-application-prefer-dark-theme", options["dark"])
    look.set_property("gtk-enable-animations", not options["reduced_motion"])
    context = _context(webkit, Path(options["profile"]))
    with Path(options["requests"]).open("a", encoding="utf-8", buffering=1) as log:

        def window(*_: Any) -> Any:
            view = _view(webkit, context, options)
            view.connect("resource-load-started", lambda _view, _load, request: log.write(request.get_uri() + "\n"))
            frame = gtk.Window(decorated=False, default_width=options["width"], default_height=options["height"])
            frame.add(view)
            frame.show_all()
            return view

        context.connect("automation-started", lambda _context, session: _start(webkit, session, window))
        gtk.main()


def _context(webkit: Any, profile: Path) -> Any:
    data, cache = str(profile / "data"), str(profile / "cache")
    manager = webkit.WebsiteDataManager(base_data_directory=data, base_cache_directory=cache)
    context = webkit.WebContext.new_with_website_data_manager(manager)
    context.set_automation_allowed(True)
    return context


def _start(webkit: Any, session: Any, window: Any) -> None:
    about = webkit.ApplicationInfo()
    about.set_name("WebKitGTK")
    about.set_version(webkit.get_major_version(), webkit.get_minor_version(), webkit.get_micro_version())
    session.set_application_info(about)
    session.connect("create-web-view", window)


def _view(webkit: Any, context: Any, options: dict[str, Any]) -> Any:
    settings = webkit.Settings(
        enable_write_console_messages_to_stdout=True,
        enable_javascript=options["scripts"],
    )
    content = webkit.UserContentManager()
    for script in (options["init_script"], "" if options["storage"] else _NO_STORAGE):
        frames, moment = webkit.UserContentInjectedFrames.ALL_FRAMES, webkit.UserScriptInjectionTime.START
        content.add_script(webkit.UserScript.new(script, frames, moment, None, None))
    return webkit.WebView(
        web_context=context, settings=settings, user_content_manager=content, is_controlled_by_automation=True
    )


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
