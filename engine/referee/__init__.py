"""The referee: from sights of the table to moves, mistakes and questions. `docs/referee.md` tells how it thinks."""

from __future__ import annotations

from engine.referee.belief import (
    Belief,
    UndoPreview,
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
from engine.referee.between_battles import cards_before, with_cards_before
from engine.referee.inputs import preview, preview_redo, preview_undo, tell
from engine.referee.new_sight import observe
from engine.referee.policy import Policy
from engine.referee.update import Verdict

__all__ = [
    "Belief",
    "Policy",
    "UndoPreview",
    "Verdict",
    "assumptions",
    "belief_from_json",
    "belief_to_json",
    "best_state",
    "cards_before",
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
    "war_winner",
    "with_cards_before",
]
