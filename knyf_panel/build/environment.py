"""The project's own virtual environment, installed from the lock files and left alone while they do not change."""

from __future__ import annotations

import hashlib
import sys
import sysconfig
import venv
from pathlib import Path

from knyf_panel.build.steps import ROOT, StepFailed, run, step

FOLDER = ROOT / ".venv"
LOCKS = ROOT / "locks"

_NO_NETWORK = (
    "The packages could not be installed. Is there a network, and does pip reach a package index?\n"
    "Try the same command again; what was downloaded is not downloaded twice."
)


def python(needed: str) -> Path:
    """The environment's interpreter with what locks/<needed>.txt names, made and filled first if need be."""
    interpreter = FOLDER / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not (interpreter.exists() and _is_stamped("python", sys.version + sys.executable)):
        with step(f"Making {FOLDER.name} with Python {sys.version_info.major}.{sys.version_info.minor}"):
            _make()
            _stamp("python", sys.version + sys.executable)
    lock = LOCKS / f"{needed}.txt"
    if not _is_stamped(needed, lock.read_text(encoding="utf-8")):
        with step(f"Installing what {lock.relative_to(ROOT).as_posix()} names"):
            _install(interpreter, lock)
            _stamp(needed, lock.read_text(encoding="utf-8"))
    return interpreter


def packages() -> Path:
    """The folder of the environment's packages."""
    return Path(sysconfig.get_paths(scheme="venv", vars={"base": str(FOLDER), "platbase": str(FOLDER)})["purelib"])


def _is_stamped(name: str, content: str) -> bool:
    path = FOLDER / f"{name}.sha256"
    return path.exists() and path.read_text() == _digest(content)


def _stamp(name: str, content: str) -> None:
    (FOLDER / f"{name}.sha256").write_text(_digest(content))


def _digest(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()


def _make() -> None:
    try:
        venv.create(FOLDER, clear=True, with_pip=True)
    except Exception as error:  # on Debian, ensurepip is a package of its own, and venv reports only its exit code
        raise StepFailed(
            f"A virtual environment could not be made: {error}\n"
            "On Debian or Ubuntu, install the package python3-venv and try again."
        ) from error


def _install(interpreter: Path, lock: Path) -> None:
    run([interpreter, "-m", "pip", "install", "--quiet", "--require-hashes", "--requirement", lock], advice=_NO_NETWORK)
    # The package itself is used from the checkout, by a path file: an editable install would need a build.
    (packages() / "knyf_panel.pth").write_text(f"{ROOT}\n", encoding="utf-8")
