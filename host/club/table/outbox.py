"""The outbox: what a table has to tell the desk, chained and numbered, on the table's own disk until the evening ends.

It begins where the table joined: what was played at home before is nobody's business. `log_sequence` is the place in
the table's own log up to which the outbox has taken entries over, so that a killed program loses and doubles nothing.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from engine.failure import BadInput, Failure
from host.club.entry import ClubEntry, Head, following


class Outbox(Protocol):
    """Entries for the desk. Safe to use from several threads."""

    @property
    def log(self) -> str:
        """The name under which the desk stores them: another one for each joining."""

    @property
    def log_sequence(self) -> int:
        """The last entry of the table's own log that was taken over; 0 where there is none yet."""

    def head(self) -> Head: ...

    def digest_at(self, sequence: int) -> str | None:
        """The digest of an entry, to compare with what the desk acknowledges; None where there is no such entry."""

    def add(self, log_sequence: int, body: Mapping[str, Any]) -> ClubEntry | None:
        """Takes one entry over; None where it was taken over before. On the disk at return."""

    def read(self, first: int, at_most: int) -> list[ClubEntry]: ...


class MemoryOutbox:
    """An outbox without a disk, for simulated tables."""

    def __init__(self, log: str) -> None:
        self._log = log
        self._entries: list[ClubEntry] = []
        self._log_sequence = 0

    @property
    def log(self) -> str:
        return self._log

    @property
    def log_sequence(self) -> int:
        return self._log_sequence

    def head(self) -> Head:
        return Head(len(self._entries), self._entries[-1].digest) if self._entries else Head()

    def digest_at(self, sequence: int) -> str | None:
        if sequence == 0:
            return Head().digest
        return self._entries[sequence - 1].digest if sequence <= len(self._entries) else None

    def add(self, log_sequence: int, body: Mapping[str, Any]) -> ClubEntry | None:
        if log_sequence <= self._log_sequence:
            return None
        entry = following(self._log, self.head(), body)
        self._entries.append(entry)
        self._log_sequence = log_sequence
        return entry

    def read(self, first: int, at_most: int) -> list[ClubEntry]:
        return self._entries[first - 1 : first - 1 + at_most]


_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS entry (sequence INTEGER PRIMARY KEY, log_sequence INTEGER NOT NULL UNIQUE,"
    " digest TEXT NOT NULL, body TEXT NOT NULL)",
)


class FileOutbox:
    """The outbox in the SQLite file at `path`. A new one begins after the entry `begins_after` of the table's log.

    Raises `BadInput` (`no-outbox`) where the file cannot be used; every method `Failure` (`outbox-lost`) where it
    cannot be any more, because the disk is full: the game goes on, and the entries are taken over from the table's log
    (`host.club.table.taking_over`) when there is room again.
    """

    def __init__(self, path: Path, begins_after: int) -> None:
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=2.0)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            for statement in _SCHEMA:
                self._db.execute(statement)
            for key, value in (("log", secrets.token_hex(8)), ("begins_after", str(begins_after))):
                self._db.execute("INSERT OR IGNORE INTO about VALUES (?, ?)", (key, value))
            about = dict(self._db.execute("SELECT key, value FROM about").fetchall())
            self._log, self._begins_after = str(about["log"]), int(about["begins_after"])
            self.kept_match, self.kept_war = _match_of(self.remembered("match"))
            """The match in force and the war that it is played in; empty where there is none."""
        except (sqlite3.Error, OSError, KeyError, ValueError, Failure) as error:
            # A text of the file that is not as it was written is not to be gone on from.
            raise BadInput("no-outbox", f"{path} cannot be used: {error}.", "Remove it and join again.") from error

    @contextmanager
    def _used(self) -> Iterator[sqlite3.Connection]:
        """The file for one thread at a time; raises `Failure` (`outbox-lost`) where it cannot be read or written."""
        with self._lock:
            try:
                yield self._db
            except sqlite3.Error as error:
                raise Failure("outbox-lost", f"The outbox cannot be used: {error}.", "Make room.") from error

    @property
    def log(self) -> str:
        return self._log

    @property
    def log_sequence(self) -> int:
        with self._used() as db:
            return self._taken_over(db)

    def _taken_over(self, db: sqlite3.Connection) -> int:
        (newest,) = db.execute("SELECT MAX(log_sequence) FROM entry").fetchone()
        return self._begins_after if newest is None else int(newest)

    def head(self) -> Head:
        with self._used() as db:
            return self._head(db)

    def _head(self, db: sqlite3.Connection) -> Head:
        row = db.execute("SELECT sequence, digest FROM entry ORDER BY sequence DESC LIMIT 1").fetchone()
        return Head(int(row[0]), str(row[1])) if row else Head()

    def digest_at(self, sequence: int) -> str | None:
        if sequence == 0:
            return Head().digest
        with self._used() as db:
            row = db.execute("SELECT digest FROM entry WHERE sequence = ?", (sequence,)).fetchone()
        return str(row[0]) if row else None

    def add(self, log_sequence: int, body: Mapping[str, Any]) -> ClubEntry | None:
        with self._used() as db:
            if log_sequence <= self._taken_over(db):
                return None
            entry = following(self._log, self._head(db), body)
            db.execute(
                "INSERT INTO entry VALUES (?, ?, ?, ?)", (entry.sequence, log_sequence, entry.digest, entry.body)
            )
        return entry

    def read(self, first: int, at_most: int) -> list[ClubEntry]:
        with self._used() as db:
            rows = db.execute(
                "SELECT sequence, digest, body FROM entry WHERE sequence >= ? ORDER BY sequence LIMIT ?",
                (first - 1, at_most + 1),
            ).fetchall()
        previous, found = Head().digest, []
        for sequence, digest, body in rows:
            if sequence >= first:
                found.append(ClubEntry(self._log, int(sequence), previous, str(digest), str(body)))
            previous = str(digest)
        return found[:at_most]

    def remember(self, key: str, value: str) -> None:
        """Keeps a text beside the entries, such as the assignment in force."""
        with self._used() as db:
            db.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (f"kept {key}", value))

    def remembered(self, key: str) -> str | None:
        with self._used() as db:
            row = db.execute("SELECT value FROM about WHERE key = ?", (f"kept {key}",)).fetchone()
        return str(row[0]) if row else None

    def close(self) -> None:
        with self._used() as db:
            db.close()


def _match_of(kept: str | None) -> tuple[str, str]:
    """Match and war of what was remembered; raises `ValueError` for anything else."""
    try:
        read = json.loads(kept or "{}")
    except RecursionError as error:
        raise ValueError("the match is nested too deeply") from error
    match, war = (read.get("match", ""), read.get("war", "")) if isinstance(read, dict) else (None, None)
    if not isinstance(match, str) or not isinstance(war, str):
        raise ValueError("the match that it remembers is none")
    return match, war
