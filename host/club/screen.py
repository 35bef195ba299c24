"""What the screens are sent: the newest value of each part, with a delay where the organiser wants one.

There are no queues that can grow for a slow screen: a part that changed five times meanwhile is sent once.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from host.web.stream import HEARTBEAT_SECONDS, TooManyListeners

ScreenPart: TypeAlias = Mapping[str, Any]

LISTENERS_AT_MOST: Final = 200
"""Of each feed. A screen costs no thread, and what it is sent is made for it alone."""
_DELAYED_AT_MOST: Final = 200_000
"""Values that wait for their time; beyond that the oldest are shown at once rather than memory being filled."""


class Feed:
    """Parts by name, each with the number of its last change. Safe to use from several threads.

    `clock` gives seconds and may be any that only goes forward.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._parts: dict[str, tuple[int, ScreenPart | None]] = {}
        self._delayed: deque[tuple[float, str, ScreenPart | None]] = deque()
        self._version = 0
        self._listeners: set[FeedListening] = set()
        self._closed = False

    def publish(self, name: str, part: ScreenPart | None, delay: float = 0.0) -> None:
        """Shows `part` in `delay` seconds; None takes it off. Order is kept, also when the delay becomes shorter."""
        with self._changed:
            if delay <= 0 and not self._delayed:
                self._show(name, part)
            else:
                self._delayed.append((self._clock() + delay, name, part))
                # Who waits has to know when it is due.
                self._wake()
            if self._release():
                self._wake()

    def _show(self, name: str, part: ScreenPart | None) -> None:
        if name in self._parts and self._parts[name][1] == part:
            return
        self._version += 1
        # The newest stands last, so that a screen is given what changed without looking at everything.
        self._parts.pop(name, None)
        self._parts[name] = (self._version, part)
        self._wake()

    def _wake(self) -> None:
        self._changed.notify_all()
        for listening in self._listeners:
            listening.wake()

    def _release(self) -> bool:
        """Shows what is due; whether anything was."""
        now, before = self._clock(), self._version
        while self._delayed and (self._delayed[0][0] <= now or len(self._delayed) > _DELAYED_AT_MOST):
            _, name, part = self._delayed.popleft()
            self._show(name, part)
        return self._version != before

    def shown(self) -> dict[str, ScreenPart]:
        """Everything that is shown now."""
        with self._changed:
            self._release()
            return {name: part for name, (_, part) in self._parts.items() if part is not None}

    def changed_after(self, version: int) -> tuple[int, dict[str, ScreenPart | None]]:
        """The newest version, and the parts that changed after `version`."""
        with self._changed:
            self._release()
            changed: dict[str, ScreenPart | None] = {}
            for name, (at, part) in reversed(self._parts.items()):
                if at <= version:
                    break
                changed[name] = part
            return self._version, changed

    def due(self) -> float:
        """Seconds until the next delayed part is to be shown; infinite where none waits."""
        with self._changed:
            return max(0.0, self._delayed[0][0] - self._clock()) if self._delayed else math.inf

    def listen(self, patience: float = HEARTBEAT_SECONDS, wake: Callable[[], None] = lambda: None) -> FeedListening:
        """What changes, from everything that is shown on. `wake` is called, by any thread, where there is more, or at
        the end; it must not wait and must not ask the feed. Raises `TooManyListeners`."""
        with self._changed:
            if len(self._listeners) >= LISTENERS_AT_MOST:
                raise TooManyListeners
            listening = FeedListening(self, patience, wake)
            self._listeners.add(listening)
        return listening

    def leave(self, listening: FeedListening) -> None:
        with self._changed:
            self._listeners.discard(listening)

    def wait_for_change(self, version: int, patience: float) -> None:
        """Waits until something is newer than `version`, the feed is closed, or `patience` seconds are over."""
        until = self._clock() + patience
        with self._changed:
            while not self._closed and not self._release() and self._version <= version:
                rest = until - self._clock()
                if rest <= 0:
                    return
                self._changed.wait(max(0.001, min(rest, self.due())))

    @property
    def closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._wake()


class FeedListening:
    """One screen's changes: see `host.web.event_stream.Listened`."""

    def __init__(self, feed: Feed, patience: float, wake: Callable[[], None]) -> None:
        self._feed, self._patience, self.wake = feed, patience, wake
        self._version = 0
        self._begun = False

    def __next__(self) -> dict[str, ScreenPart | None] | None:
        """The parts that changed, the first time all of them; None where none did."""
        if self._begun and self._patience > 0:
            self._feed.wait_for_change(self._version, self._patience)
        if self._feed.closed:
            raise StopIteration
        version, parts = self._feed.changed_after(self._version)
        if self._begun and version == self._version:
            return None
        self._begun, self._version = True, version
        return parts

    def due(self) -> float:
        return self._feed.due()

    def close(self) -> None:
        self._feed.leave(self)
