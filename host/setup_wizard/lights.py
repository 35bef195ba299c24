"""Looking for the lights, and lighting them so that somebody can see that they are the right ones."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from host.lights.frame import IDLE, Bar, LightFrame
from host.link.link import Link
from host.sinks.lights import LightOutput

LightsState: TypeAlias = Literal["idle", "looking", "found", "absent", "trouble"]

GIVE_UP: Final = 2.0
"""Seconds after which a machine with nothing plugged in is said to have none."""
SHOWN: Final = LightFrame("game", (Bar("near", 3), Bar("near", 0), Bar("far", 3)))
"""Left bar three lights towards the near seat, the middle one balanced, the right bar three towards the far seat."""


@dataclass(frozen=True, slots=True)
class LightSearch:
    """How the search stands. `trouble` is a code of the link, with what it is about."""

    state: LightsState
    port: str = ""
    trouble: str | None = None
    parts: tuple[tuple[str, str], ...] = ()
    firmware: str = ""


class LightsFinder:
    """Holds the link while the lights are looked for and tested; `stop` lets go of it, so that the game can have it."""

    def __init__(self, port: str | None = None, start: Callable[[str | None], LightOutput] = Link.start) -> None:
        """`port` as `Link.start` takes it; None finds the controller by asking."""
        self._port, self._start = port, start
        self._lock = threading.Lock()
        self._link: LightOutput | None = None

    def look(self) -> None:
        """Begins to look, if that is not already being done."""
        with self._lock:
            if self._link is None:
                self._link = self._start(self._port)
                self._link.show(IDLE)

    def light(self, on: bool) -> None:
        """Shows the test picture, or puts it out."""
        with self._lock:
            if self._link is not None:
                self._link.show(SHOWN if on else IDLE)

    def found(self) -> LightSearch:
        with self._lock:
            if self._link is None:
                return LightSearch("idle")
            health = self._link.health()
        trouble, port = health.trouble, health.port or ""
        if health.state == "up":
            return LightSearch("found", port, firmware=health.firmware or "")
        if health.state == "off" or (trouble is not None and trouble.code == "no-device"):
            return LightSearch("absent" if health.down_for >= GIVE_UP or health.state == "off" else "looking")
        if trouble is not None and health.down_for >= GIVE_UP:
            return LightSearch("trouble", trouble.port or port, trouble.code, trouble.parts)
        return LightSearch("looking", port)

    def stop(self) -> None:
        with self._lock:
            link, self._link = self._link, None
        if link is not None:
            link.close()
