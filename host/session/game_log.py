"""The journal: every decision in the order it was taken, on the disk before anyone is told.

One SQLite file in WAL mode. An entry holds what happened (language-free), and the belief after it, so that a program
that was killed goes on from the last entry without replaying anything. Nothing is ever changed or removed; a
correction, an undo and a resume are entries like any other. Only the newest beliefs are kept whole: they are large,
and an older one is never started from.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.failure import BadInput, Failure

FORMAT: Final = 1
BELIEFS_KEPT: Final = 3

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entry (
    number INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    at REAL NOT NULL,
    cause TEXT NOT NULL,
    events TEXT NOT NULL,
    belief TEXT
);
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One decision. `at` is seconds since 1970; `cause` says what led to it (`sight`, `answer`, `undo` …)."""

    number: int
    game: str
    at: float
    cause: Mapping[str, Any]
    events: tuple[Mapping[str, Any], ...]


class Journal:
    """An open journal. Safe to use from several threads; raises `BadInput` where the file is not a journal."""

    def __init__(self, path: Path) -> None:
        """Opens or creates the file at `path`; its folder is made. Raises `BadInput` (`not-a-journal`, `no-folder`)."""
        self._lock = threading.Lock()
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # What the referee remembers of cards that were turned face down is for nobody else on this machine.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=2.0)
            self._db.execute("PRAGMA journal_mode=WAL")
            # FULL: a commit survives the machine losing power, not only the program being killed.
            self._db.execute("PRAGMA synchronous=FULL")
            # The whole file belongs to one running table: a second program is refused instead of both writing on.
            self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._db.execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA.strip().split(";\n"):
                self._db.execute(statement)
            self._db.execute("INSERT OR IGNORE INTO about VALUES ('format', ?)", (str(FORMAT),))
            (found,) = self._db.execute("SELECT value FROM about WHERE key = 'format'").fetchone()
            self._db.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise BadInput(
                    "journal-busy",
                    f"The journal {path} is in use by another table.",
                    "Stop that one first, or name another file with --journal.",
                ) from error
            raise BadInput("no-journal", f"The journal {path} cannot be opened: {error}.", _REMEDY) from error
        except sqlite3.DatabaseError as error:
            raise BadInput("not-a-journal", f"{path} is not a journal: {error}.", _REMEDY) from error
        except OSError as error:
            raise BadInput("no-journal", f"The journal {path} cannot be made: {error.strerror}.", _REMEDY) from error
        if found != str(FORMAT):
            self._db.close()
            raise BadInput(
                "journal-format", f"{path} has journal format {found}, this program writes {FORMAT}.", _REMEDY
            )

    def append(
        self, game: str, at: float, cause: Mapping[str, Any], events: Sequence[Mapping[str, Any]], belief: str
    ) -> Entry:
        """Writes one decision and the belief (as JSON) that it leaves; returns when it is on the disk.

        Raises `Failure` (`journal-lost`) where that cannot be; nothing is written then.
        """
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                number = int(self._db.execute("SELECT COALESCE(MAX(number), 0) + 1 FROM entry").fetchone()[0])
                self._db.execute(
                    "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)",
                    (number, game, at, json.dumps(cause), json.dumps(list(events)), belief),
                )
                self._db.execute(
                    "UPDATE entry SET belief = NULL WHERE number <= ? AND belief IS NOT NULL", (number - BELIEFS_KEPT,)
                )
                self._db.execute("COMMIT")
            except sqlite3.Error as error:
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise Failure(
                    "journal-lost",
                    f"The journal {self.path} cannot be written any more: {error}.",
                    "Make room on the disk and start again: the game goes on from the last entry.",
                ) from error
        return Entry(number, game, at, dict(cause), tuple(dict(e) for e in events))

    def last(self) -> tuple[Entry, str] | None:
        """The newest entry and the belief after it, or None where nothing was written yet."""
        with self._lock:
            row = self._db.execute(
                "SELECT number, game, at, cause, events, belief FROM entry ORDER BY number DESC LIMIT 1"
            ).fetchone()
        return (_entry(row), str(row[5])) if row else None

    def entries(self, game: str | None = None) -> Iterator[Entry]:
        """All entries, oldest first; of one game where `game` is given."""
        query = "SELECT number, game, at, cause, events FROM entry"
        with self._lock:
            if game is None:
                rows = self._db.execute(query + " ORDER BY number").fetchall()
            else:
                rows = self._db.execute(query + " WHERE game = ? ORDER BY number", (game,)).fetchall()
        return (_entry(row) for row in rows)

    def close(self) -> None:
        """Closes the file; the write-ahead log is folded back into it."""
        with self._lock:
            self._db.close()


_REMEDY: Final = "Name another file with --journal."


def _entry(row: Sequence[Any]) -> Entry:
    return Entry(int(row[0]), str(row[1]), float(row[2]), json.loads(row[3]), tuple(json.loads(row[4])))
