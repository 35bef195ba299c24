"""The text notation for wars: what a person reads, types and keeps. docs/notation.md has the grammar and an example.

`read` and `write` lose nothing: `read(write(record)) == record`, comments and unknown headers included. Whether the
moves are legal is not asked here; `engine.records.replay` plays a record.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.failure import BadInput
from engine.moves import Move
from engine.names import EDITIONS, SEATS, THEATERS, Card, EditionName, Seat, Theater
from engine.records.json_codec import Battle, move_from_json, state_to_json
from engine.state import Order, Result, State, cards_of

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


What: TypeAlias = Move | Correction | State | Comment
"""A `State` is a correction, too: the table as a person set it."""


class Entry(NamedTuple):
    """One line of a battle, with the comment behind it."""

    what: What
    note: str = ""


class BattleRecord(NamedTuple):
    """One battle as written."""

    headers: tuple[Header | Comment, ...]
    entries: tuple[Entry, ...]

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


# ----------------------------------------------------------------------------------------------------------- writing


def read(text: str) -> WarRecord:
    """The record in a text; raises `NotationError` that names line, column and the mend."""
    from engine.records.notation_reader import read_record

    return read_record(text)


def write(record: WarRecord) -> str:
    """The record as text; raises `BadInput` (`unwritable`) if it would not be read back as it is.

    That happens to a comment or header with a line break in it, or with blanks at its ends.
    """
    text = _text(record)
    try:
        same = read(text) == record
    except NotationError as error:
        raise BadInput("unwritable", f"The record cannot be written: {error.message}", error.remedy) from error
    if not same:
        raise BadInput("unwritable", "The record would not be read back as it is.", "Trim its comments and headers.")
    return text


def _text(record: WarRecord) -> str:
    lines = [TITLE, *map(_header_line, record.headers)]
    for number, battle in enumerate(record.battles, 1):
        lines += ["", f"Battle {number}", *map(_header_line, battle.headers), ""]
        lines += map(_entry_line, battle.entries)
    return "\n".join(lines) + "\n"


def _header_line(line: Header | Comment) -> str:
    return f"# {line.text}".rstrip() if isinstance(line, Comment) else f"{line.name}: {line.value}"


def _entry_line(entry: Entry) -> str:
    what = entry.what
    if isinstance(what, Comment):
        return f"# {what.text}".rstrip()
    if isinstance(what, State):
        text = f"state {json.dumps(state_to_json(what))}"
    else:
        text = write_move(what) if isinstance(what, Move) else _correction_line(what)
    return f"{text}  # {entry.note}" if entry.note else text


def _correction_line(what: Correction) -> str:
    if what.kind == "undo":
        return f"undo {what.times}"
    if what.kind == "concede":
        return f"concede {what.seat}"
    near, far = what.score or (0, 0)
    return f"score {near}-{far}"


def write_move(move: Move) -> str:
    """One move as a line, such as `near flip far A = L2`."""
    words: list[str] = [move.by, move.do]
    if move.do in ("deploy", "improvise"):
        words += [move.card or "?", move.to or ""]
    elif move.do == "flip":
        words += [move.side or "", move.at or ""]
        words += ["=", move.reveals] if move.reveals else []
    elif move.do == "move":
        words += [f"{move.origin}:{move.nth}", move.to or ""]
    elif move.do == "return":
        words += [f"{move.at}:{move.nth}"]
    elif move.do == "reinforce":
        words += [move.to or ""]
        words += ["=", move.card] if move.card else []
    return " ".join(words)


# ------------------------------------------------------------------------------------------------ from and to battles


def opening_headers(state: State) -> tuple[Header, ...]:
    """The headers of a battle that begins so; the deal only if the record knows all of it."""
    headers = [Header("Order", "".join(state.order)), Header("First", state.first)]
    deck = [slot.card for slot in state.deck if slot.card is not None]
    if all(hand.open for hand in state.hands) and len(deck) == len(state.deck):
        headers += [Header(f"{s.capitalize()} hand", " ".join(cards_of(state.hand(s).known))) for s in SEATS]
        headers.append(Header("Deck", " ".join(deck)))
    return tuple(headers)


def battle_record(battle: Battle) -> BattleRecord:
    """A battle of the JSON form in this notation; raises `IllegalMove` for a move that is not one."""
    moves = (m if isinstance(m, Move) else move_from_json(m) for m in battle.moves)
    return BattleRecord(opening_headers(battle.start()), tuple(Entry(m) for m in moves))
