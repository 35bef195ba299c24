"""Supply: which provinces a side's supply reaches, the path that carries it, or the gap (memo, section on supply).

A province is supplied if it touches a source of supply or another supplied province; a province with a quagmire
passes nothing on. Whether source and chain must be one's own the memo only implies, so the box says it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from engine.fog.board import need_flag
from engine.fog.names import Side
from engine.fog.state import Game

WhyNot: TypeAlias = Literal["quagmire", "not-yours", "cut-off"]


class Route(NamedTuple):
    """The provinces that carry supply, from the source to the province itself."""

    path: tuple[str, ...]


class Gap(NamedTuple):
    """No supply: why each neighbour does not pass it on."""

    neighbours: tuple[tuple[str, WhyNot], ...]


def sources(game: Game, side: Side) -> tuple[str, ...]:
    """The side's sources of supply that are open now."""
    roles, state = game.board.roles, game.state
    if side == "axis":
        named = roles.axis_sources
    else:
        late = ((roles.ussr_source, "ussr"), (roles.usa_source, "usa"))
        named = (*roles.allied_sources, *(key for key, entry in late if key and entry in state.happened))
    if need_flag(game.board, "source_held"):
        return tuple(key for key in named if state.ground(key).control == side)
    return named


def reached(game: Game, side: Side) -> Mapping[str, Route]:
    """Every province that the side's supply reaches, its own and others, with a shortest path from a source."""
    own_chain = need_flag(game.board, "chain_held")
    neighbours = {p.key: p.neighbours for p in game.board.provinces}
    grounds = {ground.key: ground for ground in game.state.grounds}
    begin = sources(game, side)
    routes = {key: Route((key,)) for key in begin}
    waiting = deque(begin)
    while waiting:
        key = waiting.popleft()
        if grounds[key].quagmire is not None:
            continue
        if own_chain and key not in begin and grounds[key].control != side:
            continue
        for near in neighbours[key]:
            if near not in routes:
                routes[near] = Route((*routes[key].path, near))
                waiting.append(near)
    return routes


def trace(game: Game, side: Side, target: str, known: Mapping[str, Route] | None = None) -> Route | Gap:
    """The path that carries supply to `target`, or why none does. `known` is what `reached` gave, if it is at hand."""
    routes = reached(game, side) if known is None else known
    if target in routes:
        return routes[target]
    found: list[tuple[str, WhyNot]] = []
    for near in game.board.province(target).neighbours:
        ground = game.state.ground(near)
        if ground.quagmire is not None and near in routes:
            found.append((near, "quagmire"))
        elif near in routes:
            found.append((near, "not-yours"))
        else:
            found.append((near, "cut-off"))
    return Gap(tuple(found))


def without_supply(game: Game, side: Side) -> tuple[str, ...]:
    """The side's own provinces that need a marker "no supply" (win.7)."""
    routes = reached(game, side)
    return tuple(key for key in game.state.held(side) if key not in routes)
