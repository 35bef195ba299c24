"""What the desk needs of a store, and what an attempt to append answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from host.club.entry import ClubEntry, Head

RefusalKind: TypeAlias = Literal["gap", "fork", "forged", "foreign"]
"""Why entries are refused. gap: entries before them are missing. fork: another entry is stored under that number, or
the chain leads elsewhere. forged: the digest is not that of the content. foreign: the log is another account's."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Entries of one log in one message, as `account` sent them. `at` is seconds since 1970."""

    account: str
    log: str
    entries: tuple[ClubEntry, ...]
    at: float


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """What became of a batch: the log's head now, the entries that are new, those already there, and the refusal."""

    head: Head
    stored: tuple[ClubEntry, ...] = ()
    repeated: int = 0
    refused: RefusalKind | None = None
    refused_at: int | None = None
    """The sequence number that was refused; the entries after it were not looked at."""


@dataclass(frozen=True, slots=True)
class EntryRefusal:
    """A refusal that was written down: forks, forged and foreign entries stay visible until somebody looks."""

    at: float
    account: str
    log: str
    sequence: int
    code: RefusalKind


@dataclass(frozen=True, slots=True)
class Record:
    """One event of the desk itself, as JSON text. `by` says who caused it; `at` is seconds since 1970."""

    sequence: int
    at: float
    by: str
    event: str


class Store(Protocol):
    """Keeps one club's entries and records. Safe to use from several threads; one desk a club writes to it.

    Every method raises `Failure` (`store-lost`) where the file or the server cannot be reached; nothing is half done.
    """

    def append(self, batches: Sequence[Batch]) -> list[BatchOutcome]:
        """Stores what continues its log, in one transaction that is on the disk at return; one outcome a batch."""

    def heads(self) -> Mapping[str, Head]:
        """Every log with its last stored entry."""

    def owners(self) -> Mapping[str, str]:
        """Every log with the account that sent it."""

    def entries(self, log: str, first: int = 1, at_most: int = 1000) -> list[ClubEntry]:
        """Entries of a log from the sequence number `first` on."""

    def refusals(self, at_most: int = 100) -> list[EntryRefusal]:
        """The newest refusals, newest first."""

    def record(self, record: Record) -> None:
        """Writes one event of the desk.

        Raises `Failure` (`two-desks`) where its sequence number is taken: another desk writes to the same club.
        """

    def records(self, after: int = 0) -> list[Record]:
        """The desk's events with a sequence number above `after`, oldest first."""

    def close(self) -> None:
        """Lets go of the file or the server."""
