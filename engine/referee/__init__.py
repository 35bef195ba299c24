"""The referee: from sights of the table to moves, mistakes and questions. `docs/referee.md` tells how it thinks."""

from __future__ import annotations

from engine.events import Violation
from engine.referee.belief import (
    Belief,
    Preview,
    assumptions,
    best_state,
    new_belief,
    questions,
    score,
    states,
    told_moves,
    unsure,
    war_winner,
)
from engine.referee.belief_json import belief_from_json, belief_to_json
from engine.referee.inputs import preview, preview_redo, preview_undo, tell
from engine.referee.policy import Policy
from engine.referee.referee import observe
from engine.referee.update import Verdict


def violation(belief: Belief) -> Violation | None:
    """What is wrong with the table that lies there, as it was told."""
    return belief.violation


def battle_number(belief: Belief) -> int:
    """Which battle of the war this is, from 1."""
    return belief.number


__all__ = [
    "Belief",
    "Policy",
    "Preview",
    "Verdict",
    "assumptions",
    "battle_number",
    "belief_from_json",
    "belief_to_json",
    "best_state",
    "new_belief",
    "observe",
    "preview",
    "preview_redo",
    "preview_undo",
    "questions",
    "score",
    "states",
    "tell",
    "told_moves",
    "unsure",
    "violation",
    "war_winner",
]
