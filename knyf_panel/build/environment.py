"""The project's own virtual environment, installed from the lock file and left alone while that does not change."""

from __future__ import annotations

import hashlib
import sys
import sysconfig
import venv
from pathlib import Path

from knyf_panel.build.steps import ROOT, StepFailed, run, step

FOLDER = ROOT / ".venv"
LOCK = ROOT / "locks" / "test.txt"
_STAMP = FOLDER / "installed.sha256"

_NO_NETWORK = (
    "The packages could not be installed. Is there a network, and does pip reach a package index?\n"
    "Try `python build.py test` again; what was downloaded is not downloaded twice."
)


def python() -> Path:
    """The environment's interpreter, made and filled first if need be."""
    interpreter = FOLDER / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not _is_current(interpreter):
        with step(f"Making {FOLDER.name} with Python {sys.version_info.major}.{sys.version_info.minor}"):
            _make()
        with step(f"Installing what {LOCK.relative_to(ROOT).as_posix()} names"):
            _install(interpreter)
    return interpreter


def _is_current(interpreter: Path) -> bool:
    return interpreter.exists() and _STAMP.exists() and _STAMP.read_text() == _fingerprint()


def _fingerprint() -> str:
    """Changes with the lock file and with the Python that runs build.py."""
    return hashlib.sha256(LOCK.read_bytes() + sys.version.encode() + sys.executable.encode()).hexdigest()


def _make() -> None:
    try:
        venv.create(FOLDER, clear=True, with_pip=True)
    except Exception as error:  # on Debian, ensurepip is a package of its own, and venv reports only its exit code
        raise StepFailed(
            f"A virtual environment could not be made: {error}\n"
            "On Debian or Ubuntu, install the package python3-venv and try again."
        ) from error


def _install(interpreter: Path) -> None:
    run([interpreter, "-m", "pip", "install", "--quiet", "--require-hashes", "--requirement", LOCK], advice=_NO_NETWORK)
    # The package itself is used from the checkout, by a path file: an editable install would need a build.
    paths = sysconfig.get_paths(scheme="venv", vars={"base": str(FOLDER), "platbase": str(FOLDER)})
    (Path(paths["purelib"]) / "knyf_panel.pth").write_text(f"{ROOT}\n", encoding="utf-8")
    _STAMP.write_text(_fingerprint())
