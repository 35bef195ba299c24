"""A simulated war as a table would tell it: random battles by the real rules, one entry a move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.names import Seat
from engine.records.json_codec import move_to_json
from host.club.view import ClubTableView, view_of
from host.simulation.sensible_game import games


@dataclass(frozen=True, slots=True)
class SimulatedEntry:
    """One entry's body and the view after it."""

    body: Mapping[str, Any]
    view: ClubTableView


def war(seed: int, match: str, target: int, before: tuple[int, int] = (0, 0)) -> Iterator[SimulatedEntry]:
    """A war to `target` points that stands at `before`, move by move. Cards that lie face down are in no entry."""
    for scene in games(seed, "revised", target):
        truth = scene.truth
        near, far = (truth.score["near"] + before[0], truth.score["far"] + before[1])
        winner: Seat | None = "near" if near >= target else "far" if far >= target else None
        moves = []
        for move in scene.moves:
            told = move_to_json(move)
            moves.append({**told, "card": None} if told.get("do") in ("improvise", "reinforce") else told)
        body = {
            "event": {"event": "battle" if truth.state.result else "moves", "moves": moves},
            "match": match,
            "near": near,
            "far": far,
            "winner": winner,
        }
        score: dict[Seat, int] = {"near": near, "far": far}
        battle = len(truth.fought) + 1
        yield SimulatedEntry(body, view_of(truth.state, score, battle=battle, war_winner=winner, match=match))
        if winner is not None:
            return
