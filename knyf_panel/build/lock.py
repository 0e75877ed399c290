"""The lock files: exact versions and hashes of everything that is installed, for every platform and Python at once."""

from __future__ import annotations

from knyf_panel.build.environment import LOCKS, python
from knyf_panel.build.steps import ROOT, run, step

_EXTRAS = {"test": ("test", "build"), "build": ("build",)}  # the file of tests first: the other has the same versions
_COMPILE = ("pip", "compile", "--quiet", "--universal", "--generate-hashes", "--python-version", "3.11")
# The files name packages, never where they come from: that is each machine's own setting.
_ANONYMOUS = ("--no-emit-index-url", "--no-emit-find-links", "--custom-compile-command", "python build.py lock")


def renew(upgrade: bool) -> None:
    """Write the lock files anew; versions that still fit are kept unless an upgrade is asked for."""
    for name, extras in _EXTRAS.items():
        lock = LOCKS / f"{name}.txt"
        with step(f"Writing {lock.relative_to(ROOT).as_posix()}"):
            command = [str(python("test")), "-m", "uv", *_COMPILE, *_ANONYMOUS, *(["--upgrade"] if upgrade else [])]
            command += [word for extra in extras for word in ("--extra", extra)]
            command += ["--constraint", str(LOCKS / "test.txt")] if name != "test" else []
            run([*command, "--output-file", str(lock), "pyproject.toml"], advice="The lock files are unchanged.")
