"""A war as JSON, so that it can be resumed."""

from __future__ import annotations

from typing import Any

from engine.failure import BadInput, Failure
from engine.moves import Move
from engine.names import SEATS, parse_order, parse_seat
from engine.records.json_codec import (
    Json,
    move_from_json,
    move_to_json,
    result_from_json,
    result_to_json,
    state_from_json,
    state_to_json,
)
from engine.war import Fought, War


def war_to_json(war: War) -> Json:
    """Everything about a war, so that it can be resumed."""
    return {
        "edition": war.edition.name,
        "target": war.target,
        "beginner": war.beginner,
        "before": dict(zip(SEATS, war.before, strict=True)),
        "fought": [
            {"order": "".join(b.order), "first": b.first, "result": result_to_json(b.result)} for b in war.fought
        ],
        "opening": state_to_json(war.opening),
        "entries": [
            {"move": move_to_json(e)} if isinstance(e, Move) else {"state": state_to_json(e)} for e in war.entries
        ],
    }


def war_from_json(data: object) -> War:
    """The war that `war_to_json` wrote; raises `BadInput` (`bad-war`, `bad-state`) for anything else."""
    try:
        return _war(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput("bad-war", f"This is not a war: {error!r}.", "Use what war_to_json wrote.") from error
    except BadInput:
        raise
    except Failure as failure:
        raise BadInput("bad-war", f"This is not a war: {failure}", "Use what war_to_json wrote.") from failure


def _war(data: Any) -> War:
    opening = state_from_json(data["opening"])
    begun = War.begin(
        opening.edition, opening.order, opening.first, target=data["target"], beginner=bool(data["beginner"])
    )
    before = (data["before"]["near"], data["before"]["far"])
    if data["edition"] != opening.edition.name or any(type(n) is not int or n < 0 for n in before):
        raise ValueError("edition and score do not fit")
    fought = []
    for battle in data["fought"]:
        result = result_from_json(battle["result"])
        if result is None:
            raise ValueError("a battle that was fought has a result")
        fought.append(Fought(parse_order(battle["order"]), parse_seat(battle["first"]), result))
    war = begun._replace(before=before, fought=tuple(fought), opening=opening, state=opening)
    for entry in data["entries"]:
        war = (
            war.play(move_from_json(entry["move"])) if "move" in entry else war.correct(state_from_json(entry["state"]))
        )
    return war
