"""The rules of Air, Land & Sea, and what an onlooker may conclude from a table. Needs nothing but Python.

>>> import engine
>>> state = engine.start("revised", "ALS", "near")
>>> len(engine.legal_moves(state))
22

Names are imported when they are first used, so that `import engine.names` by another room stays cheap.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine import editions, knowledge, position, war
    from engine.battle import Fate, fate, play
    from engine.editions import Edition, edition_named
    from engine.failure import BadInput, Failure
    from engine.knowledge import as_shown, could_be, could_hold, must_hold, newcomer
    from engine.legality import explain, legal_moves
    from engine.moves import Move
    from engine.names import CARDS, SEATS, THEATERS, Card, Seat, Theater, other
    from engine.records import json_codec as record
    from engine.records import notation
    from engine.records import replay as campaign
    from engine.records.json_codec import move_from_json, move_to_json, state_from_json, state_to_json
    from engine.refusal import IllegalMove, Refusal
    from engine.state import CardInPlay, Hand, Result, State, board, start
    from engine.strength import Held, Part, Strength, control, holders, strengths
    from engine.war import War

_HOMES = {
    "engine.battle": ("Fate", "fate", "play"),
    "engine.editions": ("Edition", "edition_named"),
    "engine.failure": ("BadInput", "Failure"),
    "engine.knowledge": ("as_shown", "could_be", "could_hold", "must_hold", "newcomer"),
    "engine.legality": ("explain", "legal_moves"),
    "engine.moves": ("Move",),
    "engine.names": ("CARDS", "SEATS", "THEATERS", "Card", "Seat", "Theater", "other"),
    "engine.records.json_codec": ("move_from_json", "move_to_json", "state_from_json", "state_to_json"),
    "engine.refusal": ("IllegalMove", "Refusal"),
    "engine.state": ("CardInPlay", "Hand", "Result", "State", "board", "start"),
    "engine.strength": ("Held", "Part", "Strength", "control", "holders", "strengths"),
    "engine.war": ("War",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = ("campaign", "editions", "knowledge", "notation", "position", "record", "war")

__all__ = [
    "CARDS",
    "SEATS",
    "THEATERS",
    "BadInput",
    "Card",
    "CardInPlay",
    "Edition",
    "Failure",
    "Fate",
    "Hand",
    "Held",
    "IllegalMove",
    "Move",
    "Part",
    "Refusal",
    "Result",
    "Seat",
    "State",
    "Strength",
    "Theater",
    "War",
    "as_shown",
    "board",
    "campaign",
    "control",
    "could_be",
    "could_hold",
    "edition_named",
    "editions",
    "explain",
    "fate",
    "holders",
    "knowledge",
    "legal_moves",
    "move_from_json",
    "move_to_json",
    "must_hold",
    "newcomer",
    "notation",
    "other",
    "play",
    "position",
    "record",
    "start",
    "state_from_json",
    "state_to_json",
    "strengths",
    "war",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is not None:
        found = getattr(importlib.import_module(home), name)
    elif name in _MODULES:
        found = importlib.import_module(f"engine.{name}")
    else:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    globals()[name] = found
    return found
