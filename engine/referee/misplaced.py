"""Cards that lie where no column is: beside the columns, over a board, or askew.

No move is made with such a card, and it is no card of the table that is explained. The player whose it most likely is
is told where it belongs; the move is taken once it lies right. What may be a pile or a discarded card is left alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.battle import destruction
from engine.events import Mend, Mended, Parts, Violation
from engine.legality import explain
from engine.moves import Move
from engine.names import FACE_DOWN, THEATERS, Card, Seat, Theater, parse_card
from engine.referee.belief import best_state
from engine.referee.belief_parts import MisplacedCard, misplaced_card
from engine.referee.standing import StandingMistakes
from engine.referee.violations import rule_of
from engine.sight import MISPLACED, Sight
from engine.state import State

LAYING: Final = (None, "play", "reinforce")
"""What is open while a seat has a card to lay."""


class MisplacedCards(StandingMistakes):
    """An update that tells cards which lie where no column is."""

    def misplaced_lie(self, sight: Sight) -> None:
        """Notes the cards that a look shows in a wrong place, and those that lie there no more."""
        found = [note for note in sight.notes if note.code in MISPLACED and note.at[:1] in THEATERS]
        if not found and not self.belief.misplaced:
            return
        belief = self.belief
        known = {(one.code, one.at, one.face): one for one in belief.misplaced}
        now = [misplaced_card(note, self.t, len(belief.told)) for note in found]
        kept = tuple(known.pop((one.code, one.at, one.face), one) for one in now)
        for one in known.values():
            if one.told and not one.settled:
                self.events.append(Mended(one.code))
        self.belief = replace(belief, misplaced=kept)

    def misplaced_told(self) -> None:
        """Tells the players of a card that has lain in a wrong place for a while; if play goes on, it may lie there."""
        for one in self.belief.misplaced:
            if one.settled:
                continue
            belief, state = self.belief, best_state(self.belief)
            if belief.phase in ("over", "won") or one.moves != len(belief.told) or self._no_move(one, state):
                if one.told:
                    self.notice("let-stand", mistake=one.code, seat=one.side or state.first)
                self._put(one, replace(one, settled=True))
                continue
            who = self._whose(one, state)
            if one.told or who is None or belief.present.looks or self.t - one.since < belief.policy.misplaced:
                continue
            self._put(one, replace(one, told=True))
            self.events.append(misplaced_violation(one, state, who))

    def _put(self, old: MisplacedCard, new: MisplacedCard) -> None:
        self.belief = replace(self.belief, misplaced=tuple(new if one == old else one for one in self.belief.misplaced))

    def _no_move(self, one: MisplacedCard, state: State) -> bool:
        """Whether it is rather a pile, or a card that was destroyed and put aside, than a card played."""
        down = one.face in (None, FACE_DOWN)
        if self.belief.phase == "setup":
            return down
        who = state.turn
        if who is None:
            return True
        if state.pending not in LAYING:
            return False
        card = None if one.face in (None, FACE_DOWN) else parse_card(one.face)
        tries = [Move("improvise", who, None, to) for to in THEATERS] if down else [_deployed(who, card, one.theater)]
        free = state._replace(pending=None, queue=())
        return any(destruction(free, move) is not None for move in tries)

    def _whose(self, one: MisplacedCard, state: State) -> Seat | None:
        """The seat that most likely laid it; None where nobody has a card to lay."""
        if self.belief.phase == "setup" and self.belief.first is None:
            return one.side or state.turn
        if state.turn is None or state.pending not in LAYING:
            return None
        return state.turn if one.side in (None, state.turn) else None


def _deployed(who: Seat, card: Card | None, to: Theater) -> Move:
    return Move("deploy", who, card, to)


def misplaced_violation(one: MisplacedCard, state: State, who: Seat) -> Violation:
    """The mistake with what puts it right: the card belongs to its own theater, or to the nearest column."""
    to = one.theater
    if one.face not in (None, FACE_DOWN):
        card = parse_card(one.face)
        free = state._replace(active=who, turn=who, pending=None, queue=())
        if explain(free, _deployed(who, card, to)) is not None:
            # Rather its own theater than a wrong one, whatever is nearest.
            to = next(theater for theater in THEATERS if card.startswith(theater))
    parts: dict[str, str | int] = {"to": to, "seat": who}
    if one.face is not None:
        parts["card"] = one.face
    said: Parts = {"card": one.face} if one.face is not None else {}
    return Violation(one.code, rule_of(one.code, state.edition.name), who, (Mend("slide-under", parts),), None, said)
