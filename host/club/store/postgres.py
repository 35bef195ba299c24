"""The store in PostgreSQL: for clubs that keep years of results, and for several desks on one database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg

from engine.failure import BadInput, Failure
from host.club.store.sql import FORMAT, SCHEMA, SqlStore


class PostgresStore(SqlStore):
    """The store in the database at `address` (`postgresql://user@host/name`).

    A lost connection is made anew at the next call. Raises `BadInput` (`no-store`) where the first one fails.
    """

    lock_rows = " FOR UPDATE"

    def __init__(self, address: str, club: str) -> None:
        super().__init__(club)
        self._address = address
        self._db: psycopg.Connection[Any] | None = None
        try:
            with self._transaction() as cursor:
                # Two desks that start at once would both make the tables; the lock is held until the commit.
                cursor.execute("SELECT pg_advisory_xact_lock(7240211)")
                for statement in SCHEMA:
                    cursor.execute(statement)
                cursor.execute("INSERT INTO about VALUES ('format', %s) ON CONFLICT DO NOTHING", (FORMAT,))
                cursor.execute("SELECT value FROM about WHERE key = 'format'")
                found = cursor.fetchone()[0]
        except Failure as failure:
            remedy = "Check the address after --store, and that the database is there."
            raise BadInput("no-store", failure.message, remedy) from failure
        if found != FORMAT:
            raise BadInput(
                "store-format",
                f"The database has format {found}, this program writes {FORMAT}.",
                "Name another database with --store.",
            )

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        try:
            if self._db is None or self._db.closed:
                self._db = psycopg.connect(self._address, connect_timeout=5)
            with self._db.transaction(), self._db.cursor() as cursor:
                yield cursor
        except psycopg.errors.UniqueViolation:
            raise
        except psycopg.Error as error:
            if self._db is not None:
                with suppress(psycopg.Error):
                    self._db.close()
            self._db = None
            first = str(error).strip().splitlines() or ["no answer"]
            raise Failure(
                "store-lost", f"PostgreSQL cannot be used: {first[0]}", "Start it; the tables send again by themselves."
            ) from error

    def _taken(self, error: Exception) -> bool:
        return isinstance(error, psycopg.errors.UniqueViolation)

    def close(self) -> None:
        with self._lock:
            if self._db is not None:
                self._db.close()
            self._db = None
