"""Mistakes that stand: what lies otherwise than it should while play goes on, until it is put right or let stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.events import Corrected, Mend, Mended, Violation
from engine.failure import BadInput
from engine.names import FACE_DOWN
from engine.referee.belief import best_state, faces, tellable
from engine.referee.confidence import place_name
from engine.referee.corrected_state import laid
from engine.referee.differences import Difference, MovedBoards
from engine.referee.hypothesis import Hypothesis
from engine.referee.policy import Policy
from engine.referee.search import Step
from engine.referee.unseen_moves import one_taken_up
from engine.referee.update import Update
from engine.referee.violations import rule_of
from engine.state import Order, State
from engine.war import next_orders

FIRST_CARDS: Final = 2
"""Cards of a battle that may lie there before its boards are rotated."""
GIVEN_UP_MOVES: Final = 2
"""Moves after which a card that was not put right stays as it lies."""


class StandingMistakes(Update):
    """An update that tells mistakes beside which play goes on, and lets them stand after a while."""

    def boards_lie(self, order: Order) -> None:
        """Notes boards that lie in another order than that of the battle, or that lie right again."""
        belief, state = self.belief, best_state(self.belief)
        if belief.phase != "battle" or order == state.order:
            if belief.boards is not None and belief.boards.told:
                self.events.append(Mended("boards-moved"))
            self.belief = replace(self.belief, boards=None)
        elif belief.boards is None or belief.boards.order != order:
            told = belief.boards is not None and belief.boards.told
            self.belief = replace(self.belief, boards=MovedBoards(order, self.t, len(belief.told), told))

    def boards_told(self) -> None:
        """Tells boards that have lain in another order for a while; if play goes on, they are played as they lie."""
        belief, state = self.belief, best_state(self.belief)
        boards, policy = belief.boards, belief.policy
        if boards is None or belief.phase != "battle" or belief.present.looks:
            return
        if not any(hand.size for hand in state.hands) and boards.order in next_orders(state.order):
            # All cards are played, and what is open will be declined: the boards are rotated for the next battle.
            return
        lain, who = self.t - boards.since, state.turn or state.first
        if lain >= policy.unfinished and self._rotated_late(boards):
            self._play_as_they_lie(boards)
            self.notice("order-changed", order="".join(boards.order), expected="".join(state.order))
            self.events.append(Corrected(best_state(self.belief), "let-stand"))
        elif not boards.told and lain >= policy.unfinished:
            self.belief = replace(self.belief, boards=replace(boards, told=True))
            self.events.append(boards_violation(boards, state))
        elif boards.told and lain >= policy.given_up and len(belief.told) >= boards.moves + GIVEN_UP_MOVES:
            self._play_as_they_lie(boards)
            self.notice("let-stand", mistake="boards-moved", seat=who)
            self.events.append(Corrected(best_state(self.belief), "let-stand"))

    def _rotated_late(self, boards: MovedBoards) -> bool:
        """Whether the boards were rotated for this battle only after its first cards lay there."""
        fought, laid = self.belief.war.fought, best_state(self.belief).order
        if not fought or len(self.belief.told) > FIRST_CARDS:
            return False
        rotated_so = next_orders(fought[-1].order)
        return boards.order in rotated_so and laid not in rotated_so

    def _play_as_they_lie(self, boards: MovedBoards) -> None:
        made = [
            replace(hyp, path=(*hyp.path, Step(None, "set", hyp.state._replace(order=boards.order))))
            for hyp in self.belief.hyps
        ]
        self.belief = replace(self.belief, boards=None, hyps=tuple(made))

    def differences_told(self, lying_so: tuple[Difference, ...]) -> None:
        """Tells what lies otherwise than it should once it has lain so long enough, and lets it stand if it stays."""
        belief = self.belief
        if belief.phase in ("over", "won") and belief.ending.due is None:
            # The cards are being gathered in.
            return
        for one in belief.differences:
            if one not in lying_so:
                continue
            lain = self.t - one.since
            policy = belief.policy
            if not one.told and lain >= _patience(policy, one):
                self.belief = replace(
                    self.belief,
                    differences=tuple(replace(d, told=True) if d == one else d for d in self.belief.differences),
                )
                if one.violation is not None:
                    self.events.append(one.violation)
                else:
                    self.notice("header-hidden", at=place_name(one.at, one.nth), card=one.face)
            elif (
                one.told
                and one.kind != "hidden"
                and lain >= policy.given_up
                and len(belief.told) >= one.moves + GIVEN_UP_MOVES
            ):
                self._given_up(one)

    def _given_up(self, one: Difference) -> None:
        """The card stays as it lies: nobody puts it right, and play goes on."""
        best = best_state(self.belief)
        if best.pending is not None or best.turn is None or one.violation is None:
            return
        made: list[Hypothesis] = []
        for hyp in self.belief.hyps:
            table = [list(column) for column in faces(hyp.state)]
            if one.kind == "extra":
                table[one.at].insert(one.nth, one.face)
            elif one.nth < len(table[one.at]):
                del table[one.at][one.nth]
            # A card that should have been destroyed was counted as played: it comes from no hand any more.
            hands = hyp.state.hand_sizes if one.kind == "extra" else None
            try:
                state = laid(hyp.state, table, hands=hands)
            except BadInput:
                continue
            made.append(replace(hyp, path=(*hyp.path, Step(None, "set", state))))
        if not made:
            return
        self.belief = replace(self.belief, differences=tuple(d for d in self.belief.differences if d != one))
        self.let_stand_told(one.violation)
        self.adopt(made)
        self.events.append(Corrected(best_state(self.belief), "let-stand"))

    def let_stand_told(self, mistake: Violation) -> None:
        """The line in the record, with the edition's word for destroying where the mistake has it."""
        parts = {"remove": mistake.parts["remove"]} if "remove" in mistake.parts else {}
        self.notice("let-stand", mistake=mistake.code, seat=mistake.who, **parts)

    def stood_told(self, mistake: Violation | None) -> None:
        """The likeliest line has that mistake in it, which nobody minded: it is let stand, with a line in the
        record."""
        path = self.belief.hyps[0].path
        made = next(step.state for step in reversed(path) if step.kind == "set")
        if mistake is not None:
            self.let_stand_told(mistake)
        else:
            self.notice("moves-unseen")
        self.events.append(Corrected(made, "let-stand"))

    def go_on_from_here(self, lines: Sequence[Hypothesis]) -> None:
        """More moves led to the table than can be followed: the battle goes on from there."""
        before = self.belief.hyps
        self.explained()
        self.adopt(lines)
        self.begun()
        self.stood_told(None)
        self.finished()
        if self.belief.phase == "battle":
            # They may have been no moves: cards that were shown are taken off again, or one is laid otherwise.
            otherwise = one_taken_up(before[0].state, self.belief.hyps[0])
            self.belief = self.belief.with_rivals((*before, *otherwise))

    def let_ignored_stand(self) -> None:
        """Play went on from the mistake that was told: it is let stand, with a line in the record."""
        stands, violation = self.belief.mistake.stands, self.belief.mistake.violation
        if stands is None or violation is None:
            return
        self.let_stand_told(violation)
        self.belief = replace(self.belief.without_violation(), hyps=(replace(stands, cost=0.0),))
        self.begun()
        path = stands.path
        made = next(nth for nth in range(len(path) - 1, -1, -1) if path[nth].kind == "set")
        before = len(tellable(replace(stands, path=path[:made])))
        now = tellable(stands)
        for entry in now[len(self.belief.told) : before]:
            self.events.append(entry.event)
        self.events.append(Corrected(path[made].state, "let-stand"))
        for entry in now[max(before, len(self.belief.told)) :]:
            self.events.append(entry.event)
        self.belief = replace(self.belief, told=tuple(entry.move for entry in now))


def _patience(policy: Policy, one: Difference) -> float:
    """How long a card may lie otherwise than it should before that is told."""
    if one.kind == "gone":
        # Its owner may look at a hidden card at any time, while the other plays as well.
        return policy.gone if one.face == FACE_DOWN else policy.gone_beside
    return policy.hint if one.kind == "hidden" else policy.unfinished


def boards_violation(boards: MovedBoards, state: State) -> Violation:
    """The boards lie in another order than at the start of the battle."""
    parts = {"order": "".join(boards.order), "expected": "".join(state.order)}
    mend, rule = Mend("put-boards-back", parts), rule_of("boards-moved", state.edition.name)
    return Violation("boards-moved", rule, state.turn or state.first, (mend,), None, parts)
