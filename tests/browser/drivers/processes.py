"""Processes that never outlive the tests."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO


def spawn(
    command: Sequence[str | Path],
    env: Mapping[str, str] | None = None,
    output: IO[bytes] | int = subprocess.DEVNULL,
    keep: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a program in a process group of its own, its two outputs in one."""
    # Should these tests be killed outright, the kernel ends the program: no clean-up of ours could.
    leash = ["setpriv", "--pdeathsig", "KILL", "--"] if shutil.which("setpriv") else []
    return subprocess.Popen(
        [*leash, *map(str, command)],
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        pass_fds=keep,
    )


def end(process: subprocess.Popen[bytes], patience: float = 0.0) -> None:
    """Give it time to finish by itself, then end it and all that it started."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(patience)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(10)
    if process.stdout is not None:
        process.stdout.close()


def memory(mark: str) -> int:
    """Bytes held by the processes with the mark on their command line (a profile) and all that they started.

    Pages that several processes share count in parts (the kernel's proportional set size). Linux only.
    """
    commands = {int(path.name): path for path in Path("/proc").iterdir() if path.name.isdigit()}
    family = {pid for pid, path in commands.items() if mark.encode() in _content(path / "cmdline")} - {os.getpid()}
    parents = {pid: _parent(path) for pid, path in commands.items()}
    while children := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= children
    return sum(_proportional_size(commands[pid]) for pid in family)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # it has just ended
        return b""


def _parent(process: Path) -> int:
    fields = _content(process / "stat").rpartition(b")")[2].split()  # the name before it may hold anything
    return int(fields[1]) if fields else 0


def _proportional_size(process: Path) -> int:
    line = re.search(rb"^Pss:\s+(\d+) kB", _content(process / "smaps_rollup"), re.MULTILINE)
    return int(line[1]) * 1024 if line else 0
