"""The runtime of the site: the WebAssembly module, the memory snapshot, Python's byte code and files, all compressed.

What a page loads: pyodide.wasm, snapshot.bin and files.zip; behind its first view later.zip; and for the plain start,
when the snapshot cannot be restored, stdlib.zip and packages.zip instead of the last three.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from zipfile import ZipFile

from knyf_panel.build.cache import kept
from knyf_panel.build.environment import LOCKS
from knyf_panel.build.javascript import fetch, run_node
from knyf_panel.build.staging import OURS, stage
from knyf_panel.build.steps import ROOT

PARTS = ("pyodide.wasm", "snapshot.bin", "files.zip", "later.zip", "stdlib.zip", "packages.zip")

_NODE = Path(__file__).parent / "node"
# Of the standard library: what needs processes, sockets or a terminal, and what only tools for programmers import.
_NEVER_IMPORTED = (
    *("multiprocessing/", "_pyrepl/", "wsgiref/", "xmlrpc/", "ensurepip/", "venv/", "pydoc", "idlelib/", "curses/"),
    *("mailbox", "imaplib", "ftplib", "smtplib", "poplib", "telnetlib", "ssl", "socketserver", "webbrowser"),
    *("pdb", "bdb", "doctest", "optparse", "plistlib", "pstats", "profile", "trace.", "pickletools", "py_compile"),
    *("_pyio", "_pydatetime", "_pydecimal", "_sysconfigdata", "encodings/cp", "encodings/mac_"),
)
_RECIPES = [path for path in sorted(_NODE.iterdir()) if path.is_file()]


def make() -> Path:
    """A folder with these parts, and each of them with .zst."""
    pyodide = fetch("pyodide")
    sources = kept("Collecting Python packages", _staged_inputs(), stage)
    compiled = kept("Compiling them", [sources, pyodide, *_RECIPES], lambda folder: _compile(pyodide, sources, folder))
    return kept(
        "Taking the memory snapshot", [compiled, *_RECIPES], lambda folder: _snapshot(pyodide, compiled, folder)
    )


def sizes(folder: Path, names: Iterable[str] = PARTS) -> dict[str, dict[str, int]]:
    """The number of bytes of each part, packed and unpacked."""
    return {
        "packed": {name: (folder / f"{name}.zst").stat().st_size for name in names},
        "sizes": {name: (folder / name).stat().st_size for name in names},
    }


def _staged_inputs() -> list[Path | str]:
    return [LOCKS / "build.txt", Path(__file__).with_name("staging.py"), *(ROOT / "knyf_panel" / name for name in OURS)]


def _compile(pyodide: Path, sources: Path, folder: Path) -> None:
    arguments = (pyodide, _NODE / "slim.py", sources, pyodide / "python_stdlib.zip", folder)
    run_node(_NODE / "compile.mjs", *arguments, advice="A package did not compile in Pyodide: see above.")


def _snapshot(pyodide: Path, compiled: Path, folder: Path) -> None:
    libraries = (compiled / "stdlib.zip", compiled / "packages.zip")
    results = (folder / "snapshot.bin", folder / "imported.txt")
    advice = "Python did not start in Pyodide, or a dashboard did not open there: see above."
    run_node(_NODE / "snapshot.mjs", pyodide, *libraries, *results, advice=advice)
    _split(libraries, set(results[1].read_text(encoding="utf-8").split()), folder)
    results[1].unlink()
    for library in libraries:
        shutil.copy(library, folder)
    shutil.copy(pyodide / "pyodide.asm.wasm", folder / "pyodide.wasm")
    parts = sorted(folder.iterdir())
    run_node(_NODE / "compress.mjs", *parts, advice="The parts could not be compressed: see above.")


def _split(libraries: tuple[Path, Path], imported: set[str], folder: Path) -> None:
    """What a restored Python still needs: data files at once, and later the modules that it has not imported yet."""
    with ZipFile(folder / "files.zip", "w") as files, ZipFile(folder / "later.zip", "w") as later:
        for library, prefix in zip(libraries, ("/lib/python314.zip/", "/packages/"), strict=True):
            with ZipFile(library) as archive:
                for entry in archive.infolist():
                    if not entry.filename.endswith(".pyc"):
                        files.writestr(entry, archive.read(entry))
                    elif prefix + entry.filename not in imported and not entry.filename.startswith(_NEVER_IMPORTED):
                        later.writestr(entry, archive.read(entry))
