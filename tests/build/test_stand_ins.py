"""The stand-ins: what takes the place of numpy and of panel.io.pyodide in the browser, and what it does not do."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from knyf_panel.browser import numpy_stand_in, panel_io_stand_in
from knyf_panel.build.environment import packages
from knyf_panel.build.staging import STAND_INS, stage

TYPES = (
    *("generic", "number", "integer", "floating", "bool_", "datetime64", "timedelta64"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"),
)
OFFERED = {*TYPES, "ndarray", "dtype"}
OF_THE_LANGUAGE = {"Any", "NoReturn", "annotations"}


class TestNumpy:
    def test_it_offers_these_names_and_no_other(self) -> None:
        names = {name for name in vars(numpy_stand_in) if not name.startswith("_")}
        assert names - OF_THE_LANGUAGE == OFFERED

    def test_it_says_that_it_is_the_version_that_runs_natively(self) -> None:
        assert numpy_stand_in.__version__ == np.__version__

    def test_numpy_has_the_same_names(self) -> None:
        assert not OFFERED - set(dir(np))

    def test_types_nest_as_those_of_numpy_do(self) -> None:
        """One relation is left out: to numpy a span of time is a number. Nothing here is one, so nobody can tell."""
        for inner, outer in product(TYPES, repeat=2):
            ours = issubclass(getattr(numpy_stand_in, inner), getattr(numpy_stand_in, outer))
            theirs = issubclass(getattr(np, inner), getattr(np, outer))
            is_left_out = inner == "timedelta64" and outer in ("number", "integer")
            assert ours == (theirs and not is_left_out), f"{inner} in {outer}"

    @pytest.mark.parametrize("name", ["array", "asarray", "zeros", "isnan", "random", "nan", "no_such_thing"])
    def test_everything_else_fails_and_says_why(self, name: str) -> None:
        with pytest.raises(AttributeError, match=rf"numpy\.{name} is not available in the browser.*Use lists"):
            getattr(numpy_stand_in, name)
        assert not hasattr(numpy_stand_in, name)

    def test_there_are_no_arrays(self) -> None:
        with pytest.raises(AttributeError, match=r"numpy\.ndarray\(\) is not available in the browser"):
            numpy_stand_in.ndarray((2, 2))
        for value in ([1, 2], (1,), 1.0, None, memoryview(b"1")):
            assert not isinstance(value, numpy_stand_in.ndarray)

    def test_names_of_element_types_can_be_compared_and_looked_up(self) -> None:
        table = {numpy_stand_in.dtype("float64"): "numbers"}
        assert table[numpy_stand_in.dtype("float64")] == "numbers"
        assert numpy_stand_in.dtype("float64") != numpy_stand_in.dtype("int8")
        assert numpy_stand_in.dtype("float64") != "float64"

    def test_the_beginning_of_a_calendar_can_be_named(self) -> None:
        assert isinstance(numpy_stand_in.datetime64("1970-01-01T00:00:00Z"), numpy_stand_in.generic)
        assert isinstance(numpy_stand_in.timedelta64(1, "ms"), numpy_stand_in.generic)


def asked_at_import() -> Iterator[str]:
    """The names that panel takes from panel.io.pyodide whenever it is imported in the browser."""
    source = (packages() / "panel" / "io" / "__init__.py").read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith("pyodide"):
            yield from (alias.name for alias in node.names)


class TestPanelsPyodide:
    def test_it_has_what_panel_asks_for(self) -> None:
        asked = set(asked_at_import())
        assert asked == {"serve"}
        assert asked < set(vars(panel_io_stand_in))

    def test_it_knows_that_it_is_in_a_worker(self) -> None:
        assert panel_io_stand_in._IN_WORKER
        assert not panel_io_stand_in._IN_PYSCRIPT_WORKER

    def test_serving_fails_and_says_why(self) -> None:
        with pytest.raises(RuntimeError, match=r"no server in the browser.*knyf_panel\.browser\.bridge"):
            panel_io_stand_in.serve({}, port=5006)


def test_the_stand_ins_are_where_the_browser_imports_them(tmp_path: Path) -> None:
    stage(tmp_path)
    for source, target in STAND_INS.items():
        assert (tmp_path / target).read_bytes() == Path(numpy_stand_in.__file__).with_name(source).read_bytes()
    assert not (tmp_path / "numpy").exists()


def test_what_the_browser_cannot_use_is_left_out(tmp_path: Path) -> None:
    stage(tmp_path)
    staged = [path for path in tmp_path.rglob("*") if path.is_file()]
    endings = {path.suffix for path in staged}
    assert ".py" in endings
    assert not endings & {".so", ".pyd", ".ts", ".map", ".pyi", ".pyc"}
    assert not [path for path in staged if "tests" in path.parts[len(tmp_path.parts) :]]
    assert not (tmp_path / "knyf_panel" / "build").exists()
