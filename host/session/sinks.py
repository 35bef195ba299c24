"""What a session tells its subscribers: one value for each change, and the small protocol of a sink.

Lights, pages, speech, a broker: each subscribes and knows no other. Adding one is adding it to the list in
`host/app/table.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.events import Event
from engine.state import State
from host.session.game_log import Entry
from host.session.source_events import SourceEvent
from host.session.standing import Standing


@dataclass(frozen=True, slots=True)
class Change:
    """Something that a sink may want to show. `events` were written to the log before anyone is told."""

    war: str
    standing: Standing
    """How things stand after it."""
    before: State
    """The likeliest state before it."""
    events: tuple[Event, ...] = ()
    source: tuple[SourceEvent, ...] = ()
    entry: Entry | None = None
    """The log's entry; None where only what is shown has changed, and where a war begins."""


class Sink(Protocol):
    """A subscriber. It is called by one thread at a time and must not wait for anything slow."""

    def opened(self, war: str, history: Sequence[Change], standing: Standing) -> None:
        """Told once, when it subscribes: the running war's id, what its log holds, and how things stand."""

    def changed(self, change: Change) -> None:
        """Told of every change, in order. A `war` that it has not met before is a new one, with no history."""

    def close(self) -> None:
        """The session ends."""
