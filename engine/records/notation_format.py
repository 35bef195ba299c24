"""What a war's record in the text notation consists of: its lines as typed values, and the notation's fixed words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.failure import BadInput
from engine.moves import Move
from engine.names import EDITIONS, THEATERS, Card, EditionName, Seat, Theater
from engine.state import Order, Result, State

TITLE: Final = "All Fronts war 1"
"""The first line of every record; the number is the notation's version."""

SEAT_WORDS: Final[dict[str, Seat]] = {"near": "near", "n": "near", "far": "far", "f": "far"}


class NotationError(BadInput):
    """A text that is no war. `line` and `column` count from 1."""

    def __init__(self, code: str, line: int, column: int, message: str, remedy: str) -> None:
        super().__init__(code, f"Line {line}, column {column}: {message}", remedy)
        self.line = line
        self.column = column


class Comment(NamedTuple):
    """A whole line of its own, without the `#`."""

    text: str


class Header(NamedTuple):
    """`Name: value`. Names that the notation does not know are kept."""

    name: str
    value: str


class Correction(NamedTuple):
    """What a person changed: `undo` the last `times` entries, `concede` by `seat`, or the `score`."""

    kind: Literal["undo", "concede", "score"]
    seat: Seat | None = None
    times: int = 0
    score: tuple[int, int] | None = None


NotationContent: TypeAlias = Move | Correction | State | Comment
"""A `State` is a correction, too: the table as a person set it."""


class NotationLine(NamedTuple):
    """One line of a battle, with the comment behind it."""

    what: NotationContent
    note: str = ""


class BattleRecord(NamedTuple):
    """One battle as written."""

    headers: tuple[Header | Comment, ...]
    entries: tuple[NotationLine, ...]

    def header(self, name: str) -> str | None:
        return _header(self.headers, name)

    @property
    def order(self) -> Order | None:
        """The boards from left to right, or None where the line is left out: they rotate (R14)."""
        value = self.header("Order")
        return None if value is None else _order(value)

    @property
    def first(self) -> Seat | None:
        """Who holds the first-player card, or None where the line is left out: the cards change hands."""
        value = self.header("First")
        return None if value is None else SEAT_WORDS[value.lower()]

    @property
    def hands(self) -> dict[Seat, tuple[Card, ...]] | None:
        """The deal, or None in an onlooker's record."""
        near, far = self.header("Near hand"), self.header("Far hand")
        if near is None or far is None:
            return None
        return {"near": _cards(near), "far": _cards(far)}

    @property
    def deck(self) -> tuple[Card, ...] | None:
        """Top first, or None in an onlooker's record."""
        value = self.header("Deck")
        return None if value is None else _cards(value)

    @property
    def result(self) -> Result | None:
        """The result as written, which need not be what the moves give."""
        value = self.header("Result")
        if value is None:
            return None
        seat, points, why = value.split()
        return Result(SEAT_WORDS[seat.lower()], int(points), "withdrew" if why == "withdrew" else "played-out")


class WarRecord(NamedTuple):
    """A war as written."""

    headers: tuple[Header | Comment, ...]
    battles: tuple[BattleRecord, ...]

    def header(self, name: str) -> str | None:
        return _header(self.headers, name)

    @property
    def edition(self) -> EditionName:
        return next(e for e in EDITIONS if e == (self.header("Edition") or "revised").lower())

    @property
    def target(self) -> int | None:
        value = self.header("Target")
        return None if value is None else int(value)

    @property
    def beginner(self) -> bool:
        return (self.header("Beginner") or "no").lower() == "yes"


def _header(headers: Iterable[Header | Comment], name: str) -> str | None:
    return next((h.value for h in headers if isinstance(h, Header) and h.name.lower() == name.lower()), None)


def _order(value: str) -> Order:
    row = value.upper()
    return (THEATER_WORDS[row[0]], THEATER_WORDS[row[1]], THEATER_WORDS[row[2]])


def _cards(value: str) -> tuple[Card, ...]:
    return tuple(Card(word.upper()) for word in value.split())


THEATER_WORDS: Final[dict[str, Theater]] = {t: t for t in THEATERS}


def is_notation(text: str) -> bool:
    """Whether a file is meant to be in this notation: its first line that is not empty says so."""
    return text.lstrip("\ufeff \t\r\n").lower().startswith("all fronts")
