"""The rules of Air, Land & Sea, and what an onlooker may conclude from a table. Needs nothing but Python.

>>> import engine
>>> state = engine.start("revised", "ALS", "near")
>>> len(engine.legal_moves(state))
22

Names are imported when they are first used, so that `import engine.names` by other packages stays cheap.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine import editions, knowledge, position, war
    from engine.battle import Destruction, destruction, play
    from engine.deal_sampling import Chance, chance_moves, deal_count, deals
    from engine.editions import Edition, edition_named
    from engine.equity import Prospect, equities, withdrawal_value
    from engine.failure import BadInput, Failure
    from engine.knowledge import (
        could_be,
        could_hold,
        information_key,
        must_hold,
        observer_state,
        redacted,
        with_drawn_card,
    )
    from engine.legality import explain, legal_moves, plays
    from engine.moves import Move
    from engine.names import CARDS, SEATS, THEATERS, Card, Seat, Theater, other
    from engine.records import json_codec as record
    from engine.records import notation, replay
    from engine.records.json_codec import move_from_json, move_to_json, state_from_json, state_to_json
    from engine.refusal import IllegalMove, Refusal
    from engine.state import CardInPlay, Hand, Result, State, board, start
    from engine.strength import Held, Part, Strength, control, holders, strengths, totals
    from engine.war import War

_HOMES = {
    "engine.battle": ("Destruction", "destruction", "play"),
    "engine.deal_sampling": ("Chance", "chance_moves", "deal_count", "deals"),
    "engine.editions": ("Edition", "edition_named"),
    "engine.equity": ("Prospect", "equities", "withdrawal_value"),
    "engine.failure": ("BadInput", "Failure"),
    "engine.knowledge": (
        "could_be",
        "could_hold",
        "information_key",
        "must_hold",
        "observer_state",
        "redacted",
        "with_drawn_card",
    ),
    "engine.legality": ("explain", "legal_moves", "plays"),
    "engine.moves": ("Move",),
    "engine.names": ("CARDS", "SEATS", "THEATERS", "Card", "Seat", "Theater", "other"),
    "engine.records.json_codec": ("move_from_json", "move_to_json", "state_from_json", "state_to_json"),
    "engine.refusal": ("IllegalMove", "Refusal"),
    "engine.state": ("CardInPlay", "Hand", "Result", "State", "board", "start"),
    "engine.strength": ("Held", "Part", "Strength", "control", "holders", "strengths", "totals"),
    "engine.war": ("War",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = {
    "editions": "engine.editions",
    "knowledge": "engine.knowledge",
    "notation": "engine.records.notation",
    "position": "engine.position",
    "record": "engine.records.json_codec",
    "replay": "engine.records.replay",
    "war": "engine.war",
}

__all__ = [
    "CARDS",
    "SEATS",
    "THEATERS",
    "BadInput",
    "Card",
    "CardInPlay",
    "Chance",
    "Destruction",
    "Edition",
    "Failure",
    "Hand",
    "Held",
    "IllegalMove",
    "Move",
    "Part",
    "Prospect",
    "Refusal",
    "Result",
    "Seat",
    "State",
    "Strength",
    "Theater",
    "War",
    "board",
    "chance_moves",
    "control",
    "could_be",
    "could_hold",
    "deal_count",
    "deals",
    "destruction",
    "edition_named",
    "editions",
    "equities",
    "explain",
    "holders",
    "information_key",
    "knowledge",
    "legal_moves",
    "move_from_json",
    "move_to_json",
    "must_hold",
    "notation",
    "observer_state",
    "other",
    "play",
    "plays",
    "position",
    "record",
    "redacted",
    "replay",
    "start",
    "state_from_json",
    "state_to_json",
    "strengths",
    "totals",
    "war",
    "with_drawn_card",
    "withdrawal_value",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is not None:
        found = getattr(importlib.import_module(home), name)
    elif name in _MODULES:
        found = importlib.import_module(_MODULES[name])
    else:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    globals()[name] = found
    return found
