"""The trace: everything that was done, by whom and when, the undone included."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass

from host.club.desk import ORGANISER, Desk
from host.club.tournament.events import Changed, Entered, EventUndone, Opened, kind_of
from host.messages import known, say


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One line of the trace. `at` is the clock time of this machine."""

    sequence: int
    at: str
    by: str
    text: str
    undone: bool
    can_undo: bool


def trace_lines(desk: Desk, language: str) -> list[TraceLine]:
    """The desk's records as sentences, newest first."""
    records, gone = desk.records, desk.undone
    names = {r.event.player: r.event.name for r in records if isinstance(r.event, Entered)}
    lines: list[TraceLine] = []
    for record in reversed(records):
        event = record.event
        parts = asdict(event)
        parts.setdefault("name", names.get(parts.get("player", 0), ""))
        if isinstance(event, Changed):
            parts["what"] = ", ".join(f"{k} {_listed(v)}" for k, v in asdict(event).items() if v is not None)
        code = {"organiser": "by-hand"}.get(record.by, f"by-{record.by}")
        lines.append(
            TraceLine(
                record.sequence,
                time.strftime("%H:%M:%S", time.localtime(record.at)),
                say(language, "club", code) if known("club", code) else record.by,
                say(language, "club-event", kind_of(event), parts),
                record.sequence in gone,
                record.by == ORGANISER and record.sequence not in gone and not isinstance(event, Opened | EventUndone),
            )
        )
    return lines


def _listed(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
