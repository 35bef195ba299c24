"""From the referee's events to what is said: a catalogue's text and its parts, still in no language.

Here is the one place where an event becomes something that people read, so here it is made sure that a card lying face
down has no name: a face-down play, a card drawn or taken back never carries one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias

from engine.events import (
    Assumption,
    BattleOver,
    Corrected,
    Event,
    Mend,
    Mended,
    MoveMade,
    Notice,
    Option,
    Reading,
    Revised,
    Undone,
    Unsure,
    Violation,
)
from engine.moves import Move
from engine.names import FACE_DOWN, SEATS, Face, Seat, Theater, other, parse_seat
from engine.places import Board
from host.messages import NOBODY, People, cached_text, known

MessagePart: TypeAlias = str | int | None

PLAYERS: Final[dict[str, MessagePart]] = {"a": "near", "b": "far"}
"""For texts that name both seats, each with a number of its own."""

EITHER: Final = frozenset({"wrong-theater", "wrong-reinforcement"})
"""Mistakes with several ways out: lay the card where it belongs, or turn it over where it lies."""


DISCARDED: Final[Mapping[str, str]] = {
    "should-be-destroyed": "should-be-discarded",
    "destroyed-unseen": "discarded-unseen",
    "containment": "containment-discard",
    "blockade": "blockade-discard",
}
"""Texts with another one for editions whose cards are discarded and not destroyed."""


def in_edition(code: str, parts: Mapping[str, Any]) -> str:
    """The code of the text that has the edition's own word for destroying, which stands in the part `remove`."""
    return DISCARDED.get(code, code) if parts.get("remove") == "discard" else code


class Message(NamedTuple):
    """Something to say: `kind` is the event's, `group` and `code` name the text, `parts` fill it."""

    kind: str
    group: str
    code: str
    parts: Mapping[str, MessagePart]

    def text(self, language: str, people: People = NOBODY) -> str:
        return cached_text(language, self.group, self.code, tuple(self.parts.items()), tuple(people.items()))

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "group": self.group, "code": self.code, "parts": dict(self.parts)}

    @classmethod
    def from_json(cls, read: Mapping[str, Any]) -> Message:
        return cls(str(read["kind"]), str(read["group"]), str(read["code"]), dict(read["parts"]))


def winner_by_concession(events: Sequence[Event]) -> Seat | None:
    """Whom the other seat gave the war, if that is what one decision's events tell: the score is set, and with that
    the war is over."""
    for set_by, told in pairwise(events):
        if isinstance(set_by, Corrected) and isinstance(told, Notice) and told.code == "war-over":
            return next((seat for seat in SEATS if seat == told.parts.get("seat")), None)
    return None


def message_of(event: Event, board: Board, effect: str | None, given_to: Seat | None = None) -> Message | None:
    """What to say of an event, or None for one that is shown and not said.

    `board` is the table as an onlooker sees it after the event and `effect` what was pending before it; `given_to` is
    `winner_by_concession` of the events that it came with.
    """
    match event:
        case Corrected(score=score) if given_to is not None and score is not None:
            parts: dict[str, MessagePart] = {"winner": given_to, "loser": other(given_to)}
            return Message("battle", "event", "conceded", parts | PLAYERS | {seat: score[seat] for seat in SEATS})
        case MoveMade(move=move, state=state, destroyed=destroyed):
            told = move_message(move, board, effect, destroyed)
            lost: dict[str, MessagePart] = {"by_card": event.by_card, "remove": state.edition.remove_word}
            return told._replace(parts={**told.parts, **lost}) if destroyed else told
        case Violation():
            return mistake_message(event)
        case Mended():
            return Message("mended", "event", "mended", {})
        case Undone(moves=moves):
            return Message("undo", "event", "undone", {"n": moves})
        case Revised(moves=moves):
            return Message("revised", "event", "revised", {"n": moves})
        case Corrected(code="let-stand"):
            return Message("correction", "event", "let-stand", {})
        case Corrected(score=None):
            return Message("correction", "event", "corrected", {})
        case Corrected(score=score):
            return Message(
                "correction",
                "event",
                "corrected-score",
                PLAYERS | {seat: (score or {}).get(seat) for seat in SEATS},
            )
        case Notice(code=code):
            told_parts = _parts(event.parts)
            if "mistake" in event.parts:
                told_parts["mistake"] = in_edition(str(event.parts["mistake"]), event.parts)
            return Message("notice", "notice", in_edition(code, event.parts), told_parts)
        case Unsure(question=question):
            return Message("unsure", "question", question, _parts(event.parts))
        case BattleOver(winner=winner, points=points, why=why, score=score):
            ended: dict[str, MessagePart] = {"winner": winner, "loser": other(winner), "points": points}
            return Message("battle", "event", f"battle-{why}", ended | PLAYERS | {seat: score[seat] for seat in SEATS})
        case Reading():
            return None


