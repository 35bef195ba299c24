"""The board file: TOML, read with the line and the remedy of whatever is wrong, and written again.

`docs/fog.md` describes the format. Two boards are built in: the provinces that the memo names, and a small fictional
map on which everything can be tried.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import fields, replace
from fractions import Fraction
from importlib import resources
from typing import Any, Final, Literal

from engine.failure import BadInput
from engine.fog.board import Box, FogBoard, Province, Roles, faults, is_key
from engine.fog.codec import BadField, board_from_json

BuiltIn = Literal["memo", "demo"]
LARGEST_FILE: Final = 200_000
_DECODE_LINE: Final = re.compile(r"\(at line (\d+), column \d+\)|\(at end of document\)")


def built_in(name: BuiltIn) -> FogBoard:
    """`memo`: what the memo names. `demo`: the fictional map with everything filled in."""
    text = resources.files(__package__).joinpath(f"{name}_board.toml").read_text("utf-8")
    return read_board(text, f"{name}_board.toml")


def read_board(text: str, file: str) -> FogBoard:
    """The board of a file's text. Raises `BadInput` (`board-file`) that names the file, the line and the remedy."""
    if len(text) > LARGEST_FILE:
        raise _at_line(file, 1, "The file is too large for a board.", "Is it the right file?")
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _DECODE_LINE.search(str(error))
        line = int(found[1]) if found and found[1] else text.count("\n") + 1
        message = _DECODE_LINE.sub("", str(error)).strip()
        raise _at_line(file, line, f"{message}.", "Write it as TOML; docs/fog.md has an example.") from error
    except RecursionError as error:
        raise _at_line(file, 1, "Lists lie too deep in each other.", "Is it the right file?") from error
    try:
        board = board_from_json(_arranged(read))
    except BadField as bad:
        at = _named(bad.at, read)
        message = f"{at}: {bad.reason}" if at else bad.reason
        raise _at_line(file, _line_of(text, at), message, bad.remedy) from bad
    for at, why in faults(board):
        raise _at_line(file, _line_of(text, at), why.message, why.remedy)
    return board


def _arranged(read: dict[str, Any]) -> dict[str, Any]:
    """The file's tables in the shape of the board's JSON."""
    found = dict(read)
    tables = found.pop("province", {})
    if not isinstance(tables, dict):
        raise BadField("province", "Provinces are tables.", "Write [province.NAME].")
    provinces = []
    for key, table in tables.items():
        if not is_key(key):
            raise BadField(f"province.{key}", f"{key!r} is not a key.", "Use small letters, digits and hyphens.")
        if not isinstance(table, dict) or "key" in table:
            raise BadField(f"province.{key}", "A province is a table without a field key.", "Write [province.NAME].")
        provinces.append({"key": key, **table})
    if "provinces" in found:
        raise BadField("provinces", "There is no such field.", "Write [province.NAME] for each province.")
    found["provinces"] = provinces
    box = found.get("box")
    if isinstance(box, dict) and isinstance(box.get("notes"), dict):
        notes = [{"paragraph": paragraph, "text": text} for paragraph, text in box["notes"].items()]
        found["box"] = {**box, "notes": notes}
    return found


def _named(at: str, read: dict[str, Any]) -> str:
    """A codec's way (`provinces.3.points`) as the file's (`province.kiev.points`)."""
    found = re.match(r"provinces\.(\d+)(?:\.(.*))?", at)
    if not found:
        return at
    key = list(read["province"])[int(found[1])]
    return f"province.{key}.{found[2]}" if found[2] else f"province.{key}"


def _line_of(text: str, at: str) -> int:
    """The line on which the value at this way stands, or its table, or the first."""
    parts = at.split(".")
    length = 2 if parts[0] == "province" else 1
    table, name = ".".join(parts[:length]), parts[length] if len(parts) > length else ""
    best, inside = 1, len(parts) == 1
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if re.match(rf"{re.escape(at)}\s*=", stripped):
            return number
        if stripped.startswith("["):
            header = stripped.strip("[] \t").split("]")[0].replace('"', "")
            inside = header == table
            if inside or header == f"{table}.{name}":
                best = number
                if header != table:
                    return number
        elif inside and re.match(rf'"?{re.escape(name or at)}"?\s*=', stripped):
            return number
    return best


def _at_line(file: str, line: int, message: str, remedy: str) -> BadInput:
    return BadInput("board-file", f"{file}, line {line}: {message}", remedy)


def write_board(board: FogBoard) -> str:
    """The board as a file's text, which `read_board` reads as the same board."""
    lines = [f"name = {_value(board.name)}", f"neutral_areas = {board.neutral_areas}", "", "[roles]"]
    lines += _assigned(board.roles, Roles())
    for p in board.provinces:
        lines += ["", f"[province.{p.key}]", *_assigned(p, Province(""), without="key")]
    lines += ["", "[box]", *_assigned(replace(board.box, notes=()), Box())]
    if board.box.notes:
        lines += ["", "[box.notes]", *(f"{_value(n.paragraph)} = {_value(n.text)}" for n in board.box.notes)]
    return "\n".join(lines) + "\n"


def _assigned(value: Any, empty: Any, without: str = "") -> Iterable[str]:
    """What differs from the empty value, one line a field."""
    for item in fields(value):
        given = getattr(value, item.name)
        if item.name != without and given != getattr(empty, item.name):
            yield f"{item.name} = {_value(given)}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Fraction):
        return str(value.numerator) if value.denominator == 1 else f'"{value}"'
    if isinstance(value, str):
        escaped = "".join(_ESCAPED.get(char, char) for char in value)
        return f'"{escaped}"'
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, value))}]"
    given = ((item.name, getattr(value, item.name)) for item in fields(value))
    return f"{{ {', '.join(f'{name} = {_value(v)}' for name, v in given)} }}"


_ESCAPED: Final = {"\\": "\\\\", '"': '\\"'}
