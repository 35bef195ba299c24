"""A file of readings as a source (contracts.md 3.4): what lay on the table and when, instead of pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from engine.failure import BadInput
from engine.names import EditionName, Seat, parse_edition, parse_seat
from engine.records.json_line import parse_line
from engine.records.sight_json import sight_from_json
from engine.sight import Sight
from host.session.tracker import StillTableWatcher, Tracker

STEP: Final = 0.2
"""Seconds between two looks at a table that lies still."""
LONGEST: Final = 7 * 86_400.0
"""A later instant, in seconds, is a slip: time is walked through step by step."""
STILL_AT_MOST: Final = 600.0
"""Of a table that lies still for longer, this many seconds are walked through: nothing new comes of the rest."""


@dataclass(frozen=True, slots=True)
class GameLine:
    """A new game begins; the one before has ended as a source ends."""

    id: str
    edition: EditionName
    first: Seat | None


@dataclass(frozen=True, slots=True)
class StillTable:
    """A table that lay still from `t` until `until`, seconds of the file's clock; afterwards hands are over it."""

    t: float
    until: float
    sight: Sight


ReadingLine: TypeAlias = GameLine | StillTable


def read_lines(path: Path) -> Iterator[ReadingLine]:
    """The file's lines, checked one by one; raises `BadInput` that names the line."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise BadInput("no-source", f"{path} cannot be read: {error.strerror}.", "Check the name.") from error
    with file:
        for number, line in enumerate(file, 1):
            if line.strip():
                try:
                    yield _line(parse_line(line))
                except BadInput as bad:
                    raise BadInput(bad.code, f"{path}, line {number}: {bad.message}", bad.remedy) from bad


def _line(data: Any) -> ReadingLine:
    if not isinstance(data, dict):
        raise BadInput("bad-reading", "A line is a JSON object.", "docs/contracts.md, section 3.4, says what it holds.")
    game = data.get("game")
    if isinstance(game, dict):
        first = game.get("first")
        return GameLine(
            str(game.get("id", "")),
            parse_edition(game.get("edition", "revised")),
            None if first is None else parse_seat(first),
        )
    t = _seconds(data, "t")
    return StillTable(t, max(t, _seconds(data, "until")), sight_from_json(data))


def _seconds(data: dict[str, Any], name: str) -> float:
    value = data.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= LONGEST:
        raise BadInput("bad-reading", f"{name} is not an instant in seconds.", "Write it as a number from 0.")
    return float(value)


def readings_watcher() -> StillTableWatcher[StillTable]:
    """A watcher that is shown tables instead of pictures: each look at one gives the same reading."""
    return StillTableWatcher(lambda table: table.sight)


def follow_table(tracker: Tracker[StillTable], table: StillTable) -> None:
    """Walks through the time that a table lay still."""
    steps = int(min(table.until - table.t, STILL_AT_MOST) / STEP + 1e-9)
    for step in range(steps + 1):
        tracker.frame(table, table.t + step * STEP)
