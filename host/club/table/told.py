"""What of a session's events goes to the desk: what everybody at the table saw, and nothing that lies face down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.events import BattleOver, Corrected, Event, Mended, MoveMade, Revised, Undone, Violation
from engine.names import Seat
from engine.records.json_codec import move_to_json
from host.session.source_events import SourceEvent
from host.session.source_state import SourceState
from host.session.standing import Standing

FACE_DOWN_MOVES: Final = frozenset({"improvise", "reinforce", "return"})
"""Moves whose card nobody but its holder can know; a record may know it all the same."""


def public_events(events: Sequence[Event]) -> list[dict[str, Any]]:
    """The events as the desk stores them."""
    found: list[dict[str, Any]] = []
    for event in events:
        match event:
            case MoveMade(move=move):
                told = move_to_json(move)
                if move.do in FACE_DOWN_MOVES:
                    told["card"] = None
                found.append({"event": "move", "move": told})
            case BattleOver(winner=winner, points=points, why=why):
                found.append({"event": "battle", "winner": winner, "points": points, "why": why})
            case Violation(code=code):
                found.append({"event": "violation", "code": code})
            case Undone(moves=moves):
                found.append({"event": "undo", "moves": moves})
            case Revised(moves=moves):
                found.append({"event": "revised", "moves": moves})
            case Mended():
                found.append({"event": "mended"})
            case Corrected():
                found.append({"event": "correction"})
            case _:
                pass
    return found


def entry_body(events: Sequence[Event], match: str, score: Mapping[Seat, int], winner: Seat | None) -> dict[str, Any]:
    """The body of an entry: what happened, and where the match stands after it."""
    return {
        "events": public_events(events),
        "match": match,
        "near": score["near"],
        "far": score["far"],
        "winner": winner,
    }


class Troubles:
    """The troubles of a table as codes: those of its source, and a violation or a question that is open."""

    def __init__(self) -> None:
        self._source = SourceState()

    def source(self, event: SourceEvent) -> None:
        self._source.told(event)

    def seen(self, cause: Mapping[str, Any], events: Sequence[Event]) -> None:
        """Something was decided: what kept the table from being read may be over."""
        self._source.decided(cause, events)

    def codes(self, standing: Standing) -> tuple[str, ...]:
        found = [trouble.code for trouble in self._source.troubles]
        if standing.violation is not None:
            found.append("violation")
        if standing.question is not None:
            found.append("question")
        return tuple(found[:8])
