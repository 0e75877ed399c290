"""Takes numpy's place in the browser, where there is none.

bokeh and panel import numpy, but for widgets and for charts fed with lists they ask it only for the names of types, to
compare with. Here are those names. Whatever else is asked of it fails, and says why.
"""

from __future__ import annotations

from typing import Any, NoReturn

__version__ = "2.4.6"  # bokeh looks at it


class generic: ...


class number(generic): ...


class integer(number): ...


class floating(number): ...


class bool_(generic): ...


class datetime64(generic):
    """bokeh makes one when it is imported, the beginning of its calendar, and asks nothing of it."""

    def __init__(self, *_: object) -> None: ...


class timedelta64(generic):
    """The same."""

    def __init__(self, *_: object) -> None: ...


class int8(integer): ...


class int16(integer): ...


class int32(integer): ...


class int64(integer): ...


class uint8(integer): ...


class uint16(integer): ...


class uint32(integer): ...


class uint64(integer): ...


class float32(floating): ...


class float64(floating): ...


class ndarray:
    """Nothing is an instance of it."""

    def __init__(self, *_: object, **__: object) -> None:
        _refuse("ndarray()")


class dtype:
    """A name for a type of array elements, to be compared and looked up; there are no arrays."""

    def __init__(self, kind: object) -> None:
        self.kind = kind

    def __eq__(self, other: object) -> bool:
        return isinstance(other, dtype) and other.kind == self.kind

    def __hash__(self) -> int:
        return hash(self.kind)


def _refuse(what: str) -> NoReturn:
    raise AttributeError(
        f"numpy.{what} is not available in the browser: a stand-in with numpy's type names takes its place there. "
        "Use lists, or run this natively."
    )


def __getattr__(name: str) -> Any:
    _refuse(name)
