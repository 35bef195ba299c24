"""The game log: every decision in the order it was taken, written before anyone is told. It is the truth; states,
histories, statistics and exports are worked out from it.

An entry belongs to a table, to a war and to a place in the sequence of that table. Entries of one war are chained by
digests, so that damage is found. Beside them lie two things that may be thrown away: a snapshot of the referee's belief
for a quick resume, and the readings with their doubts, with which an evening can be followed again by a better referee.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol, TypeAlias

SCHEMA: Final = 1
"""The version of an entry's events; a program that reads a newer one says so."""

JsonMapping: TypeAlias = Mapping[str, Any]
ObservationKind: TypeAlias = Literal["reading", "input"]

OBSERVATIONS_KEPT: Final = 20_000
"""Readings and inputs that a log keeps at most unless told otherwise, about four evenings."""


@dataclass(frozen=True, slots=True)
class WarInfo:
    """One war of the log. `began` and `last` are seconds since 1970; `options` is what it was begun with."""

    id: str
    game: str
    """Which game is played: `air-land-sea`, or another one that keeps its log here."""
    options: JsonMapping
    began: float
    last: float
    entries: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One decision and the events that it led to.

    `at` is seconds since 1970 and `t` seconds of the source's clock. `cause` says who or what: `{"by": "camera"}`,
    `{"by": "page", "role": "near", "input": {…}}`, `{"by": "button", …}`, `{"by": "time"}`, `{"by": "source"}`.
    """

    table: str
    war: str
    sequence: int
    at: float
    t: float
    cause: JsonMapping
    events: tuple[JsonMapping, ...]
    digest: str
    schema: int = SCHEMA

    def to_json(self) -> dict[str, Any]:
        return {
            "table": self.table,
            "war": self.war,
            "sequence": self.sequence,
            "at": self.at,
            "t": self.t,
            "cause": dict(self.cause),
            "events": [dict(event) for event in self.events],
            "digest": self.digest,
            "schema": self.schema,
        }


@dataclass(frozen=True, slots=True)
class NewEntry:
    """What a session hands to the log; `snapshot` replaces the war's snapshot in the same transaction."""

    war: str
    at: float
    t: float
    cause: JsonMapping
    events: Sequence[JsonMapping]
    snapshot: str | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """Something that the referee was given: a reading of the table, or an input. `after` is the last entry before."""

    war: str
    after: int
    t: float
    kind: ObservationKind
    data: JsonMapping = field(default_factory=dict)


class GameLog(Protocol):
    """Where games are kept. Safe to use from several threads.

    Every method raises `Failure` (`log-lost`) where the log cannot be read or written any more.
    """

    @property
    def table(self) -> str:
        """The id of the table whose log this is; it never changes."""

    @property
    def keeps_snapshots(self) -> bool:
        """Whether a snapshot is worth making: a log that ends with the program is never resumed from."""

    def begin(self, war: str, game: str, options: JsonMapping, at: float) -> None:
        """A new war; its entries follow."""

    def append(self, new: NewEntry) -> Entry:
        """Writes one entry; returns when it is kept for good. Nothing is written where it fails."""

    def observe(self, observation: Observation) -> None:
        """Keeps what the referee was given; the oldest are dropped beyond what the log is set to keep."""

    def wars(self) -> Sequence[WarInfo]:
        """Every war, the newest first."""

    def entries(self, war: str | None = None, after: int = 0) -> Iterator[Entry]:
        """Entries with a sequence number above `after`, oldest first; of one war where it is given.

        Raises `BadInput` (`log-damaged`) at an entry that is not as it was written.
        """

    def snapshot(self, war: str) -> tuple[int, str] | None:
        """The last entry's sequence number and what was kept beside it, or None where that was thrown away."""

    def observations(self, war: str) -> Iterator[Observation]:
        """What is still kept of what the referee was given, oldest first."""

    def delete(self, war: str) -> None:
        """Removes a war with everything that was kept of it."""

    def close(self) -> None:
        """Closes the log; it is not used after this."""


def digest_of(previous: str, entry: tuple[str, str, int, float, float], cause: str, events: str) -> str:
    """The digest of an entry: SHA-256 over the digest before it in its war and everything that the entry says."""
    text = json.dumps([previous, *entry, SCHEMA, cause, events], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
