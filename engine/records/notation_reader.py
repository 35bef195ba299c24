"""Reading the notation for wars: line by line, word by word, and every complaint with its line and column."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeAlias

from engine.failure import BadInput
from engine.moves import MOVE_KINDS, Move, MoveKind
from engine.names import EDITIONS, THEATERS, Card, Seat, Theater
from engine.records.json_codec import state_from_json
from engine.records.notation_format import (
    SEAT_WORDS,
    THEATER_WORDS,
    TITLE,
    BattleRecord,
    Comment,
    Correction,
    Header,
    NotationContent,
    NotationError,
    NotationLine,
    WarRecord,
)
from engine.state import BIT

_LONGEST_NUMBER: Final = 6
_JSON: Final = json.JSONDecoder()
_BATTLE_HEADERS: Final = ("order", "first", "near hand", "far hand", "deck", "result")


_HeaderCheck: TypeAlias = Callable[["_Line", Header], None]


class _Word(NamedTuple):
    text: str
    column: int


class _Line:
    """One line of text, read word by word; every complaint knows where it stands."""

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        self.text = text
        body, mark, note = text.partition("#")
        self.note = note.strip() if mark else ""
        self.words = list(_words(body))
        self.end = len(body.rstrip()) + 1
        self.next = 0

    def error(self, code: str, column: int, message: str, remedy: str) -> NotationError:
        return NotationError(code, self.number, column, message, remedy)

    def take(self, what: str, remedy: str) -> _Word:
        if self.next >= len(self.words):
            raise self.error("unfinished-line", self.end, f"The line ends where {what} should stand.", remedy)
        self.next += 1
        return self.words[self.next - 1]

    def maybe(self, text: str) -> bool:
        if self.next < len(self.words) and self.words[self.next].text == text:
            self.next += 1
            return True
        return False

    def done(self) -> None:
        if self.next < len(self.words):
            word = self.words[self.next]
            raise self.error(
                "left-over",
                word.column,
                f"{_shown(word.text)} is too much here.",
                "End the line before it, or put # first.",
            )

    def seat(self) -> Seat:
        word = self.take("a seat", "Seats are near and far.")
        seat = SEAT_WORDS.get(word.text.lower())
        if seat is None:
            raise self.error(
                "unknown-seat", word.column, f"{_shown(word.text)} is not a seat.", "Seats are near and far."
            )
        return seat

    def theater(self) -> Theater:
        word = self.take("a theater", "Theaters are A, L and S.")
        theater = THEATER_WORDS.get(word.text.upper())
        if theater is None:
            raise self.error(
                "unknown-theater", word.column, f"{_shown(word.text)} is not a theater.", "Theaters are A, L and S."
            )
        return theater

    def card(self, what: str = "a card", unknown: bool = False) -> Card | None:
        remedy = "Cards are A1 to A6, L1 to L6 and S1 to S6" + ("; ? is an unknown one." if unknown else ".")
        word = self.take(what, remedy)
        if unknown and word.text == "?":
            return None
        card = Card(word.text.upper())
        if card not in BIT:
            raise self.error("unknown-card", word.column, f"{_shown(word.text)} is not a card.", remedy)
        return card

    def spot(self) -> tuple[Theater, int]:
        remedy = "Write the theater and the card's place from the bottom, such as A:0."
        word = self.take("a place in a stack", remedy)
        theater, mark, digits = word.text.partition(":")
        if theater.upper() not in THEATER_WORDS or not mark or not _is_number(digits):
            raise self.error("bad-spot", word.column, f"{_shown(word.text)} is not a place in a stack.", remedy)
        return THEATER_WORDS[theater.upper()], int(digits)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER


def _shown(text: str) -> str:
    return ascii(text if len(text) <= 40 else text[:37] + "...")


def _words(body: str) -> Iterator[_Word]:
    start = None
    for i, letter in enumerate(body):
        if letter.isspace() or letter == "=":
            if start is not None:
                yield _Word(body[start:i], start + 1)
                start = None
            if letter == "=":
                # It stands for itself, with or without blanks around it.
                yield _Word(letter, i + 1)
        elif start is None:
            start = i
    if start is not None:
        yield _Word(body[start:], start + 1)


def read(text: str) -> WarRecord:
    """The record in a text; raises `NotationError` that names line, column and the mend."""
    lines = [_Line(i, line.rstrip("\r")) for i, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1)]
    at = 0
    while at < len(lines) and not lines[at].text.strip():
        at += 1
    if at == len(lines) or lines[at].text.strip().lower() != TITLE.lower():
        line = lines[min(at, len(lines) - 1)]
        raise line.error("no-title", 1, "The record does not begin with its title.", f'Write "{TITLE}" first.')
    at += 1
    headers, at = _read_headers(lines, at, _check_war_header)
    battles: list[BattleRecord] = []
    while at < len(lines):
        _read_battle_title(lines[at], len(battles) + 1)
        battle_headers, begun = _read_headers(lines, at + 1, _check_battle_header)
        battle = BattleRecord(battle_headers, ())
        _check_deal(lines[at], battle)
        entries, at = _read_entries(lines, begun)
        battles.append(battle._replace(entries=entries))
    return WarRecord(headers, tuple(battles))


def _is_battle_title(line: _Line) -> bool:
    return bool(line.words) and line.words[0].text.lower() == "battle"


def _read_battle_title(line: _Line, number: int) -> None:
    remedy = f'Write "Battle {number}".'
    line.take("Battle", remedy)
    word = line.take("the number of the battle", remedy)
    if word.text != str(number):
        raise line.error("battle-number", word.column, f"This is battle {number}, not {_shown(word.text)}.", remedy)
    line.done()


def _is_entry(line: _Line) -> bool:
    """Whether a line is a move or a correction and not a header: its first word says so."""
    if not line.words:
        return False
    first = line.words[0].text.lower()
    if first in _CORRECTIONS:
        return True
    return first in SEAT_WORDS and (len(line.words) < 2 or line.words[1].text.lower() in MOVE_KINDS)


def _read_headers(lines: list[_Line], at: int, check: _HeaderCheck) -> tuple[tuple[Header | Comment, ...], int]:
    """Header lines and comments up to the next battle, the first entry, or an empty line that entries follow."""
    found: list[Header | Comment] = []
    seen: set[str] = set()
    while at < len(lines):
        line = lines[at]
        text = line.text.strip()
        if not text:
            # An empty line ends the headers of a battle; comments behind it belong to the moves.
            if check is _check_battle_header and (found or not _header_follows(lines, at)):
                break
        elif text.startswith("#"):
            found.append(Comment(text[1:].strip()))
        elif _is_battle_title(line) or (check is _check_battle_header and _is_entry(line)):
            break
        elif _is_entry(line) and ":" not in line.text.partition("#")[0]:
            raise line.error(
                "not-a-header",
                line.words[0].column,
                "No battle has begun yet.",
                'Write "Battle 1" on a line before it.',
            )
        else:
            header = _read_header(line)
            if header.name.lower() in seen:
                raise line.error(
                    "header-twice", 1, f"{_shown(header.name)} stands here twice.", "Leave one of them out."
                )
            seen.add(header.name.lower())
            check(line, header)
            found.append(header)
        at += 1
    return tuple(found), at


def _header_follows(lines: list[_Line], at: int) -> bool:
    line = next((line for line in lines[at:] if line.text.strip()), None)
    return line is not None and line.text.partition(":")[0].strip().lower() in _BATTLE_HEADERS


def _read_header(line: _Line) -> Header:
    name, mark, value = line.text.partition(":")
    name, value = name.strip(), value.strip()
    if not mark or not name:
        column = len(line.text) - len(line.text.lstrip()) + 1
        raise line.error(
            "not-a-header",
            column,
            f"{_shown(line.text.strip())} is not a header.",
            'Write "Name: value", or # before a comment.',
        )
    if not value:
        raise line.error("empty-header", line.end, f"{_shown(name)} has no value.", "Add it, or leave the line out.")
    return Header(name, value)


def _value_column(line: _Line) -> int:
    start = line.text.index(":") + 1
    return start + len(line.text[start:]) - len(line.text[start:].lstrip()) + 1


def _read_entries(lines: list[_Line], at: int) -> tuple[tuple[NotationLine, ...], int]:
    entries: list[NotationLine] = []
    while at < len(lines) and not _is_battle_title(lines[at]):
        line = lines[at]
        text = line.text.strip()
        if text.startswith("#"):
            entries.append(NotationLine(Comment(text[1:].strip())))
        elif text:
            entries.append(_read_entry(line))
        at += 1
    return tuple(entries), at


def _read_entry(line: _Line) -> NotationLine:
    first = line.words[0].text.lower()
    if first == "state":
        return _read_state(line)
    what: NotationContent = _read_correction(line, first) if first in _CORRECTIONS else _read_move(line)
    line.done()
    return NotationLine(what, line.note)


_CORRECTIONS: Final = ("undo", "concede", "score", "state")


def _read_state(line: _Line) -> NotationLine:
    column = line.words[0].column + len("state") + 1
    text = line.text[column - 1 :]
    try:
        data, end = _JSON.raw_decode(text)
        state = state_from_json(data)
    except (ValueError, RecursionError) as error:
        raise line.error("bad-state", column, f"No state stands here ({error}).", "Write it as JSON.") from error
    except BadInput as bad:
        raise line.error("bad-state", column, bad.message, bad.remedy) from bad
    rest = text[end:].strip()
    if rest and not rest.startswith("#"):
        raise line.error("left-over", column + end, f"{_shown(rest)} is too much here.", "Put # before a comment.")
    return NotationLine(state, rest[1:].strip())


def _read_correction(line: _Line, kind: str) -> Correction:
    line.next = 1
    if kind == "concede":
        return Correction("concede", seat=line.seat())
    if kind == "undo":
        word = line.take("how many entries", "Write undo 1.")
        if not _is_number(word.text) or int(word.text) < 1:
            raise line.error("bad-number", word.column, f"{_shown(word.text)} is not a count.", "Write undo 1.")
        return Correction("undo", times=int(word.text))
    word = line.take("the score", "Write score 6-0, near first.")
    near, mark, far = word.text.partition("-")
    if not (mark and _is_number(near) and _is_number(far)):
        raise line.error(
            "bad-score", word.column, f"{_shown(word.text)} is not a score.", "Write score 6-0, near first."
        )
    return Correction("score", score=(int(near), int(far)))


def _read_move(line: _Line) -> Move:
    by = line.seat()
    word = line.take("what the seat does", f"One of {', '.join(MOVE_KINDS)}.")
    do: MoveKind | None = next((d for d in MOVE_KINDS if d == word.text.lower()), None)
    if do is None:
        raise line.error(
            "unknown-deed",
            word.column,
            f"{_shown(word.text)} is not something one can do.",
            f"One of {', '.join(MOVE_KINDS)}.",
        )
    if do == "deploy":
        return Move(do, by, card=line.card(), to=line.theater())
    if do == "improvise":
        return Move(do, by, card=line.card("a card or ?", unknown=True), to=line.theater())
    if do == "flip":
        side, at = line.seat(), line.theater()
        return Move(do, by, side=side, at=at, reveals=line.card("what came to light") if line.maybe("=") else None)
    if do == "move":
        origin, nth = line.spot()
        return Move(do, by, origin=origin, nth=nth, to=line.theater())
    if do == "return":
        at, nth = line.spot()
        return Move(do, by, at=at, nth=nth)
    if do == "reinforce":
        to = line.theater()
        return Move(do, by, to=to, card=line.card("the card drawn") if line.maybe("=") else None)
    return Move(do, by)


def _check_war_header(line: _Line, header: Header) -> None:
    name, value = header.name.lower(), header.value
    if name == "edition" and value.lower() not in EDITIONS:
        raise line.error(
            "unknown-edition",
            _value_column(line),
            f"{_shown(value)} is not an edition.",
            f"One of {', '.join(EDITIONS)}.",
        )
    if name == "target" and not (_is_number(value) and int(value) >= 1):
        raise line.error(
            "bad-target", _value_column(line), f"{_shown(value)} is not a number of points.", "Write 12 or 18."
        )
    if name == "beginner" and value.lower() not in ("yes", "no"):
        raise line.error(
            "bad-header", _value_column(line), f"{_shown(value)} is neither yes nor no.", "Write yes or no."
        )


def _check_battle_header(line: _Line, header: Header) -> None:
    name, value, column = header.name.lower(), header.value, _value_column(line)
    if name == "order" and sorted(value.upper()) != sorted(THEATERS):
        raise line.error(
            "unknown-order", column, f"{_shown(value)} is not an order.", "Each theater once, such as ALS."
        )
    if name == "first" and value.lower() not in SEAT_WORDS:
        raise line.error("unknown-seat", column, f"{_shown(value)} is not a seat.", "Seats are near and far.")
    if name in ("near hand", "far hand", "deck"):
        for word in _words(" " * (column - 1) + value):
            if Card(word.text.upper()) not in BIT:
                raise line.error(
                    "unknown-card",
                    word.column,
                    f"{_shown(word.text)} is not a card.",
                    "Cards are A1 to A6, L1 to L6, S1 to S6.",
                )
    if name == "result":
        words = value.split()
        good = len(words) == 3 and words[0].lower() in SEAT_WORDS and _is_number(words[1])
        if not good or words[2] not in ("played-out", "withdrew"):
            raise line.error(
                "bad-result",
                column,
                f"{_shown(value)} is not a result.",
                'Write "near 6 played-out" or "far 2 withdrew".',
            )


def _check_deal(title: _Line, battle: BattleRecord) -> None:
    given = [battle.header(name) is not None for name in ("Near hand", "Far hand", "Deck")]
    if any(given) and not all(given):
        raise title.error("half-a-deal", 1, "The deal is not whole.", "Give both hands and the deck, or none of them.")
    hands, deck = battle.hands, battle.deck
    if hands is None or deck is None:
        return
    cards = [*hands["near"], *hands["far"], *deck]
    if len(set(cards)) != len(BIT) or not len(hands["near"]) == len(hands["far"]) == len(deck):
        raise title.error(
            "impossible-deal", 1, "The deal is not possible.", "Six cards a hand, six in the deck, each once."
        )
