"""The browsers that the end-to-end tests drive: found, or installed where the system is Debian's and lets us."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from knyf_panel.build.steps import StepFailed, run, step


@dataclass(frozen=True)
class _Part:
    """A program: the variable that may name it, what it is called on the PATH, and where Debian has it."""

    variable: str
    programs: tuple[str, ...]
    packages: tuple[str, ...]


_PARTS = {
    "chromium": _Part(
        "KNYF_CHROMIUM", ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome"), ("chromium",)
    ),
    "firefox": _Part("KNYF_FIREFOX", ("firefox-esr", "firefox"), ("firefox-esr",)),
    "webkit": _Part("KNYF_WEBKIT_DRIVER", ("WebKitWebDriver",), ("webkit2gtk-driver",)),
    "xvfb": _Part("KNYF_XVFB", ("Xvfb",), ("xvfb",)),
    # The system's own Python: its bindings for WebKitGTK cannot be had for another one.
    "webkit_python": _Part("KNYF_WEBKIT_PYTHON", ("/usr/bin/python3",), ("python3-gi", "gir1.2-webkit2-4.1")),
}
_BROWSERS = {  # what each is made of
    "chromium": ("chromium",),
    "firefox": ("firefox",),
    "webkit": ("webkit", "xvfb", "webkit_python"),
}
_FONTS = ("fonts-dejavu-core",)  # Polish letters, suits and dice in screenshots
_HAS_WEBKIT = "import gi; gi.require_version('WebKit2', '4.1')"


def find() -> dict[str, Path]:
    """The programs that are there, by part; a browser is complete when all of its parts are."""
    found = {name: program for name, part in _PARTS.items() if (program := _program(part))}
    python = found.get("webkit_python")
    if python and subprocess.run([python, "-c", _HAS_WEBKIT], capture_output=True, check=False).returncode:
        del found["webkit_python"]
    return found


def ensure() -> dict[str, Path]:
    """The same after installing what is missing. Without Chromium, or in CI without any one of them, StepFailed."""
    found = find()
    if len(found) < len(_PARTS) and (root := _as_root()) is not None:
        try:
            _install(root, (name for name in _PARTS if name not in found))
        except StepFailed as failure:  # may still be enough
            print(failure, flush=True)
        found = find()
    _check(found)
    return found


def missing(browser: str, found: Mapping[str, Path]) -> str:
    """What a browser lacks and how to get it, in a line; empty if it is complete."""
    lacking = [_PARTS[name] for name in _BROWSERS[browser] if name not in found]
    if not lacking:
        return ""
    programs = ", ".join(part.programs[0] for part in lacking)
    packages = " ".join(package for part in lacking for package in part.packages)
    variables = ", ".join(part.variable for part in lacking)
    return f"no {browser} ({programs}): install Debian's {packages}, or say where it is in {variables}"


def required(browser: str) -> bool:
    return browser == "chromium" or bool(os.environ.get("CI"))


def _check(found: Mapping[str, Path]) -> None:
    gaps = {browser: gap for browser in _BROWSERS if (gap := missing(browser, found))}
    if any(required(browser) for browser in gaps):
        raise StepFailed("The browser tests cannot run:\n" + "\n".join(f"  {gap}" for gap in gaps.values()))
    for gap in gaps.values():
        print(f"  {gap}; its tests are skipped", flush=True)


def _program(part: _Part) -> Path | None:
    if named := os.environ.get(part.variable):
        if not shutil.which(named):
            raise StepFailed(f"{part.variable} names {named}, which is not a program.")
        return Path(named)
    return next((Path(path) for name in part.programs if (path := shutil.which(name))), None)


def _as_root() -> list[str] | None:
    """What to put before a command that installs packages; None where that is not possible."""
    if not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0:
        return [sudo, "-n"]
    return None


def _install(root: list[str], parts: Iterable[str]) -> None:
    packages = [package for name in parts for package in _PARTS[name].packages]
    apt = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "Acquire::http::Timeout=20"]
    advice = f"apt-get could not install {' '.join(packages)}: see above. Is there a network?"
    with step(f"Installing {', '.join(packages)}"):
        run([*apt, "update"], advice)
        run([*apt, "install", "-y", "--no-install-recommends", "-o", "Dpkg::Use-Pty=0", *packages, *_FONTS], advice)
