"""Why a move is refused: a code from a closed list, the rule it rests on, and the parts that a sentence needs.

The sentences here are the project's own English. `docs/engine.md` lists every code.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.citations import cited
from engine.failure import Failure
from engine.names import EditionName

PartValue = str | int | None


class Reason(NamedTuple):
    """One code's standing text."""

    rule: str
    """A ruling (R1 to R16) or a section of every rulebook (`engine.citations`); `form` where it is no move."""
    sentence: str
    """English, with the parts in braces."""
    mend: str


REASONS: Final[Mapping[str, Reason]] = MappingProxyType(
    {
        # The move is not one.
        "not-a-move": Reason("form", "A move is an object with `by` and `do`.", "Write one object a move."),
        "unknown-deed": Reason(
            "form",
            "{value} is not something one can do.",
            "Use deploy, improvise, withdraw, flip, move, return, reinforce or decline.",
        ),
        "missing-field": Reason("form", "{do} needs the field {field}.", "Add it."),
        "unknown-seat": Reason("form", "{value} is not a seat.", "Seats are near and far."),
        "unknown-theater": Reason("form", "{value} is not a theater.", "Theaters are A, L and S."),
        "unknown-card": Reason("form", "{value} is not a card.", "Cards are A1 to A6, L1 to L6 and S1 to S6."),
        "bad-index": Reason(
            "form", "{value} is not a place in a stack.", "Count from the bottom; 0 is the first card."
        ),
        # Whose decision it is.
        "battle-over": Reason("every edition: end", "The battle is over.", "Deal the next one."),
        "not-your-turn": Reason("every edition: turn", "{turn} must decide now, not {by}.", "Wait for your turn."),
        "effect-pending": Reason(
            "every edition: abilities",
            "{turn} must first decide about {pending}.",
            "Carry out the effect, or decline it if it says may.",
        ),
        "nothing-pending": Reason("every edition: turn", "No effect asks for {do}.", "Deploy, improvise or withdraw."),
        "other-pending": Reason(
            "every edition: abilities", "{pending} does not ask for {do}.", "Do what {pending} asks for."
        ),
        "withdraw-in-effect": Reason(
            "R12", "One cannot withdraw while an effect waits for a decision.", "Carry out the effect first."
        ),
        "must-choose": Reason("{ruling}", "{pending} is not optional.", "Choose one of its targets."),
        # Plays.
        "not-in-hand": Reason(
            "every edition: turn", "{card} cannot be in the hand of {by}.", "Play a card of that hand."
        ),
        "empty-hand": Reason("every edition: turn", "{by} has no card in hand.", "Count that hand again."),
        "card-missing": Reason("form", "The hand of {by} is known, so the card must be named.", "Add the field card."),
        "wrong-theater": Reason(
            "every edition: turn",
            "{card} goes face up to {home} only.",
            "Play it to {home}, play it face down, or have Air Drop or Aerodrome first.",
        ),
        "aerodrome-limit": Reason(
            "every edition: abilities",
            "{card} is too strong for Aerodrome, which carries strength 3 or less.",
            "Play it to {home}.",
        ),
        # Targets.
        "no-card-there": Reason(
            "every edition: terms", "{side} has no such card in {at}.", "Choose a card that lies there."
        ),
        "not-adjacent": Reason(
            "every edition: theaters", "{at} is not adjacent to {place}.", "Choose an adjacent theater."
        ),
        "not-your-card": Reason("R6", "Disrupt makes each seat flip a card of its own.", "Choose a card of {by}."),
        "same-theater": Reason(
            "every edition: terms", "Moving means to a different theater.", "Choose one of the other two."
        ),
        "face-up": Reason("R7", "Redeploy takes back face-down cards only.", "Choose a card that lies face down."),
        # What came to light, or was said to lie hidden.
        "card-contradicts": Reason(
            "R4", "The top card of the deck cannot be {card}.", "Leave the card out, or correct it."
        ),
        "reveal-missing": Reason(
            "every edition: cards",
            "A card came to light in {at} and the record does not say which.",
            "Add the field reveals.",
        ),
        "reveal-impossible": Reason(
            "every edition: cards", "The card in {at} cannot be {card}.", "Correct what came to light."
        ),
        # A record's corrections, which are no moves.
        "bad-correction": Reason("form", "The correction cannot be made: {reason}", "Correct the correction."),
    }
)
"""Every code. The list is closed: a new one is a change for users."""


class Refusal(NamedTuple):
    """Why one move is not legal."""

    code: str
    parts: tuple[tuple[str, PartValue], ...] = ()

    @property
    def rule(self) -> str:
        """The ruling, or the section of every rulebook (`engine.citations.cited` names the edition's)."""
        return REASONS[self.code].rule.format_map(dict(self.parts))

    def rule_in(self, edition: EditionName) -> str:
        """The ruling, or the section of that edition's own rulebook."""
        return cited(self.rule, edition)

    @property
    def message(self) -> str:
        """One English sentence."""
        return REASONS[self.code].sentence.format_map(dict(self.parts))

    @property
    def mend(self) -> str:
        """What to do instead, in English."""
        return REASONS[self.code].mend.format_map(dict(self.parts))


def refusal(code: str, **parts: PartValue) -> Refusal:
    return Refusal(code, tuple(parts.items()))


class IllegalMove(Failure):
    """A move that the rules forbid. `refusal` says why."""

    def __init__(self, why: Refusal) -> None:
        super().__init__(why.code, why.message, why.mend)
        self.refusal = why
