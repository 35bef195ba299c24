"""A battle as plain text for people, in their language: what `judge` prints of it.

English is the engine's own (`engine.records.drawing`), from which the golden texts are made.
"""

from __future__ import annotations

from string import Formatter
from typing import Final, Protocol, get_args

from engine.battle import Destruction
from engine.lexicon import card_name
from engine.moves import Move
from engine.names import CARDS, SEATS, THEATERS, Card, EditionName, Seat
from engine.records import drawing
from engine.refusal import REASONS, PartValue, Refusal
from engine.state import CardInPlay, Pending, State, board
from engine.strength import Held, Strength, holders, strengths
from host.messages import citation, say
from host.messages.failure_text import sentence_in
from host.messages.message import move_message

ENGLISH: Final = "en"
_EFFECTS: Final = frozenset(get_args(Pending))


class BattleText(Protocol):
    """What is said of a battle."""

    def view(self, state: State) -> list[str]:
        """The table, who holds what and why, and who decides."""

    def move(self, before: State, move: Move, after: State, lost: Destruction | None) -> str:
        """A move, which leads from one state to the other."""

    def refused(self, why: Refusal, rule: str) -> str:
        """Why a move is not allowed, and what to do instead."""

    def seat(self, seat: Seat) -> str: ...

    def edition(self, edition: EditionName) -> str: ...


def battle_text(language: str) -> BattleText:
    return EnglishText() if language == ENGLISH else TranslatedText(language)


class EnglishText:
    """See `BattleText`."""

    def view(self, state: State) -> list[str]:
        return drawing.view(state)

    def move(self, before: State, move: Move, after: State, lost: Destruction | None) -> str:
        return drawing.move_line(before, move, lost)

    def refused(self, why: Refusal, rule: str) -> str:
        return f"({why.code}, {rule}): {why.message} {why.mend}"

    def seat(self, seat: Seat) -> str:
        return seat

    def edition(self, edition: EditionName) -> str:
        return edition


class TranslatedText:
    """See `BattleText`. A card that lies face down is named in brackets where the record knows it."""

    def __init__(self, language: str) -> None:
        self._language = language

    def view(self, state: State) -> list[str]:
        lines = [*drawing.draw(state, self._card, self._board), ""]
        lines += [f"  {self._hold(state, held)}" for held in holders(state)]
        return [*lines, f"  {self._turn(state)}"]

    def move(self, before: State, move: Move, after: State, lost: Destruction | None) -> str:
        message = move_message(move, board(after), before.pending, lost is not None)
        if lost is not None:
            message = message._replace(
                parts={**message.parts, "by_card": lost.by_card, "remove": after.edition.remove_word}
            )
        told = message.text(self._language)
        # The holder of a record knows what an onlooker does not; a sentence for onlookers has no place for it.
        if move.do in ("improvise", "reinforce"):
            hidden = move.card or (before.deck[0].card if move.do == "reinforce" and before.deck else None)
            told += "" if hidden is None else f" ({self._named(hidden)})"
        return told

    def refused(self, why: Refusal, rule: str) -> str:
        reason = REASONS[why.code]
        told = [self._reason(text, dict(why.parts)) for text in (reason.sentence, reason.mend)]
        return f"({why.code}, {citation(self._language, rule)}): {' '.join(told)}"

    def _reason(self, text: str, parts: dict[str, PartValue]) -> str:
        """A text of `REASONS`, whose parts have names, by the catalogue of failures, where they have numbers."""
        names = [name for _, name, _, _ in Formatter().parse(text) if name is not None]
        numbered = text
        for number, name in enumerate(names):
            numbered = numbered.replace(f"{{{name}}}", f"{{{number}}}", 1)
        values = [self._word(parts.get(name)) for name in names]
        said = sentence_in(self._language, numbered)
        for number, value in enumerate(values):
            said = said.replace(f"{{{number}|said}}", value).replace(f"{{{number}}}", value)
        return said[:1].upper() + said[1:]

    def _word(self, value: PartValue) -> str:
        """A seat, theater, card or effect by its word, anything else as it stands."""
        if value in SEATS:
            return say(self._language, "seat", str(value))
        if value in THEATERS:
            return say(self._language, "theater", str(value))
        if value in CARDS:
            return self._named(Card(str(value)))
        if value in _EFFECTS:
            return say(self._language, "effect", str(value))
        return str(value)

    def seat(self, seat: Seat) -> str:
        return say(self._language, "seat", seat)

    def edition(self, edition: EditionName) -> str:
        return say(self._language, "edition", edition)

    def _named(self, card: Card | None) -> str:
        return "?" if card is None else f"{card} {card_name(card, self._language).text}"

    def _card(self, slot: CardInPlay) -> str:
        return self._named(slot.card) if slot.up else f"({slot.card or '?'})"

    def _board(self, held: Held, far: int, near: int) -> str:
        lead = f"+{held.lead}" if held.lead else say(self._language, "view", "held-tie").lower()
        return f"-- {say(self._language, 'theater', held.theater)} {far}:{near} {self.seat(held.seat)} {lead} --"

    def _hold(self, state: State, held: Held) -> str:
        sums = strengths(state)
        parts = {"theater": held.theater, "seat": held.seat}
        if held.why == "empty-first-player" and not sums[held.theater, "near"].total:
            return say(self._language, "judge", "holds-empty", parts)
        code = "holds" if held.why == "stronger" else "holds-tie"
        both = {seat: self._sum(sums[held.theater, seat]) for seat in SEATS}
        return say(
            self._language, "judge", code, parts | {"a": "far", "b": "near", "x": both["far"], "y": both["near"]}
        )

    def _sum(self, strength: Strength) -> str:
        if not strength.parts:
            return "0"
        told = []
        for part in strength.parts:
            name = say(self._language, "part", part.name, {"card": part.card or "-", "source": part.source})
            told.append(f"{part.value} ({name[:1].lower() + name[1:]})")
        return f"{strength.total} = {' + '.join(told)}" if len(told) > 1 else told[0]

    def _turn(self, state: State) -> str:
        if state.result is not None:
            result = {"winner": state.result.winner, "points": state.result.points}
            return say(self._language, "judge", state.result.why, result)
        due = "to-play" if state.pending is None else "to-decide"
        told = say(self._language, "view", due, {"turn": state.turn, "effect": state.pending})
        return f"{told}. {'; '.join(self._hand(state, seat) for seat in SEATS)}."

    def _hand(self, state: State, seat: Seat) -> str:
        return f"{self.seat(seat)}: {say(self._language, 'view', 'hand', {'n': state.hand_sizes[seat]}).lower()}"
