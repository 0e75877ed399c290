"""Who may know of whom: engine ← texts ← the rest, and the engine needs the standard library only."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "knyf_panel"

MAY_IMPORT = {  # besides the standard library
    "engine": {"knyf_panel.engine"},
    "texts": {"knyf_panel.engine", "knyf_panel.texts"},
    "dashboards": {"knyf_panel.engine", "knyf_panel.texts", "knyf_panel.dashboards", "bokeh", "panel", "param"},
    "browser": {
        "knyf_panel.dashboards",
        "knyf_panel.engine",
        "knyf_panel.texts",
        "knyf_panel.browser",
        "bokeh",
        "panel",
    },
    # What runs before anything is installed imports itself only; the pages need the rest.
    "build": {"knyf_panel.build", "knyf_panel.dashboards", "knyf_panel.texts"},
    "training": {"knyf_panel.engine", "knyf_panel.training", "numpy"},
}


def imported_by(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield node.module or ""


@pytest.mark.parametrize("layer", MAY_IMPORT)
def test_a_layer_imports_only_what_it_may_know(layer: str) -> None:
    for path in (PACKAGE / layer).rglob("*.py"):
        for module in imported_by(path):
            names = {module.partition(".")[0], ".".join(module.split(".")[:2])}
            assert names & (MAY_IMPORT[layer] | sys.stdlib_module_names), f"{path} imports {module}"


def test_every_layer_is_named_here() -> None:
    layers = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert layers == set(MAY_IMPORT)


def test_the_engine_runs_on_the_standard_library_alone() -> None:
    """In a fresh interpreter without site-packages, it loads itself and the standard library, nothing else."""
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); before = set(sys.modules)\n"
        "from knyf_panel.engine import knyf, kosci, knister\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, str(PACKAGE.parent)], capture_output=True, text=True, check=True
    )
    foreign = {
        name
        for name in done.stdout.split()
        if name.partition(".")[0] not in sys.stdlib_module_names and not name.startswith("knyf_panel.engine")
    }
    assert foreign == {"knyf_panel"}


def test_the_three_games_have_the_same_rooms() -> None:
    rooms = {
        game: {path.name for path in (PACKAGE / "engine" / game).glob("*.py")} for game in ("knyf", "kosci", "knister")
    }
    assert rooms["knyf"] == rooms["kosci"] == rooms["knister"]


def test_the_engine_holds_no_text_and_no_clock() -> None:
    """No module of the engine prints, reads files or asks for the time or for unseeded randomness."""
    for path in (PACKAGE / "engine").rglob("*.py"):
        assert not {"time", "datetime", "secrets", "os", "pathlib", "io"} & set(imported_by(path)), path
        names = {node.id for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Name)}
        assert not {"print", "open", "input"} & names, path
