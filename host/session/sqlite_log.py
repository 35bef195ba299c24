"""The game log in one SQLite file in WAL mode. Nothing outside this module knows that it is SQLite.

Appending costs the same after a thousand wars as after one: an entry is inserted, and the war's snapshot is replaced
by its key. The file is the reader's own (mode 0600): the referee's memory of cards that were turned face down is for
nobody else on this machine.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import sqlite3
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, get_args

from engine.failure import BadInput, Failure
from host.session.game_log import (
    OBSERVATIONS_KEPT,
    SCHEMA,
    Entry,
    JsonMapping,
    NewEntry,
    Observation,
    ObservationKind,
    WarInfo,
    digest_of,
)

FORMAT: Final = 2
OBSERVATIONS_SPARE: Final = 500
"""Observations are dropped this many at a time."""
DIGEST_LENGTH: Final = 64
_REMEDY: Final = "Name another file with --log."

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS war (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL,
    began REAL NOT NULL, last REAL NOT NULL, entries INTEGER NOT NULL, digest TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entry (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, war TEXT NOT NULL, at REAL NOT NULL, t REAL NOT NULL,
    schema INTEGER NOT NULL, cause TEXT NOT NULL, events TEXT NOT NULL, digest TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS entry_of_war ON entry (war, sequence);
CREATE TABLE IF NOT EXISTS snapshot (
    war TEXT PRIMARY KEY, sequence INTEGER NOT NULL, data TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS beginning (
    war TEXT PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, began REAL NOT NULL, digest TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS observation (
    number INTEGER PRIMARY KEY AUTOINCREMENT, war TEXT NOT NULL, after INTEGER NOT NULL,
    t REAL NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL
)"""


# By their entries and not by the clock, which may have been set back. What has no entry yet was begun last.
_WARS: Final = (
    "SELECT id, game, options, began, last, entries, "
    "(SELECT max(sequence) FROM entry WHERE entry.war = war.id) AS newest FROM war"
)


