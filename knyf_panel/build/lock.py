"""The lock file: exact versions and hashes of everything that is installed, for every platform and Python at once."""

from __future__ import annotations

from knyf_panel.build.environment import LOCK, python
from knyf_panel.build.steps import ROOT, run, step

_COMPILE = "pip compile --quiet --universal --generate-hashes --python-version 3.11 --extra test".split()
# The file names packages, never where they come from: that is each machine's own setting.
_ANONYMOUS = ["--no-emit-index-url", "--no-emit-find-links", "--custom-compile-command", "python build.py lock"]


def renew(upgrade: bool) -> None:
    """Write the lock file anew; versions that still fit are kept unless an upgrade is asked for."""
    with step(f"Writing {LOCK.relative_to(ROOT).as_posix()}"):
        uv = [str(python()), "-m", "uv", *_COMPILE, *_ANONYMOUS, *(["--upgrade"] if upgrade else [])]
        run([*uv, "--output-file", str(LOCK), "pyproject.toml"], advice="The lock file is unchanged.")
