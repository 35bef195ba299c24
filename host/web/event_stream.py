"""An event stream that needs no thread: the application says what is sent, the server sends it.

The application decides whether somebody may listen and puts an `EventStream` into the place that the server left in the
request's environment. Without such a place (in tests of the application alone) it answers with an iterator instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

from host.web.roles import Role
from host.web.stream import HEARTBEAT_SECONDS

HANDED_OVER: Final = "allfronts.event_streams"
"""The key in the environment; its value is a list that takes one `EventStream`."""

OPENING: Final = b"retry: 1000\n\n"
BEAT: Final = b"event: beat\ndata: .\n\n"


class Listened(Protocol):
    """One listener's items as they come. `next` gives None where there is none within the patience that was asked for,
    and raises `StopIteration` at the end."""

    def __next__(self) -> Any: ...

    def due(self) -> float:
        """Seconds after which to ask again at the latest, though nobody was woken."""

    def close(self) -> None: ...


Listen: TypeAlias = Callable[[float, Callable[[], None]], Listened]
"""Begins to listen, with a patience in seconds and what is called, by any thread, where there is more or the end: it
must not wait and must not ask. Raises `TooManyListeners`."""


@dataclass(frozen=True, slots=True)
class EventStream:
    """What one page listens to. `encoded` writes an item as an event; `allowed` tells whether the invitation holds."""

    role: Role
    listen: Listen
    encoded: Callable[[Any], bytes]
    allowed: Callable[[], bool]
    beat: Callable[[], bytes] = lambda: BEAT
    """Sent where nothing came for `HEARTBEAT_SECONDS`."""
    gather: float = 0.0
    """Seconds between two events: what changes meanwhile is one event."""

    def lines(self) -> Iterator[bytes]:
        """The stream for a caller with a thread to spare."""
        yield OPENING
        listened = self.listen(HEARTBEAT_SECONDS, lambda: None)
        try:
            while self.allowed():
                try:
                    item = next(listened)
                except StopIteration:
                    return
                if self.allowed():
                    # Otherwise the invitation was revoked: the page asks again, and is turned away.
                    yield self.beat() if item is None else self.encoded(item)
        finally:
            listened.close()
