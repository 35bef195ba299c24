"""Launching an operation: whether it may be, against what and from where (action 5)."""

from __future__ import annotations

from typing import NamedTuple

from engine.fog.board import need_sectors
from engine.fog.names import SECTORS, Side
from engine.fog.refusal import ForbiddenAction
from engine.fog.state import Game, sector_of
from engine.fog.supply import Gap, Route, reached, trace


class LaunchTarget(NamedTuple):
    """A province that could be attacked: from where, and what carries supply to it or why nothing does."""

    key: str
    origins: tuple[str, ...]
    supply: Route | Gap


def ready_slots(game: Game, side: Side) -> tuple[int, ...]:
    """The slots whose operation may be launched: all but those under the crossed-out arrow (act.5.1)."""
    camp = game.state.camp(side)
    slots = [slot for slot, n in enumerate(camp.operations) if n is not None]
    if not slots:
        return ()
    sectors = need_sectors(game.board)
    return tuple(slot for slot in slots if sectors[sector_of(camp, slot)].ready)


def origins(game: Game, side: Side, target: str) -> tuple[str, ...]:
    """The side's provinces next to `target` from which it may be attacked (act.5.4)."""
    return tuple(
        key
        for key in game.board.province(target).neighbours
        if game.state.ground(key).control == side and (key, target) not in game.board.roles.no_attack
    )


def targets(game: Game, side: Side) -> tuple[LaunchTarget, ...]:
    """Every province that the side does not hold and that some province of its own touches."""
    found, routes = [], reached(game, side)
    for ground in game.state.grounds:
        if ground.control == side:
            continue
        starts = origins(game, side, ground.key)
        if starts:
            found.append(LaunchTarget(ground.key, starts, trace(game, side, ground.key, routes)))
    return tuple(found)


def explain_launch(game: Game, side: Side, slot: int, target: str, origin: str) -> ForbiddenAction | None:
    """Why the operation in `slot` cannot be launched from `origin` against `target`; None if it can.

    Raises `FromYourBox` for what the memo does not say.
    """
    camp, ground = game.state.camp(side), game.state.ground(target)
    game.board.province(origin)
    if not 0 <= slot < len(SECTORS) or camp.operations[slot] is None:
        return ForbiddenAction("no-operation", "act.5.1", slot=_slot(slot))
    if slot not in ready_slots(game, side):
        return ForbiddenAction("not-ready", "act.5.1", slot=_slot(slot))
    if ground.control == side:
        return ForbiddenAction("own-province", "act.2", target=target)
    if ground.quagmire is not None:
        return ForbiddenAction("quagmire-there", "act.12", target=target)
    supply = trace(game, side, target)
    if isinstance(supply, Gap):
        return ForbiddenAction(
            "no-supply",
            "act.5.3",
            target=target,
            quagmire=[key for key, why in supply.neighbours if why == "quagmire"] or None,
            foreign=[key for key, why in supply.neighbours if why == "not-yours"] or None,
            cut=[key for key, why in supply.neighbours if why == "cut-off"] or None,
        )
    if game.state.ground(origin).control != side:
        return ForbiddenAction("origin-not-yours", "act.5.4", origin=origin)
    if origin not in game.board.province(target).neighbours:
        return ForbiddenAction("origin-not-next", "act.5.4", origin=origin, target=target)
    if (origin, target) in game.board.roles.no_attack:
        return ForbiddenAction("attack-forbidden", "act.5.4", origin=origin, target=target)
    return None


def _slot(slot: int) -> str:
    return SECTORS[slot] if 0 <= slot < len(SECTORS) else str(slot)
