"""Steps whose inputs did not change are not repeated: their results are kept under a name made of the inputs."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from knyf_panel.build.steps import ROOT, step

FOLDER = ROOT / ".cache"


def kept(name: str, inputs: Iterable[Path | str | bytes], make: Callable[[Path], None]) -> Path:
    """The folder that `make` filled from these inputs, now or in an earlier build. Older results are thrown away."""
    folder = FOLDER / f"{name}-{fingerprint(inputs)[:16]}"
    if folder.exists():
        print(f"✓ {name}: unchanged", flush=True)
        return folder
    unfinished = folder.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    try:
        with step(name):
            make(unfinished)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    for older in FOLDER.glob(f"{name}-*"):
        if older != unfinished:
            shutil.rmtree(older)
    return unfinished.rename(folder)


def fingerprint(inputs: Iterable[Path | str | bytes]) -> str:
    """Of the contents of files and folders, of texts and bytes."""
    digest = hashlib.sha256()
    for item in inputs:
        if isinstance(item, Path):
            for path in files_of(item):
                digest.update(path.relative_to(item.parent).as_posix().encode() + b"\0")
                digest.update(hashlib.sha256(path.read_bytes()).digest())
        else:
            digest.update(item.encode() if isinstance(item, str) else item)
        digest.update(b"\0")
    return digest.hexdigest()


def files_of(path: Path) -> list[Path]:
    """The file itself, or all files of a folder in a fixed order, without what Python leaves behind."""
    if path.is_file():
        return [path]
    return sorted(file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
