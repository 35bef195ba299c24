"""JSON of boards, states and actions: read strictly (an unknown field is an error), written so that it reads back
the same."""

from __future__ import annotations

import types
from dataclasses import MISSING, fields, is_dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from engine.failure import BadInput
from engine.fog import actions
from engine.fog.actions import FogAction
from engine.fog.board import FogBoard
from engine.fog.state import FogState

LONGEST_TEXT: Final = 600
LONGEST_LIST: Final = 200
LARGEST_NUMBER: Final = 9999

_ACTIONS: Final[dict[str, type]] = {kind.do: kind for kind in get_args(actions.FogAction)}


class BadField(BadInput):
    """A value that is not what its field holds; `at` is the way to it, such as `province.kiev.points`."""

    def __init__(self, at: str, message: str, remedy: str) -> None:
        super().__init__("bad-value", f"{at}: {message}" if at else message, remedy)
        self.at = at
        self.reason = message


def to_json(value: Any) -> Any:
    """A board, state, action or a part of one as JSON's own kinds."""
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: to_json(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    return str(value) if isinstance(value, Fraction) else value


def action_to_json(action: FogAction) -> dict[str, Any]:
    return {"do": action.do, **to_json(action)}


def action_from_json(read: object) -> FogAction:
    """Raises `BadField` for anything that is not an action."""
    if not isinstance(read, dict):
        raise BadField("", "An action is an object.", 'Write {"do": …}.')
    kind = _ACTIONS.get(str(read.get("do")))
    if kind is None:
        raise BadField("do", f"{read.get('do')!r} is not an action.", f"Actions are {', '.join(_ACTIONS)}.")
    found: FogAction = from_json(kind, {key: value for key, value in read.items() if key != "do"})
    return found


def board_from_json(read: object) -> FogBoard:
    """Raises `BadField`. What contradicts itself is for `engine.fog.board.faults`."""
    found: FogBoard = from_json(FogBoard, read)
    return found


def state_from_json(read: object) -> FogState:
    """Raises `BadField`."""
    found: FogState = from_json(FogState, read)
    return found


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def from_json(kind: Any, read: object, at: str = "") -> Any:
    """`read` as a value of `kind`: a dataclass, tuple, Literal, union with None, or plain value. Raises `BadField`."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        inner = [item for item in get_args(kind) if item is not type(None)]
        return None if read is None else from_json(inner[0], read, at)
    if origin is Literal:
        if read in get_args(kind) and type(read) in {type(value) for value in get_args(kind)}:
            return read
        raise BadField(at, f"{read!r} is not one of its values.", f"Write {', '.join(map(str, get_args(kind)))}.")
    if origin is tuple:
        return _tuple(get_args(kind), read, at)
    if is_dataclass(kind):
        return _dataclass(kind, read, at)
    return _plain(kind, read, at)


def _tuple(inner: tuple[Any, ...], read: object, at: str) -> tuple[Any, ...]:
    if not isinstance(read, list | tuple):
        raise BadField(at, "This is a list.", "Write [ … ].")
    repeated = len(inner) == 2 and inner[1] is Ellipsis
    if len(read) > LONGEST_LIST or (not repeated and len(read) != len(inner)):
        wanted = f"at most {LONGEST_LIST}" if repeated else str(len(inner))
        raise BadField(at, f"The list has {len(read)} entries.", f"Write {wanted}.")
    kinds = [inner[0]] * len(read) if repeated else list(inner)
    return tuple(from_json(kind, item, f"{at}.{n}") for n, (kind, item) in enumerate(zip(kinds, read, strict=True)))


def _dataclass(kind: Any, read: object, at: str) -> Any:
    if not isinstance(read, dict):
        raise BadField(at, "This is an object with named fields.", f"Fields are {', '.join(_hints(kind))}.")
    known = {item.name: item for item in fields(kind)}
    for name in read:
        if name not in known:
            way = f"{at}.{name}" if at else str(name)
            raise BadField(way, "There is no such field.", f"Fields are {', '.join(known)}.")
    for name, item in known.items():
        if name not in read and item.default is MISSING and item.default_factory is MISSING:
            raise BadField(at, f"The field {name} is missing.", "Add it.")
    hints = _hints(kind)
    return kind(**{name: from_json(hints[name], value, f"{at}.{name}" if at else name) for name, value in read.items()})


def _plain(kind: Any, read: object, at: str) -> Any:
    if kind is bool and isinstance(read, bool):
        return read
    if kind is int and type(read) is int:
        if abs(read) > LARGEST_NUMBER:
            raise BadField(at, f"{read} is too large.", f"Numbers go to {LARGEST_NUMBER}.")
        return read
    if kind is str and isinstance(read, str):
        if len(read) > LONGEST_TEXT or not all(char.isprintable() for char in read):
            raise BadField(at, "The text is too long or has characters that cannot be shown.", "Shorten it.")
        return read
    if kind is Fraction and not isinstance(read, bool) and isinstance(read, int | float | str):
        return _fraction(read, at)
    raise BadField(at, f"{read!r} is not a {_WORDS.get(kind, 'value')}.", "Correct it.")


_WORDS: Final = {int: "whole number", str: "text", bool: "yes or no (true or false)", Fraction: "number such as 1.5"}


def _fraction(read: float | str, at: str) -> Fraction:
    text = str(read)
    try:
        found = Fraction(text) if len(text) <= 8 and "e" not in text.lower() else None
    except (ValueError, ZeroDivisionError):
        found = None
    if found is None or abs(found) > LARGEST_NUMBER:
        raise BadField(at, f"{text[:20]!r} is not a number such as 2, 1.5 or 3/2.", "Correct it.")
    return found
