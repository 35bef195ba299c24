"""The text notation for wars: what a person reads, types and keeps. docs/notation.md has the grammar and an example.

`read` and `write` lose nothing: `read(write(record)) == record`, comments and unknown headers included. Whether the
moves are legal is not asked here; `engine.records.replay` plays a record.
"""

from __future__ import annotations

import json

from engine.failure import BadInput
from engine.moves import Move
from engine.names import SEATS
from engine.records.json_codec import UncheckedBattle, move_from_json, state_to_json
from engine.records.notation_format import (
    TITLE,
    BattleRecord,
    Comment,
    Correction,
    Header,
    NotationError,
    NotationLine,
    WarRecord,
)
from engine.records.notation_reader import read
from engine.state import State, cards_of

__all__ = ["battle_record", "opening_headers", "read", "write", "write_move"]


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


def _entry_line(entry: NotationLine) -> str:
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


def battle_record(battle: UncheckedBattle) -> BattleRecord:
    """A battle of the JSON form in this notation; raises `IllegalMove` for a move that is not one."""
    moves = (m if isinstance(m, Move) else move_from_json(m) for m in battle.moves)
    return BattleRecord(opening_headers(battle.start()), tuple(NotationLine(m) for m in moves))
