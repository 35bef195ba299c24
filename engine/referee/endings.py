"""How a battle may have ended: by what was declined, by a withdrawal, or with cards that nobody saw destroyed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.battle import play
from engine.editions import BATTLE_POINTS
from engine.events import Option, Violation
from engine.legality import explain, is_optional
from engine.moves import Move
from engine.names import SEATS, Seat, other
from engine.referee.belief import Belief
from engine.referee.belief_parts import NO_MISTAKE
from engine.referee.gathering import restored
from engine.referee.hypothesis import Hypothesis
from engine.referee.search import UNSEEN_COST, Step, closure, hidden_cost
from engine.state import State

WITHDRAWAL_COST: Final = 3.0
"""One battle in twenty ends so at any one turn."""
VAIN_COST: Final = 6.0
"""Of withdrawing for as many points as the battle is worth: whoever plays on loses no more."""
TAKEN_BACK_COST: Final = 2.5
"""A card that would be destroyed was taken back instead of being lost."""
OUT_OF_TURN_COST: Final = 4.6
"""The same in a line where it was not that seat's turn: it was laid against the rules."""
STOOD_COST: Final = 4.6
"""A mistake was told, and nobody put it right before the table was cleared."""
ENDINGS_APART: Final = 9.0
"""Nats: an end this much less likely than another one is not asked about. Points are for the players to say."""
UNSEEN_AT_CLOSE: Final = 4
"""Cards that may have been destroyed unseen between the last table and the end of a source."""


def endings(belief: Belief, *, withdrawal: bool) -> list[Hypothesis]:
    """How the battle may have ended: what is open is declined and, with `withdrawal`, the seat to move gives up.

    Whatever may have been destroyed unseen since the last table is tried; a mistake that nobody put right may have been
    none, or was let stand. Cheapest first.
    """
    found: dict[State, Hypothesis] = {}
    stood = () if belief.mistake.stands is None else (replace(belief.mistake.stands, cost=STOOD_COST),)
    for hyp in belief.hyps + belief.mistake.rivals + stood:
        for steps, state in closure(hyp.state):
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
                cost += WITHDRAWAL_COST + (VAIN_COST if gives_all(state) else 0.0)
            if state.result is not None and (state not in found or cost < found[state].cost):
                found[state] = Hypothesis(cost, hyp.base, path)
    return sorted(found.values(), key=lambda hyp: hyp.cost)


def withdrawal_by_word(belief: Belief, by: Seat) -> Hypothesis:
    """The likeliest line with a withdrawal by the players' word, in the middle of an effect or of the other's turn."""
    best = belief.hyps[0]
    free = best.state.in_turn_of(by)
    move = Move("withdraw", by)
    return replace(best, path=(*best.path, Step(None, "set", free), Step(move, "told", play(free, move))))


def before_taken_back(line: Hypothesis, length: int) -> int:
    """How many steps stay if those from `length` on go: nor does what was taken for granted only for their sake, such
    as a card that nobody saw destroyed."""
    length = _before_conceded(line, length)
    while length and _lost_unseen(line.path[length - 1]):
        length -= 1
    return length


def _lost_unseen(step: Step) -> bool:
    return step.kind == "silent" and step.move is not None and step.move.do not in ("decline", "withdraw")


def _before_conceded(line: Hypothesis, length: int) -> int:
    """How many steps stay if those from `length` on go: of a withdrawal by word also the step that put its seat in
    turn, with which the effect that was open would stay lost."""
    move = line.path[length].move
    if not length or move is None or move.do != "withdraw" or line.path[length - 1].kind != "set":
        return length
    before = replace(line, path=line.path[: length - 1]).state
    return length - 1 if line.path[length - 1].state == before.in_turn_of(move.by) else length


def gives_all(state: State) -> bool:
    """Whether the battle has ended with all its points for one seat, so that a withdrawal was in vain."""
    return state.result is not None and state.result.points == BATTLE_POINTS


def gathered(belief: Belief) -> list[Hypothesis]:
    """How the battle may have ended when its cards were gathered in: from before anybody took one up, if it can have
    ended then. A card that was told as one to destroy was played, and counts for nothing."""
    lost = destroyed_lines(belief)
    if lost:
        belief = replace(belief, hyps=tuple(lost), mistake=NO_MISTAKE, taken_up=None)
    return endings(restored(belief), withdrawal=True) or endings(belief, withdrawal=True)


