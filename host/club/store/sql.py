"""The store over a relational database: the same tables and rules for SQLite and PostgreSQL.

A backend supplies the connection and says how a transaction begins; the statements use `%s` for a value.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from engine.failure import Failure
from host.club.entry import ClubEntry, Head, digest_of
from host.club.store.base import Batch, BatchOutcome, EntryRefusal, Record, RefusalKind

FORMAT: Final = "1"

SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS head (club TEXT NOT NULL, log TEXT NOT NULL, account TEXT NOT NULL,"
    " sequence BIGINT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (club, log))",
    "CREATE TABLE IF NOT EXISTS entry (club TEXT NOT NULL, log TEXT NOT NULL, sequence BIGINT NOT NULL,"
    " digest TEXT NOT NULL, body TEXT NOT NULL, at DOUBLE PRECISION NOT NULL, PRIMARY KEY (club, log, sequence))",
    "CREATE TABLE IF NOT EXISTS refusal (club TEXT NOT NULL, log TEXT NOT NULL, account TEXT NOT NULL,"
    " sequence BIGINT NOT NULL, code TEXT NOT NULL, at DOUBLE PRECISION NOT NULL,"
    " PRIMARY KEY (club, log, account, sequence, code))",
    "CREATE TABLE IF NOT EXISTS record (club TEXT NOT NULL, sequence BIGINT NOT NULL, at DOUBLE PRECISION NOT NULL,"
    " source TEXT NOT NULL, event TEXT NOT NULL, PRIMARY KEY (club, sequence))",
)
REFUSALS_KEPT: Final = 10_000
"""Refusals written down for one club. A table that sends nonsense all night must not fill the disk."""


class SqlStore(ABC):
    """A `Store` whose statements run on a connection of the Python database interface (PEP 249)."""

    def __init__(self, club: str) -> None:
        self._club = club
        self._lock = threading.RLock()

    @abstractmethod
    def _transaction(self) -> Any:
        """A context that gives a cursor; it commits at the end and rolls back where it is left by an exception."""

    @abstractmethod
    def _taken(self, error: Exception) -> bool:
        """Whether the error says that a key is there already."""

    @abstractmethod
    def close(self) -> None: ...

    lock_rows = ""
    """Added to a query whose rows are about to be changed."""

    @contextmanager
    def _work(self) -> Iterator[Any]:
        with self._lock, self._transaction() as cursor:
            yield cursor

    def append(self, batches: Sequence[Batch]) -> list[BatchOutcome]:
        with self._work() as cursor:
            heads, owners = self._heads_of(cursor, sorted({batch.log for batch in batches}))
            changed: dict[str, str] = {}
            new: list[tuple[object, ...]] = []
            refusals: list[tuple[object, ...]] = []
            outcomes: list[BatchOutcome] = []
            fresh: dict[tuple[str, int], str] = {}
            for batch in batches:
                outcome = self._checked(cursor, batch, heads.get(batch.log, Head()), owners.get(batch.log), fresh)
                outcomes.append(outcome)
                if outcome.stored:
                    heads[batch.log] = outcome.head
                    owners.setdefault(batch.log, batch.account)
                    changed[batch.log] = owners[batch.log]
                    for e in outcome.stored:
                        fresh[(e.log, e.sequence)] = e.digest
                        new.append((self._club, e.log, e.sequence, e.digest, e.body, batch.at))
                if outcome.refused not in (None, "gap"):
                    refusals.append(
                        (self._club, batch.log, batch.account, outcome.refused_at, outcome.refused, batch.at)
                    )
            if new:
                cursor.executemany(self._sql("INSERT INTO entry VALUES (%s, %s, %s, %s, %s, %s)"), new)
                cursor.executemany(
                    self._sql(
                        "INSERT INTO head VALUES (%s, %s, %s, %s, %s) ON CONFLICT (club, log)"
                        " DO UPDATE SET sequence = excluded.sequence, digest = excluded.digest"
                    ),
                    [
                        (self._club, log, owner, heads[log].sequence, heads[log].digest)
                        for log, owner in changed.items()
                    ],
                )
            if refusals:
                cursor.execute(self._sql("SELECT COUNT(*) FROM refusal WHERE club = %s"), (self._club,))
                if cursor.fetchone()[0] < REFUSALS_KEPT:
                    cursor.executemany(
                        self._sql("INSERT INTO refusal VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"),
                        refusals,
                    )
            return outcomes

    def _heads_of(self, cursor: Any, logs: Sequence[str]) -> tuple[dict[str, Head], dict[str, str]]:
        heads: dict[str, Head] = {}
        owners: dict[str, str] = {}
        for log in logs:
            cursor.execute(
                self._sql(f"SELECT sequence, digest, account FROM head WHERE club = %s AND log = %s{self.lock_rows}"),
                (self._club, log),
            )
            row = cursor.fetchone()
            if row is not None:
                heads[log], owners[log] = Head(int(row[0]), str(row[1])), str(row[2])
        return heads, owners

    def _checked(
        self, cursor: Any, batch: Batch, head: Head, owner: str | None, fresh: Mapping[tuple[str, int], str]
    ) -> BatchOutcome:
        """What of a batch continues the log; stops at the first entry that does not."""
        stored: list[ClubEntry] = []
        repeated = 0
        refused: RefusalKind | None = None
        at: int | None = None
        for entry in batch.entries:
            if owner is not None and owner != batch.account:
                refused = "foreign"
            elif entry.digest != digest_of(entry.log, entry.sequence, entry.previous, entry.body):
                refused = "forged"
            elif entry.sequence <= head.sequence:
                known = self._digest_at(cursor, entry, fresh, stored)
                if known == entry.digest:
                    repeated += 1
                    continue
                refused = "fork"
            elif entry.sequence > head.sequence + 1:
                refused = "gap"
            elif entry.previous != head.digest:
                refused = "fork"
            if refused is not None:
                at = entry.sequence
                break
            stored.append(entry)
            head = Head(entry.sequence, entry.digest)
        return BatchOutcome(head, tuple(stored), repeated, refused, at)

    def _digest_at(
        self, cursor: Any, entry: ClubEntry, fresh: Mapping[tuple[str, int], str], stored: Sequence[ClubEntry]
    ) -> str | None:
        for other in stored:
            if other.sequence == entry.sequence:
                return other.digest
        if (entry.log, entry.sequence) in fresh:
            return fresh[(entry.log, entry.sequence)]
        cursor.execute(
            self._sql("SELECT digest FROM entry WHERE club = %s AND log = %s AND sequence = %s"),
            (self._club, entry.log, entry.sequence),
        )
        row = cursor.fetchone()
        return None if row is None else str(row[0])

    def heads(self) -> Mapping[str, Head]:
        with self._work() as cursor:
            cursor.execute(self._sql("SELECT log, sequence, digest FROM head WHERE club = %s"), (self._club,))
            return {str(log): Head(int(sequence), str(digest)) for log, sequence, digest in cursor.fetchall()}

    def owners(self) -> Mapping[str, str]:
        with self._work() as cursor:
            cursor.execute(self._sql("SELECT log, account FROM head WHERE club = %s"), (self._club,))
            return {str(log): str(account) for log, account in cursor.fetchall()}

    def entries(self, log: str, first: int = 1, at_most: int = 1000) -> list[ClubEntry]:
        with self._work() as cursor:
            cursor.execute(
                self._sql(
                    "SELECT sequence, digest, body FROM entry WHERE club = %s AND log = %s AND sequence >= %s"
                    " ORDER BY sequence LIMIT %s"
                ),
                (self._club, log, max(1, first - 1), at_most + 1),
            )
            rows = cursor.fetchall()
        previous = Head().digest
        found: list[ClubEntry] = []
        for sequence, digest, body in rows:
            if int(sequence) >= first:
                found.append(ClubEntry(log, int(sequence), previous, str(digest), str(body)))
            previous = str(digest)
        return found[:at_most]

    def refusals(self, at_most: int = 100) -> list[EntryRefusal]:
        with self._work() as cursor:
            cursor.execute(
                self._sql(
                    "SELECT at, account, log, sequence, code FROM refusal WHERE club = %s ORDER BY at DESC LIMIT %s"
                ),
                (self._club, at_most),
            )
            return [
                EntryRefusal(float(at), str(account), str(log), int(sequence), code)
                for at, account, log, sequence, code in cursor.fetchall()
            ]

    def record(self, record: Record) -> None:
        try:
            with self._work() as cursor:
                cursor.execute(
                    self._sql("INSERT INTO record VALUES (%s, %s, %s, %s, %s)"),
                    (self._club, record.sequence, record.at, record.by, record.event),
                )
        except Exception as error:
            if not self._taken(error):
                raise
            raise Failure(
                "two-desks",
                "Another desk has written to this club meanwhile.",
                "Stop one of the two desks, then start this one again.",
            ) from error

    def records(self, after: int = 0) -> list[Record]:
        with self._work() as cursor:
            cursor.execute(
                self._sql(
                    "SELECT sequence, at, source, event FROM record WHERE club = %s AND sequence > %s ORDER BY sequence"
                ),
                (self._club, after),
            )
            return [Record(int(n), float(at), str(by), str(event)) for n, at, by, event in cursor.fetchall()]

    def _sql(self, statement: str) -> str:
        """The statement with the backend's sign for a value."""
        return statement
