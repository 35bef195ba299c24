"""The referee's events as JSON, each by itself: what the game log keeps, and what a log is read back from.

`event_to_json` and `event_from_json` lose nothing. A state is written only where the reader cannot work it out: after
a move, where playing the move gives another state; after an undo, where the moves before it do not lead there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, cast, get_args

from engine.events import (
    BattleOver,
    Corrected,
    Event,
    Mend,
    MendCode,
    Mended,
    MoveMade,
    Notice,
    NoticeCode,
    Option,
    Parts,
    Reading,
    Revised,
    Undone,
    Unsure,
    UnsureCode,
    Violation,
    ViolationCode,
)
from engine.failure import BadInput
from engine.names import SEATS, THEATERS, parse_card, parse_face, parse_order, parse_seat
from engine.places import PLACES, Board
from engine.records.json_codec import Json, move_from_json, move_to_json, state_from_json, state_to_json
from engine.refusal import IllegalMove
from engine.state import State

REMEDY: Final = "The log's entry is damaged: allfronts games rescue keeps what is whole."


def event_to_json(event: Event, expected: State | None = None) -> Json:
    """One event. `expected` is the state that a reader works out; it is written only where the event has another."""
    match event:
        case Reading(board=board, order=order):
            row = None if order is None else "".join(order)
            return {"event": "reading", "stacks": board_to_json(board), "order": row}
        case MoveMade():
            data: Json = {"event": "move", "move": move_to_json(event.move)}
            if event.destroyed:
                data["destroyed"] = True
            if event.by_card is not None:
                data["by_card"] = event.by_card
            return data | _state_if_other(event.state, expected)
        case Violation():
            return {"event": "violation", **violation_to_json(event)}
        case Mended(code=code):
            return {"event": "mended", "code": code}
        case Undone(moves=moves, state=state):
            return {"event": "undo", "moves": moves} | _state_if_other(state, expected)
        case Revised(moves=moves):
            return {"event": "revised", "moves": moves}
        case Corrected(state=state, code=code, score=score):
            data = {"event": "correction", "code": code, "state": state_to_json(state)}
            return data if score is None else data | {"score": dict(score)}
        case Notice(code=code, parts=parts):
            return {"event": "notice", "code": code, "parts": dict(parts)}
        case Unsure():
            return {"event": "unsure", **unsure_to_json(event)}
        case BattleOver(winner=winner, points=points, why=why, score=score):
            return {"event": "battle", "winner": winner, "points": points, "why": why, "score": dict(score)}


def event_from_json(data: object, expected: State | None = None) -> Event:
    """The event that was written with the same `expected`; raises `BadInput` (`bad-event`)."""
    try:
        return _event(data, expected)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput("bad-event", f"This is no event: {error!r}.", REMEDY) from error
    except (BadInput, IllegalMove) as failure:
        raise BadInput("bad-event", f"This is no event: {failure}", REMEDY) from failure


def _event(data: Any, expected: State | None) -> Event:
    match data["event"]:
        case "reading":
            order = None if data["order"] is None else parse_order(data["order"])
            return Reading(board_from_json(data["stacks"]), order)
        case "move":
            by_card = None if data.get("by_card") is None else parse_card(data["by_card"])
            lost = data.get("destroyed", False) is True
            return MoveMade(move_from_json(data["move"]), _state(data, expected), lost, by_card)
        case "violation":
            return violation_from_json(data)
        case "mended":
            return Mended(_choice(data["code"], ViolationCode))
        case "undo":
            return Undone(_count(data["moves"]), _state(data, expected))
        case "revised":
            return Revised(_count(data["moves"]))
        case "correction":
            score = data.get("score")
            made = state_from_json(data["state"])
            counted = None if score is None else _score(score)
            return Corrected(made, _choice(data["code"], Literal["set", "let-stand"]), counted)
        case "notice":
            return Notice(_choice(data["code"], NoticeCode), _parts(data["parts"]))
        case "unsure":
            return unsure_from_json(data)
        case "battle":
            why = _choice(data["why"], Literal["played-out", "withdrew"])
            return BattleOver(parse_seat(data["winner"]), _count(data["points"]), why, _score(data["score"]))
    raise ValueError(f"there is no event {data['event']!r}")


def _state_if_other(state: State, expected: State | None) -> Json:
    return {} if state == expected else {"state": state_to_json(state)}


def _state(data: Mapping[str, Any], expected: State | None) -> State:
    if "state" in data:
        return state_from_json(data["state"])
    if expected is None:
        raise ValueError("the state cannot be worked out")
    return expected


def board_to_json(board: Board) -> Json:
    return {t: {s: list(board[t, s]) for s in SEATS} for t in THEATERS}


def board_from_json(data: Any) -> Board:
    return {(t, s): tuple(map(parse_face, data[t][s])) for t, s in PLACES}


def _choice(value: object, literal: Any) -> Any:
    if value not in get_args(literal):
        raise ValueError(f"{str(value)[:40]!r} is not known")
    return value


def _count(value: object) -> int:
    if type(value) is not int or not 0 <= value <= 10_000:
        raise ValueError(f"{str(value)[:40]!r} is not a count")
    return value


def _score(data: Any) -> Mapping[Any, int]:
    return {seat: _count(data[seat]) for seat in SEATS}


def _parts(data: Any) -> Parts:
    return {str(key): value if type(value) is int else str(value) for key, value in data.items()}


def violation_to_json(violation: Violation) -> Json:
    return {
        "code": violation.code,
        "rule": violation.rule,
        "who": violation.who,
        "mend": [[mend.code, dict(mend.parts)] for mend in violation.mend],
        "move": None if violation.move is None else move_to_json(violation.move),
        "parts": dict(violation.parts),
    }


def violation_from_json(data: Mapping[str, Any]) -> Violation:
    return Violation(
        cast(ViolationCode, _choice(data["code"], ViolationCode)),
        str(data["rule"]),
        parse_seat(data["who"]),
        tuple(Mend(cast(MendCode, _choice(code, MendCode)), _parts(parts)) for code, parts in data["mend"]),
        None if data["move"] is None else move_from_json(data["move"]),
        _parts(data["parts"]),
    )


def unsure_to_json(question: Unsure) -> Json:
    return {
        "id": question.id,
        "question": question.question,
        "options": [[option.key, dict(option.parts)] for option in question.options],
        "parts": dict(question.parts),
    }


def unsure_from_json(data: Mapping[str, Any]) -> Unsure:
    options = tuple(Option(str(key), _parts(parts)) for key, parts in data["options"])
    code = cast(UnsureCode, _choice(data["question"], UnsureCode))
    return Unsure(_count(data["id"]), code, options, _parts(data["parts"]))
