"""What is to be sent, and when: everything from the first unacknowledged entry on, again after a silence.

At-least-once sending, idempotent storing and a cumulative acknowledgement make exactly once (Saltzer, Reed and Clark,
1984). No I/O and no clock: the caller sends what `due` gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from host.club.entry import LAST_SEQUENCE, ClubEntry, entry_to_json
from host.club.table.outbox import Outbox

RESEND_SECONDS: Final = 3.0
ENTRIES_A_MESSAGE: Final = 50
CHARACTERS_A_MESSAGE: Final = 100_000
MOST_UNACKNOWLEDGED: Final = 400
"""Entries on their way at most, so that a table that was away for hours does not flood the desk."""


class Sending:
    """One table's sending. Not safe to use from several threads."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self.acknowledged = 0
        """The desk has everything up to here."""
        self._sent = 0
        self._last_sent = 0.0
        self.forked = False
        """The desk holds another history under this log's name: nothing more is sent until somebody has looked."""

    @property
    def waiting(self) -> int:
        """How many entries the desk does not have yet."""
        return self._outbox.head().sequence - self.acknowledged

    def connected(self) -> None:
        """The wire is up (again): what is not acknowledged is sent once more."""
        self._sent = self.acknowledged

    def acknowledge(self, content: Mapping[str, Any]) -> None:
        """Takes an acknowledgement; one of another log, of an earlier evening perhaps, means nothing."""
        log, sequence, digest = (content.get(key) for key in ("log", "n", "d"))
        if log != self._outbox.log or type(sequence) is not int or not 0 <= sequence < LAST_SEQUENCE:
            return
        known = self._outbox.digest_at(sequence)
        if known is None or known != digest:
            self.forked = True
            return
        if sequence < self.acknowledged or sequence > self._sent:
            # A desk that was restored from an older copy is given everything again.
            self._sent = sequence
        self.acknowledged = sequence

    def due(self, now: float) -> list[dict[str, Any]]:
        """The messages to send at `now` (any monotonic clock, in seconds)."""
        if self.forked:
            return []
        if self._sent > self.acknowledged and now - self._last_sent >= RESEND_SECONDS:
            self._sent = self.acknowledged
        messages: list[dict[str, Any]] = []
        head = self._outbox.head().sequence
        while self._sent < head and self._sent - self.acknowledged < MOST_UNACKNOWLEDGED:
            chunk: list[ClubEntry] = []
            size = 0
            for entry in self._outbox.read(self._sent + 1, ENTRIES_A_MESSAGE):
                size += len(entry.body)
                if chunk and size > CHARACTERS_A_MESSAGE:
                    break
                chunk.append(entry)
            messages.append({"log": self._outbox.log, "entries": [entry_to_json(entry) for entry in chunk]})
            self._sent = chunk[-1].sequence
            self._last_sent = now
        return messages
