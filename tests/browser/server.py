"""The static server, and what can go wrong with a server."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path

from knyf_panel.build.serving import Reply, StaticServer

PATIENCE = 60  # seconds that an answer is held back at most, should a test have failed meanwhile


@dataclass(frozen=True)
class Fault:
    """What is wrong with a path: it is missing, it arrives damaged or cut short, takes its time, or is another."""

    missing: bool = False
    corrupt: bool = False
    cut: bool = False
    delay: float = 0.0  # seconds
    until: threading.Event | None = None  # no answer before that
    instead: bytes | None = None  # another content


class FaultyServer(StaticServer):
    """`server.faults["app.wasm"] = Fault(corrupt=True)`: paths are relative to the base; `clear()` heals."""

    def __init__(self, folder: Path, base: str = "/", port: int = 0, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(folder, base, port, headers)
        self.faults: dict[str, Fault] = {}

    @property
    def paths(self) -> list[str]:
        """What was asked for so far, relative to the base where it lies below it."""
        return [request.path.removeprefix(self.base) for request in self.log]

    @property
    def sent(self) -> int:
        """Bytes of all bodies so far."""
        return sum(request.sent for request in self.log)

    def reply(self, path: str) -> Reply:
        fault = self.faults.get(path.removeprefix(self.base), Fault())
        time.sleep(fault.delay)
        if fault.until:
            fault.until.wait(PATIENCE)
        reply = super().reply(path)
        if fault.missing:
            return Reply(HTTPStatus.NOT_FOUND)
        if fault.instead is not None:
            reply = replace(reply, body=fault.instead)
        if fault.corrupt:
            reply = replace(reply, body=_damaged(reply.body))
        if fault.cut:
            reply = replace(reply, body=reply.body[: len(reply.body) // 2])
        return reply


def _damaged(body: bytes) -> bytes:
    """The same length, every sixteenth byte changed: past any header, and no checksum holds."""
    damaged = bytearray(body)
    for at in range(8 if len(body) > 8 else 0, len(body), 16):
        damaged[at] ^= 0xFF
    return bytes(damaged)
