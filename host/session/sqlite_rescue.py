"""What is whole of a damaged game log: copied to a new file, entry by entry; the damaged one is left as it is."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.failure import BadInput
from host.file_there import is_there
from host.session.game_log import NewEntry, digest_of
from host.session.sqlite_log import SqliteLog, beginning_digest, in_use, is_locked, read_entry


@dataclass(frozen=True, slots=True)
class Rescue:
    """What became of a damaged log."""

    kept: Path
    """The new log with everything that was whole."""
    wars: int
    entries: int
    lost: int
    """Entries that were not as they were written, or follow one, or of which their war counts more than can be read."""
    unread: bool
    """Whether a part of the file cannot be read at all: more may be lost than can be counted."""


def rescue(path: Path) -> Rescue:
    """Copies each war up to its first entry that is not as it was written.

    Raises `BadInput` (`no-source`, `rescue-exists`, `log-busy`, `nothing-whole`).
    """
    try:
        there = path.is_file()
    except OSError as error:
        raise BadInput("no-source", f"{path} cannot be read: {error.strerror}.", "Check the name.") from error
    if not there:
        raise BadInput("no-source", f"There is no file {path}.", "Check the name.")
    target = path.with_name(path.name + ".rescued")
    if is_there(target):
        raise BadInput("rescue-exists", f"{target} is there already.", "Put it away first.")
    # As a URI a name may have any letters, such as # and ?.
    with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=1)) as db:
        _refuse_if_in_use(db, path)
        read = _Reading(db)
        about = {str(key): str(value) for key, value in read.rows("SELECT key, value FROM about")}
        table = about.get("table", "")
        written = {row[0]: row for row in read.rows("SELECT war, game, options, began, digest FROM beginning")}
        listed = read.rows("SELECT id, game, options, began, entries FROM war ORDER BY began, id")
        wars = [_beginning(table, row[:4], written.get(row[0])) for row in listed]
        # A war whose row was lost is known by its second record.
        wars += [row[:4] for name, row in written.items() if name not in {one[0] for one in listed}]
        rows = read.rows("SELECT sequence, war, at, t, cause, events, digest FROM entry ORDER BY sequence")
    missing = _missing({row[0]: row[4] for row in listed}, rows)
    if not wars:
        raise BadInput("nothing-whole", f"No war can be read of {path}.", "Put it aside and begin a new log.")
    log = SqliteLog(target)
    try:
        found = _copied(log, target, table, wars, rows)
        return replace(found, lost=found.lost + missing, unread=read.cut_short)
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
            log.begin(str(war), str(game), dict(json.loads(options)), float(began))
        except (ValueError, TypeError, RecursionError):
            continue
        chains[war] = str(war)
    kept = lost = 0
    for sequence, war, at, t, cause, events, digest in rows:
        before = chains.get(war)
        try:
            whole = before is not None and digest_of(before, (table, war, sequence, at, t), cause, events) == digest
            what, who = read_entry(events, cause) if whole else ((), {})
            new = NewEntry(war, float(at), float(t), who, what) if whole else None
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
    return Rescue(target, len(wars), kept, lost, unread=False)


def _missing(counted: dict[Any, Any], rows: list[Any]) -> int:
    """How many entries the wars count that are not among `rows`."""
    there = Counter(row[1] for row in rows)
    return sum(max(0, number - there[war]) for war, number in counted.items() if isinstance(number, int))


class _Reading:
    """Reads what can be read; a damaged page ends the rows of a query."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self.cut_short = False

    def rows(self, query: str) -> list[Any]:
        found = []
        try:
            for row in self._db.execute(query):
                found.append(row)
        except (sqlite3.Error, UnicodeDecodeError):
            self.cut_short = True
        return found
