"""Runs in Pyodide at build time: makes byte code without what nobody reads in the browser.

Docstrings and assertions go by `optimize=2`. The `help=` texts of bokeh's properties and the `doc=` texts of param's
parameters are arguments, not docstrings; they are as long as the code and would all lie in memory, so they go as well.
So do the line numbers of code that is not ours: a traceback names its functions, and the lines of our own modules.
"""

from __future__ import annotations

import ast
import importlib.util
import marshal
import zipfile
from collections.abc import Iterable
from pathlib import Path
from types import CodeType

_OURS = "knyf_panel"
_DOCUMENTED = ("bokeh", "panel", "param")
_HELP = ("help", "doc")
_UNCHANGING = (1980, 1, 1, 0, 0, 0)  # the same bytes from every build


class _WithoutHelp(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        node.keywords = [word for word in node.keywords if not _is_help(word)]
        return node


def _is_help(word: ast.keyword) -> bool:
    is_text = isinstance(word.value, ast.JoinedStr) or (
        isinstance(word.value, ast.Constant) and isinstance(word.value.value, str)
    )
    return word.arg in _HELP and is_text


def byte_code(source: bytes, name: str) -> bytes:
    tree = ast.parse(source)
    if name.split("/")[0] in _DOCUMENTED:
        tree = _WithoutHelp().visit(tree)
    code = compile(tree, name, "exec", dont_inherit=True, optimize=2)
    if not name.startswith(_OURS):
        code = _without_lines(code)
    unchecked = (1).to_bytes(4, "little")  # there is no source beside it to compare with
    return importlib.util.MAGIC_NUMBER + unchecked + bytes(8) + marshal.dumps(code)


def _without_lines(code: CodeType) -> CodeType:
    constants = tuple(_without_lines(item) if isinstance(item, CodeType) else item for item in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=constants)


def pack_folder(folder: str, target: str) -> None:
    root = Path(folder)
    files = sorted(path for path in root.rglob("*") if path.is_file())
    _pack(((path.relative_to(root).as_posix(), path.read_bytes()) for path in files), target)


def pack_library(source: str, target: str) -> None:
    archive = zipfile.ZipFile(source)
    _pack(((name, archive.read(name)) for name in sorted(archive.namelist()) if not name.endswith("/")), target)


def _pack(files: Iterable[tuple[str, bytes]], target: str) -> None:
    """Stored, not deflated: the whole archive is compressed once, and better, on its way to the browser."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files:
            if name.endswith(".py"):
                name, content = f"{name}c", byte_code(content, name)
            archive.writestr(zipfile.ZipInfo(name, _UNCHANGING), content)
