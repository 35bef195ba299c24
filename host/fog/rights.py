"""Who may do what in Fog of War. The near seat plays the Axis, the far seat the Allies; the table's owner may do
everything, a viewer only looks."""

from __future__ import annotations

from typing import Final

from engine.fog import actions as a
from engine.fog.actions import FogAction
from engine.fog.names import Side, other
from engine.fog.state import FogState
from engine.fog.year_end import ONE_BY_ONE
from host.web.access import Role

SIDE_OF: Final[dict[str, Side]] = {"near": "axis", "far": "allies"}
_OWNERS: Final = (
    a.SetBox,
    a.SetProvince,
    a.SetProvinces,
    a.SetBoard,
    a.RemoveProvince,
    a.CorrectCamp,
    a.CorrectProvince,
)
_BOTH: Final = (a.ReminderDone, a.Begin, a.Reveal)
"""What both players see and do together."""


def may_play(role: Role, state: FogState, action: FogAction) -> bool:
    """Whether the role may ask for this action now."""
    if role == "owner":
        return True
    side = SIDE_OF.get(role)
    if side is None or isinstance(action, _OWNERS):
        return False
    together = isinstance(action, _BOTH) or (isinstance(action, a.Next) and state.stage not in ONE_BY_ONE)
    return together or side == acting_side(state, action)


def acting_side(state: FogState, action: FogAction) -> Side:
    """The side whose action this is."""
    match action:
        case a.PlaceBeforehand():
            return "allies"
        case a.Objectives():
            return "axis"
        case a.AnswerIntel() if state.bid is not None:
            return state.bid.to_answer
        case a.BankCards() if state.battle is not None:
            return state.battle.by if state.battle.outcome == "win" else other(state.battle.by)
        case _:
            return state.turn
