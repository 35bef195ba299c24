"""What people, buttons and the end of a source tell the referee, as JSON: for the game log and for pages.

`input_from_json` takes what strangers send, so it accepts nothing but what it names and bounds every number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from engine.events import Answer, Closed, Concede, Correct, Done, Input, LetStand, Redo, Tick, Undo, Withdraw
from engine.failure import BadInput
from engine.names import SEATS, Card, Seat, parse_card, parse_face, parse_order, parse_seat, parse_theater
from engine.places import MOST_CARDS, PLACES, Board, Spot, parse_spot
from engine.records.events_json import board_to_json
from engine.records.json_codec import Json

T = TypeVar("T")

LARGEST: Final = 1000
EXTRA_MOST: Final = 6
"""Extra turns that can be owed: one for each card of a hand."""
REMEDY: Final = "docs/contracts.md lists the inputs and their fields."


def input_to_json(given: Input) -> Json:
    """One input. `input_from_json` gives the same one back."""
    match given:
        case Done(by=by):
            return {"input": "done", "by": by}
        case Withdraw(by=by):
            return {"input": "withdraw", "by": by}
        case Concede(by=by, war=war):
            return {"input": "concede", "by": by, **({"war": True} if war else {})}
        case Answer(id=number, key=key):
            return {"input": "answer", "question": number, "option": key}
        case Undo(moves=moves):
            return {"input": "undo", "moves": moves}
        case Redo():
            return {"input": "redo"}
        case LetStand():
            return {"input": "let-stand"}
        case Closed():
            return {"input": "closed"}
        case Tick():
            return {"input": "tick"}
        case Correct():
            data: Json = {"input": "correct"}
            if given.board is not None:
                data["board"] = board_to_json(given.board)
            if given.order is not None:
                data["order"] = "".join(given.order)
            for name in ("first", "turn", "effect"):
                if getattr(given, name) is not None:
                    data[name] = getattr(given, name)
            for name in ("hands", "score", "permits", "extra"):
                if getattr(given, name) is not None:
                    data[name] = dict(getattr(given, name))
            if given.hidden is not None:
                data["hidden"] = {str(spot): card for spot, card in given.hidden.items()}
            return data


def input_from_json(data: object) -> Input:
    """The input that JSON names; raises `BadInput` (`bad-input`) for anything else."""
    try:
        return _input(data)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadInput("bad-input", f"This is no input: {error!r:.120}.", REMEDY) from error
    except BadInput as bad:
        raise BadInput("bad-input", f"This is no input: {bad.message:.120}", REMEDY) from bad


def _input(data: Any) -> Input:
    match data["input"]:
        case "done":
            return Done(parse_seat(data["by"]))
        case "withdraw":
            return Withdraw(parse_seat(data["by"]))
        case "concede":
            return Concede(parse_seat(data["by"]), data.get("war") is True)
        case "answer":
            if not isinstance(data["option"], str):
                raise ValueError("an option is a text")
            return Answer(_whole(data["question"], 10**9), data["option"])
        case "undo":
            return Undo(_whole(data.get("moves", 1)))
        case "redo":
            return Redo()
        case "let-stand":
            return LetStand()
        case "closed":
            return Closed()
        case "tick":
            return Tick()
        case "correct":
            return correction_from_json(data)
    raise ValueError("there is no such input")


def correction_from_json(data: Mapping[str, Any]) -> Correct:
    """A correction; what is missing or null stays as it is. Raises `BadInput`, or what a wrong shape raises."""
    score, hands = data.get("score"), data.get("hands")
    return Correct(
        board=None if data.get("board") is None else _board(data["board"]),
        order=None if data.get("order") is None else parse_order(data["order"]),
        first=_seat(data, "first"),
        turn=_seat(data, "turn"),
        score=None if score is None else {seat: _points(dict(score)[seat]) for seat in SEATS},
        hands=None if hands is None else {parse_seat(seat): _whole(n, MOST_CARDS) for seat, n in dict(hands).items()},
        effect=None if data.get("effect") is None else parse_card(data["effect"]),
        permits=_each(data, "permits", _yes),
        extra=_each(data, "extra", lambda n: _whole(n, EXTRA_MOST)),
        hidden=_hidden(data.get("hidden")),
    )


def _each(data: Mapping[str, Any], name: str, value: Callable[[object], T]) -> dict[Seat, T] | None:
    given = data.get(name)
    return None if given is None else {parse_seat(seat): value(one) for seat, one in dict(given).items()}


def _yes(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("a permission is true or false")
    return value


def _hidden(data: Any) -> dict[Spot, Card] | None:
    if data is None:
        return None
    if len(data) > MOST_CARDS:
        raise ValueError("more cards than the game has")
    return {parse_spot(spot): parse_card(card) for spot, card in dict(data).items()}


def _seat(data: Mapping[str, Any], name: str) -> Seat | None:
    return None if data.get(name) is None else parse_seat(data[name])


def _board(data: Any) -> Board:
    board = {
        (parse_theater(theater), parse_seat(seat)): tuple(map(parse_face, _cards(faces)))
        for theater, sides in dict(data).items()
        for seat, faces in dict(sides).items()
    }
    if sum(map(len, board.values())) > MOST_CARDS:
        raise ValueError("more cards than the game has")
    return {place: board.get(place, ()) for place in PLACES}


def _cards(faces: Any) -> list[object]:
    if not isinstance(faces, list) or len(faces) > MOST_CARDS:
        raise ValueError("a stack is a list of cards")
    return faces


def _whole(value: object, largest: int = LARGEST) -> int:
    if type(value) is not int or not 0 <= value <= largest:
        raise ValueError("a number is out of range")
    return value


def _points(value: object) -> int:
    """Points of a score; whether they can be is the war's to say."""
    if type(value) is not int or abs(value) > LARGEST:
        raise ValueError("a score is out of range")
    return value
