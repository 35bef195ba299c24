"""The store in one SQLite file: what a club uses that has no database server."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from engine.failure import BadInput, Failure
from host.club.store.sql import FORMAT, SCHEMA, SqlStore


class SqliteStore(SqlStore):
    """The store in the file at `path`, which is made where it is missing.

    Raises `BadInput` (`store-busy`, `no-store`) where the file cannot be opened or another desk has it.
    """

    def __init__(self, path: Path, club: str) -> None:
        super().__init__(club)
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=2.0)
            # The file belongs to one desk: a second one is refused instead of both writing.
            self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._db.execute("PRAGMA journal_mode=WAL")
            # FULL: what was acknowledged to a table survives the machine losing power.
            self._db.execute("PRAGMA synchronous=FULL")
            with self._transaction() as cursor:
                for statement in SCHEMA:
                    cursor.execute(statement)
                cursor.execute("INSERT OR IGNORE INTO about VALUES ('format', ?)", (FORMAT,))
                found = cursor.execute("SELECT value FROM about WHERE key = 'format'").fetchone()[0]
        except Failure as failure:
            if "locked" in str(failure):
                raise BadInput(
                    "store-busy", f"Another desk uses {path}.", "Stop that one, or name another file with --store."
                ) from failure
            raise BadInput("no-store", f"{path} cannot be used: {failure.message}", _REMEDY) from failure
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise BadInput(
                    "store-busy", f"Another desk uses {path}.", "Stop that one, or name another file with --store."
                ) from error
            raise BadInput("no-store", f"{path} cannot be opened: {error}.", _REMEDY) from error
        except sqlite3.DatabaseError as error:
            raise BadInput("no-store", f"{path} is not a desk's store: {error}.", _REMEDY) from error
        except OSError as error:
            raise BadInput("no-store", f"{path} cannot be made: {error.strerror}.", _REMEDY) from error
        if found != FORMAT:
            self._db.close()
            raise BadInput("store-format", f"{path} has format {found}, this program writes {FORMAT}.", _REMEDY)

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        cursor = self._db.cursor()
        try:
            cursor.execute("BEGIN IMMEDIATE")
            yield cursor
            cursor.execute("COMMIT")
        except sqlite3.IntegrityError:
            cursor.execute("ROLLBACK")
            raise
        except sqlite3.Error as error:
            self._roll_back(cursor)
            raise Failure(
                "store-lost", f"The store {self.path} cannot be used: {error}.", "Make room on the disk."
            ) from error
        except BaseException:
            self._roll_back(cursor)
            raise
        finally:
            with suppress(sqlite3.Error):
                cursor.close()

    def _roll_back(self, cursor: sqlite3.Cursor) -> None:
        with suppress(sqlite3.Error):
            cursor.execute("ROLLBACK")

    def _taken(self, error: Exception) -> bool:
        return isinstance(error, sqlite3.IntegrityError)

    def _sql(self, statement: str) -> str:
        return statement.replace("%s", "?")

    def close(self) -> None:
        with self._lock:
            self._db.close()


_REMEDY = "Name another file with --store."
