"""Cards that lie where no column is: beside the columns, over a board, or askew.

No move is made with such a card, and it is no card of the table that is explained. The player whose it most likely is
is told where it belongs; the move is taken once it lies right. What may be a pile or a discarded card is left alone.
"""

from __future__ import annotations

from dataclasses import replace

from engine.battle import destruction
from engine.events import Mend, Mended, Parts, Violation
from engine.legality import explain
from engine.moves import Move
from engine.names import THEATERS, Seat, theater_of
from engine.referee.belief import best_state
from engine.referee.belief_parts import MisplacedCard, misplaced_card
from engine.referee.search import LAYING
from engine.referee.standing import StandingMistakes
from engine.referee.violations import rule_of
from engine.sight import Sight
from engine.state import State


class MisplacedCards(StandingMistakes):
    """An update that tells cards which lie where no column is."""

    def misplaced_lie(self, sight: Sight) -> None:
        """Notes the cards that a look shows in a wrong place, and those that lie there no more."""
        belief = self.belief
        noted = [misplaced_card(note, self.t, len(belief.told)) for note in sight.notes]
        known = {one.seen_as: one for one in belief.misplaced}
        lying = tuple(known.pop(one.seen_as, one) for one in noted if one is not None)
        for one in known.values():
            if one.violation is not None and not one.settled:
                self.events.append(Mended(one.code))
        if lying != belief.misplaced:
            self.belief = replace(belief, misplaced=lying)

    def misplaced_told(self) -> None:
        """Tells the players of a card that has lain in a wrong place for a while; if play goes on, it may lie there."""
        for one in self.belief.misplaced:
            if one.settled:
                continue
            belief, state = self.belief, best_state(self.belief)
            if belief.phase in ("over", "won") or one.moves != len(belief.told) or self._no_move(one, state):
                if one.violation is not None:
                    self.let_stand_told(one.violation)
                self._put(one, replace(one, settled=True))
                continue
            who = self._whose(one, state)
            told = one.violation is not None
            wait = belief.policy.misplaced if who in (None, state.turn) else belief.policy.misplaced_early
            if told or who is None or belief.present.looks or self.t - one.since < wait:
                continue
            violation = _violation(one, state, who)
            self._put(one, replace(one, violation=violation))
            self.events.append(violation)

    def _put(self, old: MisplacedCard, new: MisplacedCard) -> None:
        self.belief = replace(self.belief, misplaced=tuple(new if one == old else one for one in self.belief.misplaced))

    def _no_move(self, one: MisplacedCard, state: State) -> bool:
        """Whether it is rather a pile, or a card that was destroyed and put aside, than a card played."""
        card, who = one.card, state.turn
        if self.belief.phase == "setup":
            return card is None
        if who is None:
            return True
        if state.pending not in LAYING:
            return False
        if card is not None:
            return destruction(state, Move("deploy", one.side or who, card, one.theater)) is not None
        return any(destruction(state, Move("improvise", who, None, to)) is not None for to in THEATERS)

    def _whose(self, one: MisplacedCard, state: State) -> Seat | None:
        """The seat that most likely laid it; None where nobody has a card to lay."""
        if self.belief.phase == "setup" and self.belief.first is None:
            return one.side or state.turn
        if state.turn is None or state.pending not in LAYING:
            return None
        if one.side in (None, state.turn):
            return state.turn
        # Of the other seat's only a card face up can be told from a pile.
        return one.side if one.card is not None and state.hand(one.side).size else None


def _violation(one: MisplacedCard, state: State, who: Seat) -> Violation:
    """The mistake with what puts it right: the card belongs to its own theater, or to the nearest column."""
    to, card = one.theater, one.card
    if card is not None and explain(state.in_turn_of(who), Move("deploy", who, card, to)) is not None:
        # Rather its own theater than a wrong one, whatever is nearest.
        to = theater_of(card)
    said: Parts = {} if one.face is None else {"card": one.face}
    mend = Mend("slide-under", {"to": to, "seat": who, **said})
    if state.turn not in (None, who):
        # It is not that seat's turn: the card belongs back.
        mend = Mend("take-back", {"at": f"{one.theater}/{who}/0", "seat": who, **said})
    return Violation(one.code, rule_of(one.code, state.edition.name), who, (mend,), None, said)
