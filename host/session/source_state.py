"""How the source is now: what it tells of itself, folded with the readings that show that it is well again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.events import Event, Reading
from host.session.source_events import TABLE_UNSEEN, SourceEvent, SourceMended, SourceNotice, SourceTrouble

LASTING: Final = TABLE_UNSEEN | {"wrong-deck", "camera-moved"}
"""Notices that hold until a reading shows otherwise."""


class SourceState:
    """The troubles of one source, the oldest first."""

    def __init__(self) -> None:
        self._troubles: dict[str, SourceTrouble | SourceNotice] = {}
        self.read = False
        """A table was read."""
        self.ended = False

    @property
    def troubles(self) -> tuple[SourceTrouble | SourceNotice, ...]:
        return tuple(self._troubles.values())

    def told(self, event: SourceEvent) -> None:
        """The source tells something of itself."""
        match event:
            case SourceTrouble(code=code):
                self._troubles[code] = event
            case SourceMended(code=code):
                self._troubles.pop(code, None)
            case SourceNotice(code=code) if code in LASTING:
                if code in TABLE_UNSEEN:
                    self._forget(TABLE_UNSEEN)
                self._troubles[code] = event
            case SourceNotice(code="table-found"):
                self._forget(TABLE_UNSEEN)
            case SourceNotice(code="source-ended"):
                self.ended = True
                self._troubles.clear()
            case SourceNotice():
                pass

    def decided(self, cause: Mapping[str, Any], events: Sequence[Event]) -> None:
        """An entry of the log: one that a camera caused shows that the table is seen.

        That the cards are of another deck holds until a card of this deck was read.
        """
        if cause.get("by") != "camera":
            return
        self.read = True
        self._forget(LASTING - {"wrong-deck"})
        if any(isinstance(event, Reading) and any(event.board.values()) for event in events):
            self._forget({"wrong-deck"})

    def _forget(self, codes: frozenset[str] | set[str]) -> None:
        for code in codes:
            self._troubles.pop(code, None)
