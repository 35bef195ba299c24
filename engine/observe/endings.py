"""How a battle may have ended: by what was declined, by a withdrawal, or with cards that nobody saw destroyed."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.battle import play
from engine.legality import is_optional
from engine.moves import Move
from engine.names import Seat
from engine.observe.belief import Belief, Hypothesis
from engine.observe.search import SILENT_MOST, UNSEEN_COST, Step, closure
from engine.state import State

WITHDRAWAL_COST: Final = 3.0
"""One battle in twenty ends so at any one turn."""
UNSEEN_AT_CLOSE: Final = 4
"""Cards that may have been destroyed unseen between the last table and the end of a source."""


def endings(belief: Belief, *, withdrawal: bool, silent: int = SILENT_MOST) -> list[Hypothesis]:
    """How the battle may have ended: what is open is declined and, with `withdrawal`, the seat to move gives up.

    At most `silent` silent moves lie between the last table and the end. Cheapest first.
    """
    found: dict[State, Hypothesis] = {}
    for hyp in belief.hyps:
        for steps, state in closure(hyp.state, silent):
            cost = hyp.cost + sum(step_cost(step) for step in steps)
            path = hyp.path + steps
            while state.turn is not None and is_optional(state):
                move = Move("decline", state.turn)
                state = play(state, move)
                path = (*path, Step(move, "silent", state))
            if state.result is None and withdrawal and state.turn is not None and state.pending is None:
                move = Move("withdraw", state.turn)
                state = play(state, move)
                path = (*path, Step(move, "told", state))
                cost += WITHDRAWAL_COST
            if state.result is not None and (state not in found or cost < found[state].cost):
                found[state] = Hypothesis(cost, hyp.base, path)
    return sorted(found.values(), key=lambda hyp: hyp.cost)


def step_cost(step: Step) -> float:
    """What a silent step costs at the end of a battle, where a decline is certain."""
    return 0.0 if step.move is not None and step.move.do == "decline" else UNSEEN_COST


def closing_lines(belief: Belief) -> list[Hypothesis]:
    """What is open and optional is declined, in every line."""
    found: list[Hypothesis] = []
    for hyp in belief.hyps:
        state, path = hyp.state, hyp.path
        while state.turn is not None and is_optional(state):
            move = Move("decline", state.turn)
            state = play(state, move)
            path = (*path, Step(move, "told", state))
        found.append(replace(hyp, path=path))
    return found


def withdrawals(belief: Belief, by: Seat) -> list[Hypothesis]:
    """Every line in which that seat may withdraw now, with the withdrawal."""
    found: list[Hypothesis] = []
    for hyp in belief.hyps:
        for steps, state in closure(hyp.state):
            if state.turn == by and state.pending is None:
                move = Move("withdraw", by)
                path = (*hyp.path, *steps, Step(move, "told", play(state, move)))
                found.append(Hypothesis(hyp.cost + 1.8 * len(steps), hyp.base, path))
    return sorted(found, key=lambda hyp: hyp.cost)
