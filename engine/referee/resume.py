"""A belief from what was told: what a log is gone on with where no snapshot of the referee's belief is at hand.

The other lines that were possible are forgotten, and so is what was waited for; the state is the one that was shown.
"""

from __future__ import annotations

from engine.moves import Move
from engine.records.timeline import Timeline
from engine.referee.belief import BattlePhase, Belief, fresh, tellable
from engine.referee.belief_parts import BattleEnd
from engine.referee.hypothesis import Hypothesis
from engine.referee.policy import Policy
from engine.referee.search import Step, StepKind


def belief_of(timeline: Timeline, time: float = 0.0, policy: Policy | None = None) -> Belief:
    """The belief of somebody who was told just that. `time` is the last instant of the log's clock, in seconds."""
    war = timeline.before
    steps = tuple(Step(step.move, _kind(step.move), step.state) for step in timeline.steps)
    order = war.opening.order
    if timeline.assumed is not None and (steps or any(timeline.assumed.piles)):
        steps = (*steps, Step(None, "set", timeline.assumed))
    elif timeline.assumed is not None:
        # Before the first card no more than the boards was seen: who is first they do not tell.
        order = timeline.assumed.order
    line = Hypothesis(0.0, war.opening, steps)
    begun = bool(steps) or bool(war.fought)
    first = war.opening.first if begun else None
    return Belief(
        war=war,
        policy=policy or Policy(),
        phase=_phase(timeline),
        first=first,
        expected_order=war.opening.order if begun else None,
        hyps=(line,) if steps else fresh(war.edition.name, order, first),
        told=tuple(entry.move for entry in tellable(line)),
        time=time,
        # An end that was not told yet is told at the next moment.
        ending=BattleEnd(None if timeline.over or timeline.state.result is None else time),
    )


def _kind(move: Move | None) -> StepKind:
    if move is None:
        return "set"
    # A move that leaves nothing to see was told by word.
    return "told" if move.do in ("decline", "withdraw") else "seen"


def _phase(timeline: Timeline) -> BattlePhase:
    if not timeline.steps:
        return "setup"
    if timeline.state.result is None:
        return "battle"
    return "over" if timeline.war.winner is None else "won"
