"""What the screens are sent: the newest value of each part, with a delay where the organiser wants one.

There are no queues that can grow for a slow screen: a part that changed five times meanwhile is sent once.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

Part: TypeAlias = Mapping[str, Any]

LISTENERS_AT_MOST: Final = 18
"""Of each feed: together fewer than the page server has threads (`host.web.server`)."""
_DELAYED_AT_MOST: Final = 200_000
"""Values that wait for their time; beyond that the oldest are shown at once rather than memory being filled."""


class Feed:
    """Parts by name, each with the number of its last change. Safe to use from several threads.

    `clock` gives seconds and may be any that only goes forward.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._parts: dict[str, tuple[int, Part | None]] = {}
        self._delayed: deque[tuple[float, str, Part | None]] = deque()
        self._version = 0
        self._listeners = 0
        self._closed = False
        self._ended = threading.Event()

    def publish(self, name: str, part: Part | None, delay: float = 0.0) -> None:
        """Shows `part` in `delay` seconds; None takes it off. Order is kept, also when the delay becomes shorter."""
        with self._changed:
            if delay <= 0 and not self._delayed:
                self._show(name, part)
            else:
                self._delayed.append((self._clock() + delay, name, part))
            if self._release():
                self._changed.notify_all()

    def _show(self, name: str, part: Part | None) -> None:
        if name in self._parts and self._parts[name][1] == part:
            return
        self._version += 1
        # The newest stands last, so that a screen is given what changed without looking at everything.
        self._parts.pop(name, None)
        self._parts[name] = (self._version, part)
        self._changed.notify_all()

    def _release(self) -> bool:
        """Shows what is due; whether anything was."""
        now, before = self._clock(), self._version
        while self._delayed and (self._delayed[0][0] <= now or len(self._delayed) > _DELAYED_AT_MOST):
            _, name, part = self._delayed.popleft()
            self._show(name, part)
        return self._version != before

    def shown(self) -> dict[str, Part]:
        """Everything that is shown now."""
        with self._changed:
            self._release()
            return {name: part for name, (_, part) in self._parts.items() if part is not None}

    def wait(self, version: int, patience: float) -> tuple[int, dict[str, Part | None]]:
        """What changed after `version`, at once or within `patience` seconds; nothing where nothing did."""
        until = self._clock() + patience
        with self._changed:
            while not self._closed:
                self._release()
                if self._version > version:
                    break
                rest = until - self._clock()
                if rest <= 0:
                    break
                due = self._delayed[0][0] - self._clock() if self._delayed else rest
                self._changed.wait(max(0.001, min(rest, due)))
            changed: dict[str, Part | None] = {}
            for name, (at, part) in reversed(self._parts.items()):
                if at <= version:
                    break
                changed[name] = part
            return self._version, changed

    def rest(self, seconds: float) -> None:
        """Lets changes gather, so that a busy club costs a screen no more than a quiet one."""
        self._ended.wait(seconds)

    def join(self) -> bool:
        """Counts one more listener in; False where there are as many as are served."""
        with self._changed:
            if self._listeners >= LISTENERS_AT_MOST:
                return False
            self._listeners += 1
            return True

    def leave(self) -> None:
        with self._changed:
            self._listeners -= 1

    @property
    def closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        self._ended.set()
        with self._changed:
            self._closed = True
            self._changed.notify_all()
