"""What `build.py test` runs: lint, format, types, then all tests."""

from __future__ import annotations

from collections.abc import Sequence

from knyf_panel.build.environment import python
from knyf_panel.build.steps import run, step

_CHECKS = (
    ("Lint", ("ruff", "check"), "ruff found something: `.venv/bin/ruff check --fix` mends most of it."),
    ("Format", ("ruff", "format", "--check"), "Let `.venv/bin/ruff format` lay the files out."),
    ("Types", ("mypy",), "mypy found something: each line above names the file and the reason."),
)


def test(pytest_arguments: Sequence[str]) -> None:
    interpreter = python("test")
    for name, command, advice in _CHECKS:
        with step(name):
            run([interpreter, "-m", *command], advice)
    with step("Tests"):
        run([interpreter, "-m", "pytest", *pytest_arguments], "A test failed: see above.")
