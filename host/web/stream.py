"""The event stream: one broadcaster, a bounded queue for each listener, a snapshot on connect.

What is sent is always the whole view, numbered. A listener that is too slow loses views in between, never the newest;
one that was away gets the newest first. So there is nothing to repair: a gap in the numbers is harmless.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from host.web.roles import Role

HEARTBEAT_SECONDS: Final = 5.0
QUEUE_LENGTH: Final = 4
LISTENERS_AT_MOST: Final = 400
"""More than the server has places for; a last limit."""


class TooManyListeners(Exception):
    """The table has as many listeners as it serves."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A view with its number; `made` is `time.perf_counter()` when what it shows was seen."""

    number: int
    view: Any
    made: float


class _Listener:
    """One connected page. `waiting` holds what it was not sent yet; `wake` is called when there is more, or the end."""

    __slots__ = ("role", "waiting", "wake")

    def __init__(self, wake: Callable[[], None], role: Role) -> None:
        self.wake, self.role = wake, role
        self.waiting: deque[Numbered] = deque(maxlen=QUEUE_LENGTH)


class Listening:
    """One listener's views. An object and not a generator: one that was never started must let go of its place too."""

    def __init__(self, broadcaster: Broadcaster, listener: _Listener, patience: float) -> None:
        self._broadcaster = broadcaster
        self._listener = listener
        self._patience = patience

    def __iter__(self) -> Listening:
        return self

    def __next__(self) -> Numbered | None:
        return self._broadcaster.next_for(self._listener, self._patience)

    def due(self) -> float:
        return HEARTBEAT_SECONDS

    def close(self) -> None:
        self._broadcaster.leave(self._listener)


class Broadcaster:
    """Hands each published view to all listeners. Safe to use from several threads.

    The clock is passed in, so that heartbeats can be tested without waiting for them.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._listeners: dict[_Listener, None] = {}
        """Those who play or run the table first: what was decided reaches them before the onlookers."""
        self._newest: Numbered | None = None
        self._number = 0
        self._closed = False
        self.present_changed: Callable[[], None] = lambda: None
        """Called, without a lock, when a role that nobody listened as has a listener, or has none any more."""

    @property
    def newest(self) -> Numbered | None:
        """What a page that connects now gets first."""
        with self._changed:
            return self._newest

    @property
    def listening(self) -> int:
        """How many listeners are connected."""
        with self._changed:
            return len(self._listeners)

    def present(self) -> frozenset[Role]:
        """The roles of those who listen now."""
        with self._changed:
            return self._roles()

    def _roles(self) -> frozenset[Role]:
        return frozenset(listener.role for listener in self._listeners)

    def publish(self, view: Any) -> int:
        """Sends `view` to all listeners and returns its number."""
        with self._changed:
            self._number += 1
            self._newest = Numbered(self._number, view, self._clock())
            for listener in self._listeners:
                listener.waiting.append(self._newest)
                listener.wake()
            self._changed.notify_all()
            return self._number

    def listen(
        self,
        patience: float = HEARTBEAT_SECONDS,
        wake: Callable[[], None] = lambda: None,
        role: Role = "viewer",
    ) -> Listening:
        """Views as they come, the newest at once; None every `patience` seconds without one (send a heartbeat).

        Who has no thread to wait with asks with a patience of 0 when `wake` was called, by any thread; it must not
        wait and must not ask the broadcaster. Ends when the broadcaster or the listening is closed. Raises
        `TooManyListeners`.
        """
        listener = _Listener(wake, role)
        with self._changed:
            if len(self._listeners) >= LISTENERS_AT_MOST:
                raise TooManyListeners
            here = self._roles()
            self._listeners[listener] = None
            if role != "viewer":
                self._listeners = dict.fromkeys(sorted(self._listeners, key=lambda other: other.role == "viewer"))
            if self._newest is not None:
                listener.waiting.append(self._newest)
        if role not in here:
            self.present_changed()
        return Listening(self, listener, patience)

    def next_for(self, listener: _Listener, patience: float) -> Numbered | None:
        """The listener's next view, or None; raises `StopIteration` at the end."""
        with self._changed:
            if not listener.waiting and not self._closed:
                self._changed.wait(patience)
            if self._closed or listener not in self._listeners:
                raise StopIteration
            return listener.waiting.popleft() if listener.waiting else None

    def leave(self, listener: _Listener) -> None:
        with self._changed:
            self._listeners.pop(listener, None)
            self._changed.notify_all()
            left = listener.role not in self._roles() and not self._closed
        if left:
            self.present_changed()

    def close(self) -> None:
        """Ends every listener; nothing is published after this."""
        with self._changed:
            self._closed = True
            for listener in self._listeners:
                listener.wake()
            self._changed.notify_all()
