"""The Python packages of the site: ours and those it imports, less what has no use in the browser."""

from __future__ import annotations

import shutil
from pathlib import Path

from knyf_panel.build.environment import packages
from knyf_panel.build.steps import ROOT

# Pure Python, found by importing the dashboards in Pyodide: what is missing fails there, at build time.
IMPORTED = ("bokeh", "jinja2", "markupsafe", "packaging", "panel", "param", "pyviz_comms", "tqdm", "yaml")
OURS = ("__init__.py", "browser", "dashboards", "engine", "texts")
STAND_INS = {"numpy_stand_in.py": "numpy.py", "panel_io_stand_in.py": "panel/io/pyodide.py"}

_UNUSED_FOLDERS = {
    "__pycache__",
    "command",
    "dist",  # panel's JavaScript and styles: the page loads those it needs
    "node_modules",
    "sampledata",
    "server",  # there is none in the browser
    "sphinxext",
    "static",  # bokeh's JavaScript
    "styles",  # sources of panel's style sheets
    "tests",
}
_UNUSED_ENDINGS = (
    *(".so", ".pyd", ".dylib", ".c", ".pyx"),  # compiled, for other machines
    *(".js", ".ts", ".map", ".less", ".ico", "package-lock.json", "tsconfig.json"),
    *(".pyi", ".typed", ".1"),
)
_READ_AT_IMPORT = "notebook.js"  # by pyviz_comms


def stage(folder: Path) -> None:
    """Copy the sources of everything that the browser's Python needs."""
    for name in IMPORTED:
        _copy(packages() / name, folder / name)
    for name in OURS:
        _copy(ROOT / "knyf_panel" / name, folder / "knyf_panel" / name)
    for source, target in STAND_INS.items():
        shutil.copy(ROOT / "knyf_panel" / "browser" / source, folder / target)
    for metadata in packages().glob("*.dist-info"):  # some packages ask for their own version
        if metadata.name.split("-")[0].lower() in IMPORTED:
            (folder / metadata.name).mkdir()
            header, _, _ = (metadata / "METADATA").read_text(encoding="utf-8").partition("\n\n")
            (folder / metadata.name / "METADATA").write_text(header, encoding="utf-8")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_file():
        shutil.copy(source, target)
    else:
        shutil.copytree(source, target, ignore=_unused)


def _unused(folder: str, names: list[str]) -> set[str]:
    is_code = Path(folder).name != "_templates"
    return {name for name in names if name in _UNUSED_FOLDERS or (is_code and _is_unused_file(name))}


def _is_unused_file(name: str) -> bool:
    return name.endswith(_UNUSED_ENDINGS) and name != _READ_AT_IMPORT
