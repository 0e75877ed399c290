"""What `build.py test` runs: lint, format, types, then the browsers and the site, then all tests."""

from __future__ import annotations

from collections.abc import Sequence

from knyf_panel.build import browsers, make
from knyf_panel.build.environment import python
from knyf_panel.build.steps import run, step

_CHECKS = (
    ("Lint", ("ruff", "check"), "ruff found something: `.venv/bin/ruff check --fix` mends most of it."),
    ("Format", ("ruff", "format", "--check"), "Let `.venv/bin/ruff format` lay the files out."),
    ("Types", ("mypy",), "mypy found something: each line above names the file and the reason."),
)
_NEEDS_NO_SITE = ("tests/engine", "tests/texts", "tests/training")


def test(pytest_arguments: Sequence[str]) -> None:
    interpreter = python("test")
    for name, command, advice in _CHECKS:
        with step(name):
            run([interpreter, "-m", *command], advice)
    if _needs_site(pytest_arguments):
        browsers.ensure()
        make.build()
    with step("Tests"):
        run([interpreter, "-m", "pytest", *pytest_arguments], "A test failed: see above.")


def _needs_site(pytest_arguments: Sequence[str]) -> bool:
    """Whoever names tests of the engine or the texts only does not wait for the site."""
    named = [argument for argument in pytest_arguments if argument.startswith("tests")]
    return not named or not all(path.startswith(_NEEDS_NO_SITE) for path in named)