def given_up(ended: Sequence[Hypothesis], likely: Sequence[Hypothesis]) -> list[Hypothesis]:
    """The ends of `gathered`, a withdrawal first if the likeliest end has a card laid and destroyed that nobody saw.

    Used where no hand was over the table since its last card, so that no card was laid, and all `likely` ends give the
    same points to the same seat.
    """
    seen = max((nth for nth, step in enumerate(ended[0].path) if step.kind == "seen"), default=-1)
    lost = any(step.kind == "silent" and step_cost(step) for step in ended[0].path[seen + 1 :])
    withdrew = next((hyp for hyp in likely if hyp.path and hyp.path[-1].kind == "told"), None)
    if not lost or withdrew is None:
        return list(ended)
    return [withdrew, *(hyp for hyp in ended if hyp is not withdrew)]


def outcomes(ended: Sequence[Hypothesis]) -> list[Option]:
    """The answers to "how did it end?": who withdrew, with how many cards where that matters, or nobody.

    Keys: a seat, or `near-3` for a seat and the points that its withdrawal gives; `played-out` where every card may
    have been played; `nobody`: it goes on.
    """
    hands: dict[tuple[Seat, int], set[int]] = {}
    played = False
    for hyp in ended:
        result = hyp.state.result
        if result is not None and result.why == "withdrew":
            loser = other(result.winner)
            hands.setdefault((loser, result.points), set()).add(hyp.state.hand(loser).size)
        played |= result is not None and result.why == "played-out"
    options: list[Option] = []
    alone = [seat for seat in SEATS if sum(loser == seat for loser, _ in hands) == 1]
    for seat in SEATS:
        if not any(loser == seat for loser, _ in hands):
            options.append(Option(seat))
    # The likeliest first.
    for (seat, points), sizes in hands.items():
        left = f"{min(sizes)}–{max(sizes)}" if len(sizes) > 1 else str(min(sizes))
        key = seat if seat in alone else f"{seat}-{points}"
        options.append(Option(key, {"seat": seat, "points": points, "left": left}))
    return [*options, *([Option("played-out")] if played else []), Option("nobody")]


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


def withdrawals(belief: Belief, by: Seat, points: int | None = None) -> list[Hypothesis]:
    """Every line in which that seat may withdraw now, with the withdrawal; for so many points, if they are given."""
    found: list[Hypothesis] = []
    for hyp in belief.hyps:
        for steps, state in closure(hyp.state):
            if state.turn == by and state.pending is None:
                move = Move("withdraw", by)
                after = play(state, move)
                if points is None or (after.result is not None and after.result.points == points):
                    cost = hyp.cost + sum(step_cost(step) for step in steps)
                    found.append(Hypothesis(cost, hyp.base, (*hyp.path, *steps, Step(move, "told", after))))
    return sorted(found, key=lambda hyp: hyp.cost)


def destroyed_lines(belief: Belief) -> list[Hypothesis]:
    """The lines with the play whose card had to be destroyed and was told as left lying."""
    wrong = belief.mistake.violation
    if wrong is None or wrong.code != "should-be-destroyed" or wrong.move is None:
        return []
    lines: list[Hypothesis] = []
    for hyp in belief.hyps:
        for steps, state in closure(hyp.state):
            if state.turn == wrong.move.by and explain(state, wrong.move) is None:
                after = play(state, wrong.move)
                if after.piles == state.piles:
                    path = (*hyp.path, *steps, Step(wrong.move, "seen", after))
                    lines.append(Hypothesis(hyp.cost + len(steps), hyp.base, path))
    return lines


def taken_back(hyps: Sequence[Hypothesis], wrong: Violation) -> list[Hypothesis]:
    """The lines without the play whose card had to be destroyed: it was taken back. Where it was not that seat's turn
    yet, something was declined or lost unseen before, or the card was laid against the rules."""
    found: list[Hypothesis] = []
    by = None if wrong.move is None else wrong.move.by
    for hyp in hyps:
        for steps, state in closure(hyp.state):
            if state.turn == by or not steps:
                cost = hyp.cost + TAKEN_BACK_COST + hidden_cost(steps)
                cost += 0.0 if state.turn == by else OUT_OF_TURN_COST
                found.append(Hypothesis(cost, hyp.base, hyp.path + steps))
    return found
