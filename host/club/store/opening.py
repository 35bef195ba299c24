"""Which store an address means."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from engine.failure import BadInput
from host.club.store.base import Store
from host.club.store.sqlite import SqliteStore


def open_store(address: str | Path, club: str) -> Store:
    """The store at `address`: a PostgreSQL address, or else a file's path for SQLite. Raises `BadInput`."""
    if isinstance(address, str) and address.startswith(("postgresql://", "postgres://")):
        if importlib.util.find_spec("psycopg") is None:
            raise BadInput(
                "not-installed",
                "PostgreSQL needs a package that is not installed: psycopg.",
                "Type: pip install 'allfronts[club]'",
            )
        from host.club.store.postgres import PostgresStore

        return PostgresStore(address, club)
    return SqliteStore(Path(address), club)
