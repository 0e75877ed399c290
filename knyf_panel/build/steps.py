"""A line for every step: what begins, and how long it took."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"


class StepFailed(Exception):
    """A step that could not be done; the message tells what to do next."""


@contextmanager
def step(name: str) -> Iterator[None]:
    """Announce a step and say how it ended."""
    print(f"· {name} …", flush=True)
    start = time.perf_counter()
    try:
        yield
    except BaseException:
        print(f"✗ {name}", flush=True)
        raise
    print(f"✓ {name} ({time.perf_counter() - start:.1f} s)", flush=True)


def run(command: Sequence[str | Path], advice: str, env: Mapping[str, str] | None = None) -> None:
    """Run a command in the project's root, its output shown as it comes; StepFailed with the advice if it fails."""
    sys.stdout.flush()
    done = subprocess.run([str(part) for part in command], cwd=ROOT, env={**os.environ, **(env or {})}, check=False)
    if done.returncode:
        raise StepFailed(advice)
