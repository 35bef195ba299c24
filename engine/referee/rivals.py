"""Lines that are kept beside what was told, until a later table tells: an accident for an effect, a mistake that nobody
minds, the other seat as the first."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.battle import play
from engine.legality import explain
from engine.moves import Move
from engine.referee.belief import Belief
from engine.referee.decision import Decision
from engine.referee.hypothesis import Faces, Hypothesis
from engine.referee.looks import merged
from engine.referee.search import SETUP_COST, Root, Step, search
from engine.referee.tolerance import IGNORED_COST
from engine.state import start

EFFECT_UNSEEN_LEAST: Final = 2
"""Moves to a table at least, if one of them is an effect that nobody saw the beginning of."""
NOT_EXCHANGED_COST: Final = 1.0
"""Of a battle begun by the seat that is not first, once that was told and nobody took the card back."""


def otherwise(belief: Belief, decision: Decision) -> tuple[Hypothesis, ...]:
    """The lines so far, where the moves that explain the table rest on an effect that nobody saw: it may have been
    an accident that is put right."""
    if decision.kind != "moves" or decision.hyps[0].cost - belief.hyps[0].cost < SETUP_COST:
        return ()
    if sum(step.kind == "seen" for step in decision.hyps[0].path[len(belief.hyps[0].path) :]) < EFFECT_UNSEEN_LEAST:
        # A single card laid is dear only where another one was badly read.
        return ()
    return tuple(replace(hyp, cost=hyp.cost + SETUP_COST / 2) for hyp in belief.hyps)


def let_stand(belief: Belief, decision: Decision, table: Faces) -> tuple[Hypothesis, ...]:
    """The lines to the present table if the mistake that was told is let stand.

    The table is legal without that: the other seat has played since, or a card was turned over by an effect. If
    nobody minds the mistake, it is another seat's turn, or no effect is open.
    """
    mistake = belief.mistake
    if decision.kind != "moves" or mistake.stands is None or mistake.violation is None or mistake.illegal == table:
        return ()
    target = merged(belief.present.looks)
    found = search([Root(mistake.stands.state, IGNORED_COST, 0)], target, visible=2, budget=600)
    return tuple(
        mistake.stands.followed_by(line)
        for line in found.lines
        if line.reading < 1.0 and line.steps and line.state.turn is not None
    )


def begun_otherwise(belief: Belief) -> tuple[Hypothesis, ...]:
    """The lines to the present table if the seat is first that laid the first card out of turn: play has gone on
    from it, and the commander cards may not have been exchanged."""
    mistake = belief.mistake
    if mistake.violation is None or mistake.violation.code != "out-of-turn":
        return ()
    lines = [hyp for hyp in mistake.rivals if hyp.base.first != belief.hyps[0].base.first]
    target = merged(belief.present.looks)
    found = search([Root(hyp.state, hyp.cost, nth) for nth, hyp in enumerate(lines)], target, budget=600)
    return tuple(lines[line.tag].followed_by(line) for line in found.lines if line.reading < 1.0)


def other_first(belief: Belief, move: Move | None) -> tuple[Hypothesis, ...]:
    """The line that begins with that move if its seat is first, although it should not be: the commander cards were
    not exchanged."""
    base = belief.hyps[0].base
    if move is None or belief.hyps[0].path or move.by == base.first:
        return ()
    opening = start(base.edition, base.order, move.by)
    if explain(opening, move) is not None:
        return ()
    return (Hypothesis(NOT_EXCHANGED_COST, opening, (Step(move, "seen", play(opening, move)),)),)