def move_message(move: Move, board: Board, effect: str | None, destroyed: bool = False) -> Message:
    """A move in words. `board` is the table after it."""
    parts: dict[str, MessagePart] = {
        "by": move.by,
        "to": move.to,
        "at": move.at,
        "from": move.origin,
        "side": move.side,
    }
    code: str = move.do
    match move.do:
        case "deploy":
            parts["card"] = move.card
        case "flip":
            face = _upper(board, move.at, move)
            code = f"flip-{'down' if face == FACE_DOWN else 'up'}-{'own' if move.side == move.by else 'other'}"
            parts["card"] = None if face == FACE_DOWN else face
        case "move":
            # A card that is moved keeps lying as it lay, on top of its new stack.
            pile = board[(move.to, move.by)] if move.to else ()
            parts["card"] = pile[-1] if pile else None
        case "decline":
            parts["effect"] = effect
        case "improvise" | "reinforce" | "return" | "withdraw":
            pass
    if destroyed and move.do in ("deploy", "improvise", "reinforce"):
        code += "-destroyed"
    return Message("move", "move", code, {k: v for k, v in parts.items() if v is not None})


def mistake_message(violation: Violation) -> Message:
    """A mistake as the history tells it: what, whose, which card and where, as far as that is known."""
    code = in_edition(violation.code, violation.parts)
    parts = _parts(violation.parts) | {"code": code, "who": violation.who}
    if violation.code == "boards-moved":
        return Message("violation", "event", "mistake-nobody", parts)
    placed = parts.get("theater") is not None
    return Message("violation", "event", "mistake" if placed else "mistake-plain", parts)


def rule_message(violation: Violation) -> Message:
    """Which rule the table breaks."""
    code = in_edition(violation.code, violation.parts)
    return Message("violation", "because", code, _parts(violation.parts) | {"rule": violation.rule})


def mend_message(mend: Mend, violation: Violation | None) -> Message:
    """One step that puts the table right. Without a violation the step itself says whose it is."""
    parts: dict[str, MessagePart] = ({} if violation is None else {"seat": violation.who}) | _parts(mend.parts)
    down = mend.code == "turn-over" and parts.get("card") not in (None, FACE_DOWN)
    unread = mend.code == "slide-under" and "card" not in parts
    return Message("violation", "mend", "turn-down" if down else "slide-it-under" if unread else mend.code, parts)


def option_message(unsure: Unsure, option: Option) -> Message:
    """One answer to a question: a text of its own for the question where there is one, else of the key."""
    parts = _parts(unsure.parts) | _parts(option.parts) | {"key": option.key}
    if "points" in option.parts:
        loser = parse_seat(option.parts["seat"])
        return Message("unsure", "option", unsure.question, parts | {"other": other(loser)})
    for code in (f"{unsure.question}-{option.key}", option.key, unsure.question):
        if known("option", code):
            return Message("unsure", "option", code, parts)
    return Message("unsure", "option", "any", parts)


def assumption_message(assumption: Assumption) -> Message:
    """Something silent that is taken for granted until a sight shows it."""
    code = in_edition(assumption.code, assumption.parts)
    return Message("assumption", "assumption", code, _parts(assumption.parts) | {"who": assumption.who})


def _upper(board: Board, at: Theater | None, move: Move) -> Face:
    pile = board[(at, move.side)] if at and move.side else ()
    # A card that was turned up and at once turned down again by the same glance is told as it lies now.
    return pile[-1] if pile else move.reveals or FACE_DOWN


def _parts(parts: Mapping[str, Any]) -> dict[str, MessagePart]:
    """Parts as texts need them: a place such as `A/near/1` also as its theater and seat."""
    made: dict[str, MessagePart] = dict(parts)
    at = made.get("at")
    if isinstance(at, str) and "/" in at:
        theater, seat, *_ = at.split("/")
        made |= {"theater": theater, "side": seat}
        made.setdefault("seat", seat)
    elif isinstance(at, str):
        made.setdefault("theater", at)
    if "first" in made:
        made.setdefault("seat", made["first"])
    return made
