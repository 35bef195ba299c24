"""An event stream that needs no thread: the application says what is sent, the server sends it.

The application decides whether somebody may listen and puts an `EventStream` into the place that the server left in the
request's environment. Without such a place (in tests of the application alone) it answers with an iterator instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from host.web.roles import Role
from host.web.stream import Broadcaster, Numbered

HANDED_OVER: Final = "allfronts.event_streams"
"""The key in the environment; its value is a list that takes one `EventStream`."""

OPENING: Final = b"retry: 1000\n\n"
BEAT: Final = b"event: beat\ndata: .\n\n"


@dataclass(frozen=True, slots=True)
class EventStream:
    """What one page listens to. `encoded` writes a view as an event; `allowed` tells whether the invitation holds."""

    role: Role
    broadcaster: Broadcaster
    encoded: Callable[[Numbered], bytes]
    allowed: Callable[[], bool]

    def lines(self) -> Iterator[bytes]:
        """The stream for a caller with a thread to spare."""
        yield OPENING
        for item in self.broadcaster.listen(role=self.role):
            if not self.allowed():
                # The invitation was revoked: the page asks again, and is turned away.
                return
            yield BEAT if item is None else self.encoded(item)