class SqliteLog:
    """An open log; see `GameLog`. One program at a time: a second one is refused.

    Raises `BadInput` where the file is no log (`no-log`, `not-a-log`, `log-busy`, `log-format`).
    """

    def __init__(self, path: Path, observations_kept: int = OBSERVATIONS_KEPT) -> None:
        """Opens or creates the file at `path`; its folder is made."""
        self._lock = threading.Lock()
        self.path = path
        self._kept = observations_kept
        self._unpruned = 0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and not path.stat().st_size:
                # A log is never empty once it was begun: what it held is lost, and that is said.
                sys.stderr.write(
                    f"allfronts: {path} was empty: it is damaged, or a start was cut short. A new one begins.\n"
                )
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=2.0)
        except OSError as error:
            raise BadInput("no-log", f"The game log {path} cannot be made: {error.strerror}.", _REMEDY) from error
        try:
            self._open()
        except BaseException:
            self._db.close()
            raise

    def _open(self) -> None:
        try:
            self._db.execute("PRAGMA journal_mode=WAL")
            # FULL: a commit survives the machine losing power, not only the program being killed.
            self._db.execute("PRAGMA synchronous=FULL")
            # The whole file belongs to one running table: a second program is refused instead of both writing on.
            self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._db.execute("BEGIN IMMEDIATE")
            known = {name for (name,) in self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if "about" in known:
                self._check_format()
            elif known:
                raise BadInput("not-a-log", f"{self.path} is a database of another program.", _REMEDY)
            for statement in _TABLES.split(";\n"):
                self._db.execute(statement)
            self._db.execute("INSERT OR IGNORE INTO about VALUES ('format', ?)", (str(FORMAT),))
            self._db.execute("INSERT OR IGNORE INTO about VALUES ('table', ?)", (secrets.token_hex(8),))
            (self._table,) = self._db.execute("SELECT value FROM about WHERE key = 'table'").fetchone()
            self._db.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if is_locked(error):
                raise in_use(self.path) from error
            raise BadInput("no-log", f"The game log {self.path} cannot be opened: {error}.", _REMEDY) from error
        except (sqlite3.DatabaseError, UnicodeDecodeError, TypeError) as error:
            raise BadInput(
                "not-a-log",
                f"{self.path} is not a game log, or it is damaged: {error}.",
                "allfronts games rescue FILE keeps what is whole; or name another file with --log.",
            ) from error

    def _check_format(self) -> None:
        row = self._db.execute("SELECT value FROM about WHERE key = 'format'").fetchone()
        found = row[0] if row else "?"
        if found == "1":
            raise BadInput(
                "log-format",
                f"{self.path} is a journal of an earlier version: it holds sentences and no moves, so its games cannot "
                "be replayed. It is left as it is.",
                _REMEDY,
            )
        if found != str(FORMAT):
            raise BadInput(
                "log-format",
                f"{self.path} has log format {found}, this program writes {FORMAT}.",
                "Use the version of the program that wrote it, or name another file with --log.",
            )

    @property
    def table(self) -> str:
        return str(self._table)

    @property
    def keeps_snapshots(self) -> bool:
        return True

    def begin(self, war: str, game: str, options: JsonMapping, at: float) -> None:
        written = json.dumps(dict(options))
        with self._writing():
            self._db.execute("INSERT INTO war VALUES (?, ?, ?, ?, ?, 0, ?)", (war, game, written, at, at, war))
            # A second time with its digest: damage is found, and a rescue knows by which rules was played.
            digest = beginning_digest(self.table, war, game, written, at)
            self._db.execute(
                "INSERT OR REPLACE INTO beginning VALUES (?, ?, ?, ?, ?)", (war, game, written, at, digest)
            )

    def append(self, new: NewEntry) -> Entry:
        cause, events = json.dumps(dict(new.cause)), json.dumps([dict(event) for event in new.events])
        with self._writing():
            (previous,) = self._db.execute("SELECT digest FROM war WHERE id = ?", (new.war,)).fetchone()
            row = self._db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'entry'").fetchone()
            sequence = int(row[0]) + 1 if row else 1
            digest = digest_of(previous, (self.table, new.war, sequence, new.at, new.t), cause, events)
            self._db.execute(
                "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (sequence, new.war, new.at, new.t, SCHEMA, cause, events, digest),
            )
            self._db.execute(
                "UPDATE war SET last = ?, entries = entries + 1, digest = ? WHERE id = ?", (new.at, digest, new.war)
            )
            if new.snapshot is not None:
                kept = snapshot_digest(new.war, sequence, new.snapshot) + new.snapshot
                self._db.execute("INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?)", (new.war, sequence, kept))
        read = tuple(json.loads(events))
        return Entry(self.table, new.war, sequence, new.at, new.t, json.loads(cause), read, digest)

    def observe(self, observation: Observation) -> None:
        if self._kept <= 0:
            return
        with self._writing():
            made = self._db.execute(
                "INSERT INTO observation (war, after, t, kind, data) VALUES (?, ?, ?, ?, ?)",
                (
                    observation.war,
                    observation.after,
                    observation.t,
                    observation.kind,
                    json.dumps(dict(observation.data), separators=(",", ":")),
                ),
            )
            self._unpruned += 1
            if self._unpruned >= min(OBSERVATIONS_SPARE, self._kept):
                self._unpruned = 0
                oldest = int(made.lastrowid or 0) - self._kept
                self._db.execute("DELETE FROM observation WHERE number <= ?", (oldest,))

    def wars(self) -> Sequence[WarInfo]:
        rows = self._rows(f"{_WARS} ORDER BY newest IS NOT NULL, newest DESC, began DESC, id", ())
        written = {row[0]: row for row in self._rows("SELECT war, game, options, began, digest FROM beginning", ())}
        missing = set(written) - {row[0] for row in rows}
        if missing or not all(isinstance(row[0], str) and isinstance(row[5], int) for row in rows):
            raise self._damaged(f"The list of wars ({', '.join(map(str, missing)) or 'a row'})")
        for war, game, options, began, *_ in rows:
            # Wars of an earlier version have no second record.
            kept = written.get(war)
            if kept and (kept[1:4] != (game, options, began) or kept[4] != beginning_digest(self.table, *kept[:4])):
                raise self._damaged(f"The beginning of war {war}")
        return tuple(WarInfo(row[0], row[1], _object(row[2]), row[3], row[4], row[5]) for row in rows)

    def entries(self, war: str | None = None, after: int = 0) -> Iterator[Entry]:
        query = "SELECT sequence, war, at, t, cause, events, digest, schema FROM entry WHERE sequence > ?"
        one, values = ("", (after,)) if war is None else (" AND war = ?", (after, war))
        with self._lock:
            # Together, so that what is appended meanwhile is in neither.
            rows = self._read(f"{query}{one} ORDER BY sequence", values)
            heads = {row[0]: row[1:] for row in self._read("SELECT id, digest, entries, last FROM war", ())}
        chains: dict[str, str] = {}
        read: dict[str, int] = {}
        last: dict[str, float] = {}
        for row in rows:
            if row[1] not in chains:
                chains[row[1]] = self._digest_before(row[1], row[0])
            entry = self._checked(row, chains[row[1]])
            chains[entry.war] = entry.digest
            read[entry.war] = read.get(entry.war, 0) + 1
            last[entry.war] = entry.at
            yield entry
        if set(read) - set(heads):
            raise self._damaged("The list of wars")
        for name, (digest, entries, at) in heads.items():
            # The chain finds what was changed; the head finds what is missing at the end.
            if war in (None, name) and (name in read or (after == 0 and entries)):
                whole = after > 0 or entries == read.get(name, 0)
                if not whole or digest != chains.get(name) or at != last.get(name):
                    raise self._damaged(f"The end of war {name}")

    def _damaged(self, what: str) -> BadInput:
        remedy = f"allfronts games rescue {self.path} keeps what is whole."
        return BadInput("log-damaged", f"{what} of {self.path} is not as it was written.", remedy)

    def _digest_before(self, war: str, sequence: int) -> str:
        rows = self._rows(
            "SELECT digest FROM entry WHERE war = ? AND sequence < ? ORDER BY sequence DESC LIMIT 1", (war, sequence)
        )
        return str(rows[0][0]) if rows else war

    def _checked(self, row: Sequence[Any], previous: str) -> Entry:
        sequence, war, at, t, cause, events, digest, schema = row
        where = f"Entry {sequence} of {self.path}"
        if type(schema) is int and schema > SCHEMA:
            raise BadInput("log-format", f"{where} was written by a newer version.", "Use that version to read it.")
        if digest_of(previous, (self.table, str(war), sequence, at, t), str(cause), str(events)) != digest:
            raise self._damaged(f"Entry {sequence}")
        try:
            what, who = read_entry(events, cause)
        except ValueError as bad:
            # Its digest is right: somebody has made it so.
            raise self._damaged(f"Entry {sequence}") from bad
        return Entry(self.table, war, sequence, at, t, who, what, digest, schema)

    def snapshot(self, war: str) -> tuple[int, str] | None:
        rows = self._rows("SELECT sequence, data FROM snapshot WHERE war = ?", (war,))
        if not rows:
            return None
        sequence, kept = rows[0][0], str(rows[0][1])
        digest, data = kept[:DIGEST_LENGTH], kept[DIGEST_LENGTH:]
        # What is not as it was written is worked out again from the entries.
        return (sequence, data) if digest == snapshot_digest(war, sequence, data) else None

    def observations(self, war: str) -> Iterator[Observation]:
        rows = self._rows("SELECT after, t, kind, data FROM observation WHERE war = ? ORDER BY number", (war,))
        for after, t, kind, data in rows:
            if not isinstance(after, int) or not isinstance(t, float) or kind not in get_args(ObservationKind):
                raise self._damaged(f"What the referee was given in war {war}")
            yield Observation(war, after, t, kind, _object(data))

    def delete(self, war: str) -> None:
        with self._writing():
            for table in ("observation", "snapshot", "beginning", "entry"):
                self._db.execute(f"DELETE FROM {table} WHERE war = ?", (war,))
            self._db.execute("DELETE FROM war WHERE id = ?", (war,))
        # What was deleted must not stay readable in the file's free pages.
        with self._lock, contextlib.suppress(sqlite3.Error):
            self._db.execute("VACUUM")
            # Until then the file itself still has the pages from before.
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def _rows(self, query: str, values: tuple[object, ...]) -> list[Any]:
        with self._lock:
            return self._read(query, values)

    def _read(self, query: str, values: tuple[object, ...]) -> list[Any]:
        """Used by who holds the lock."""
        try:
            return self._db.execute(query, values).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise BadInput(
                "log-damaged",
                f"The game log {self.path} cannot be read: {error}.",
                f"allfronts games rescue {self.path} keeps what is whole.",
            ) from error

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction, committed to the disk; nothing of it is kept where it fails."""
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.execute("COMMIT")
            except sqlite3.Error as error:
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise Failure(
                    "log-lost",
                    f"The game log {self.path} cannot be written any more: {error}.",
                    "Make room on the disk and start again: the game goes on from the last entry.",
                ) from error
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise


def is_locked(error: Exception) -> bool:
    """Whether another program has the file to itself."""
    return "locked" in str(error)


def in_use(path: Path) -> BadInput:
    """The refusal of a log that another table has to itself."""
    return BadInput(
        "log-busy",
        f"The game log {path} is in use by another table.",
        "Stop that one first, or name another file with --log.",
    )


def beginning_digest(table: str, war: str, game: str, options: str, began: float) -> str:
    """SHA-256 over what a war was begun with."""
    text = json.dumps([table, war, game, options, began], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def read_entry(events: str, cause: str) -> tuple[tuple[JsonMapping, ...], JsonMapping]:
    """The events and the cause of an entry from their texts; raises `ValueError` for anything else."""
    try:
        what, who = json.loads(events), json.loads(cause)
    except (TypeError, RecursionError) as error:
        raise ValueError("no JSON") from error
    if isinstance(what, list) and all(isinstance(event, dict) for event in what) and isinstance(who, dict):
        return tuple(what), who
    raise ValueError("no list of events, or no cause")


def snapshot_digest(war: str, sequence: int, data: str) -> str:
    """SHA-256 over a snapshot and the entry that it belongs to; stands before it."""
    return hashlib.sha256(f"{war} {sequence} {data}".encode()).hexdigest()


def _object(text: str) -> JsonMapping:
    """A JSON object of the file; an empty one where it is damaged (it is no entry, so nothing rests on it)."""
    try:
        read = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}
