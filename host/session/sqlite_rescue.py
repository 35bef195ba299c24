"""What is whole of a damaged game log: copied to a new file, entry by entry; the damaged one is left as it is."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.failure import BadInput
from host.session.game_log import NewEntry, digest_of
from host.session.sqlite_log import SqliteLog, beginning_digest, in_use, is_locked


@dataclass(frozen=True, slots=True)
class Rescue:
    """What became of a damaged log."""

    kept: Path
    """The new log with everything that was whole."""
    wars: int
    entries: int
    lost: int
    """Entries that were not as they were written, or follow one; what cannot be read at all is not counted."""


def rescue(path: Path) -> Rescue:
    """Copies each war up to its first entry that is not as it was written.

    Raises `BadInput` (`no-source`, `rescue-exists`, `log-busy`, `nothing-whole`).
    """
    if not path.is_file():
        raise BadInput("no-source", f"There is no file {path}.", "Check the name.")
    target = path.with_name(path.name + ".rescued")
    if target.exists():
        raise BadInput("rescue-exists", f"{target} is there already.", "Put it away first.")
    # As a URI a name may have any letters, such as # and ?.
    with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=1)) as db:
        _refuse_if_in_use(db, path)
        about = {str(key): str(value) for key, value in _rows(db, "SELECT key, value FROM about")}
        table = about.get("table", "")
        written = {row[0]: row for row in _rows(db, "SELECT war, game, options, began, digest FROM beginning")}
        listed = list(_rows(db, "SELECT id, game, options, began FROM war ORDER BY began, id"))
        wars = [_beginning(table, row, written.get(row[0])) for row in listed]
        # A war whose row was lost is known by its second record.
        wars += [row[:4] for name, row in written.items() if name not in {one[0] for one in listed}]
        rows = list(_rows(db, "SELECT sequence, war, at, t, cause, events, digest FROM entry ORDER BY sequence"))
    if not wars:
        raise BadInput("nothing-whole", f"No war can be read of {path}.", "Put it aside and begin a new log.")
    log = SqliteLog(target)
    try:
        return _copied(log, target, table, wars, rows)
    finally:
        log.close()


def _refuse_if_in_use(db: sqlite3.Connection, path: Path) -> None:
    """Raises `BadInput` (`log-busy`) where a table plays on with this log: it is whole, but cannot be read."""
    try:
        db.execute("SELECT name FROM sqlite_master LIMIT 1").fetchone()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        # What else is wrong with it is what it is rescued from.
        if is_locked(error):
            raise in_use(path) from error


def _beginning(table: str, row: Any, written: Any) -> Any:
    """What a war was begun with: its second record, where that is whole."""
    try:
        return written[:4] if written and beginning_digest(table, *written[:4]) == written[4] else row
    except TypeError:
        return row


def _copied(log: SqliteLog, target: Path, table: str, wars: list[Any], rows: list[Any]) -> Rescue:
    chains: dict[str, str | None] = {}
    for war, game, options, began in wars:
        try:
            log.begin(str(war), str(game), json.loads(options), float(began))
        except (ValueError, TypeError):
            continue
        chains[war] = str(war)
    kept = lost = 0
    for sequence, war, at, t, cause, events, digest in rows:
        before = chains.get(war)
        try:
            whole = before is not None and digest_of(before, (table, war, sequence, at, t), cause, events) == digest
            new = NewEntry(war, float(at), float(t), json.loads(cause), json.loads(events)) if whole else None
        except (ValueError, TypeError):
            new = None
        if new is None:
            # What follows in this war rests on what is lost.
            chains[war] = None
            lost += 1
            continue
        chains[war] = digest
        log.append(new)
        kept += 1
    return Rescue(target, len(wars), kept, lost)


def _rows(db: sqlite3.Connection, query: str) -> Iterator[Any]:
    """The rows that can be read; a damaged page ends them."""
    with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
        yield from db.execute(query)
