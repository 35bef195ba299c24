"""Whether a battle is over but for its last word: all cards are played, and nobody needs the effect that is open."""

from __future__ import annotations

from collections.abc import Sequence

from engine.legality import is_optional
from engine.referee.belief import Belief, faces
from engine.referee.endings import destroyed_lines
from engine.referee.gathering import turned
from engine.referee.hypothesis import Hypothesis
from engine.referee.observation import ReadTable, best_faces


def all_played(belief: Belief) -> bool:
    """Whether both seats have played all their cards in every line; one that was told as to destroy was played."""
    return not any(hand.size for hyp in _lines(belief) for hand in hyp.state.hands)


def as_good_as_over(belief: Belief) -> bool:
    """Whether all cards are played, and the effect that is open, if one is, may be declined."""
    best = _lines(belief)[0].state
    return all_played(belief) and (is_optional(best) or best.result is not None)


def only_shown(belief: Belief, target: ReadTable) -> bool:
    """Whether hidden cards are turned up after all that: people show each other what lay there."""
    best = _lines(belief)[0].state
    return as_good_as_over(belief) and turned(faces(best), tuple(map(best_faces, target))) > 0


def _lines(belief: Belief) -> Sequence[Hypothesis]:
    """The lines that are possible, a card that was told as to destroy played and destroyed in them."""
    return destroyed_lines(belief) or belief.hyps
