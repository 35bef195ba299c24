"""Mistakes beside which play goes on: each lies there until it is put right or let stand."""

from __future__ import annotations

from engine.events import Violation
from engine.referee.belief import Belief, best_state
from engine.referee.standing import boards_violation


def lasting_mistakes(belief: Belief) -> tuple[Violation, ...]:
    """Those that were told and lie there still: cards gone or left lying, boards moved, cards beside the columns."""
    found = [one.violation for one in belief.differences if one.told and one.violation is not None]
    if belief.boards is not None and belief.boards.told:
        found.append(boards_violation(belief.boards, best_state(belief)))
    found += [one.violation for one in belief.misplaced if one.violation is not None and not one.settled]
    return tuple(found)
