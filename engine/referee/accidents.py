"""Several moves at once that turn out to have been one move and an accident: a card turned up and down again."""

from __future__ import annotations

from typing import Final

from engine.referee.hypothesis import Hypothesis
from engine.referee.search import Line

HURRIED_LEAST: Final = 2
"""So many moves told of one table, of which all but one have left nothing there any more, were rather that one."""


def accident_put_right(told: Hypothesis, before: Hypothesis, line: Line) -> bool:
    """Whether the table is now one card laid away from `before`, the line that was kept beside the moves that were
    told: those were that card, and one turned up by accident."""
    more = told.path[len(before.path) :]
    if told.path[: len(before.path)] != before.path or any(step.kind == "set" for step in more):
        return False
    if len(line.steps) != 1 or line.steps[0].kind != "seen" or line.steps[0].move is None:
        return False
    return line.steps[0].move.do in ("deploy", "improvise") and sum(s.kind == "seen" for s in more) >= HURRIED_LEAST
