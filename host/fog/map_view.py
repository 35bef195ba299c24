"""The map as a page shows it: each province with what lies there, what carries supply to it, and how it is attacked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.fog.launch import ready_slots, targets
from engine.fog.names import SIDES, Side
from engine.fog.refusal import FromYourBox
from engine.fog.sentences import province, say
from engine.fog.state import Game
from engine.fog.supply import Gap, Route, reached, trace
from host.fog.texts import fog_texts

FogMapJson = dict[str, Any]


def map_view(game: Game, language: str) -> FogMapJson:
    """`provinces` in the board's order, `targets` of the side to act, and `ask` where the box must say something."""
    texts, names, state = fog_texts(language), game.board.names(), game.state
    ask: str | None = None
    routes: dict[Side, Mapping[str, Route]] = {side: {} for side in SIDES}
    try:
        routes = {side: reached(game, side) for side in SIDES}
    except FromYourBox as missing:
        ask = missing.ask
    provinces = []
    for p in game.board.provinces:
        ground = state.ground(p.key)
        provinces.append(
            {
                "key": p.key,
                "name": province(texts, p.key, names),
                "control": ground.control,
                "terrain": p.terrain,
                "winter": p.winter,
                "points": p.points,
                "resources": p.resources,
                "axis": ground.axis,
                "allies": ground.allies,
                "neutral": ground.neutral,
                "quagmire": ground.quagmire,
                "neighbours": list(p.neighbours),
                "x": p.x,
                "y": p.y,
                "supplied": {side: p.key in routes[side] for side in SIDES} if ask is None else None,
                "supply": _supply(game, p.key, routes, language) if ask is None else [],
            }
        )
    found: FogMapJson = {"provinces": provinces, "ask": ask, "targets": [], "ready": []}
    if state.phase == "turn" and ask is None:
        try:
            found["ready"] = list(ready_slots(game, state.turn))
            found["targets"] = [
                {"key": target.key, "origins": list(target.origins), "supplied": not isinstance(target.supply, Gap)}
                for target in targets(game, state.turn)
                if state.ground(target.key).quagmire is None
            ]
        except FromYourBox as missing:
            found["ask"] = missing.ask
    return found


def _supply(game: Game, key: str, routes: Mapping[Side, Mapping[str, Route]], language: str) -> list[FogMapJson]:
    """For each side the chain that carries supply here, or why each neighbour does not."""
    texts, names = fog_texts(language), game.board.names()
    found = []
    for side in SIDES:
        traced = trace(game, side, key, routes[side])
        if isinstance(traced, Gap):
            why = [f"{province(texts, near, names)}: {say(texts, 'why', reason)}" for near, reason in traced.neighbours]
            text = say(texts, "now", "no-supply")
        else:
            why, text = [], say(texts, "now", "supply", {"route": traced.path}, names)
        found.append({"side": side, "ok": not isinstance(traced, Gap), "text": text, "why": why})
    return found
