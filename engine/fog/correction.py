"""What is written down besides playing: what the box says, the board's provinces, and corrections of slips."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.fog.actions import CorrectCamp, CorrectProvince, RemoveProvince, SetBoard, SetBox, SetProvince, SetProvinces
from engine.fog.board import FogBoard, Province, faults, is_key, with_province, without_province
from engine.fog.effects import Played, done, need
from engine.fog.names import SECTORS, other
from engine.fog.state import Camp, Game, ProvinceState, start


def set_box(game: Game, action: SetBox) -> Played:
    """Raises `ForbiddenAction` for values that contradict themselves."""
    board = replace(game.board, box=action.box)
    for at, why in faults(board):
        if at.startswith("box."):
            raise why
    return Played(_on(game, board), (done("cards", "box-set"),))


def set_province(game: Game, action: SetProvince) -> Played:
    """Raises `ForbiddenAction` for a neighbour that is not there, and a name that is missing or another province's."""
    board = _with_named(game.board, action.province)
    return Played(_on(game, board), (done("supply", "province-set", province=action.province.key),))


def set_provinces(game: Game, action: SetProvinces) -> Played:
    """As `set_province`, one after the other."""
    need(len(action.provinces) > 0, "value-range", "supply", name="provinces")
    board = game.board
    for province in action.provinces:
        board = _with_named(board, province)
    where = [province.key for province in action.provinces]
    return Played(_on(game, board), (done("supply", "provinces-set", where=where),))


def set_board(game: Game, action: SetBoard) -> Played:
    """Raises `ForbiddenAction` for a board that contradicts itself, or lacks a province that the game has."""
    for _, why in faults(action.board):
        raise why
    gone = [ground.key for ground in game.state.grounds if ground.key not in action.board]
    need(not gone or game.state.phase == "setup", "provinces-gone", "supply", where=gone)
    return Played(_on(game, action.board), (done("supply", "board-set"),))


def _with_named(board: FogBoard, province: Province) -> FogBoard:
    """Two provinces of one name cannot be told apart in a list; one without a name only if the catalogues have it."""
    need(is_key(province.key), "province-key", "supply")
    name = province.name.strip().casefold()
    need(bool(name) or province.key in board, "province-unnamed", "supply")
    same = [p.key for p in board.provinces if p.key != province.key and name and p.name.strip().casefold() == name]
    need(not same, "province-name-taken", "supply", province=next(iter(same), None))
    return with_province(board, province)


def remove_province(game: Game, action: RemoveProvince) -> Played:
    need(game.state.phase == "setup", "not-now", "supply")
    board = without_province(game.board, action.key)
    return Played(_on(game, board), (done("supply", "province-removed", province=action.key),))


def _on(game: Game, board: FogBoard) -> Game:
    """The same game on a changed board. Before the first turn it is laid out anew; later only new provinces come."""
    fresh, state = start(board), game.state
    if state.phase != "setup":
        known = {ground.key for ground in state.grounds}
        added = tuple(ground for ground in fresh.state.grounds if ground.key not in known)
        return Game(board, replace(state, grounds=(*state.grounds, *added)))
    placed = {ground.key for ground in state.grounds if ground.allies}
    grounds = tuple(
        replace(ground, allies=1) if ground.key in placed and ground.control != "axis" else ground
        for ground in fresh.state.grounds
    )
    n = min(sum(ground.allies for ground in grounds), fresh.state.allies.deck)
    if n < sum(ground.allies for ground in grounds):
        grounds, n = fresh.state.grounds, 0
    allies = replace(fresh.state.allies, deck=fresh.state.allies.deck - n)
    return Game(board, replace(fresh.state, grounds=grounds, allies=allies, placed=n, ticked=state.ticked))


def correct_camp(game: Game, action: CorrectCamp) -> Played:
    state, side = game.state, action.side
    need(state.phase != "setup", "not-now", "cards")
    camp: Camp = state.camp(side)
    for name in ("deck", "hand", "discard", "wins", "losses", "intel", "intel_used", "production", "wheel"):
        value: int | None = getattr(action, name)
        if value is not None:
            need(value >= 0 and (name != "wheel" or value < len(SECTORS)), "value-range", "cards", name=name)
            camp = _with_count(camp, name, value)
    state = state.with_camp(side, camp)
    if action.points is not None:
        need(action.points >= 0, "value-range", "3.1", name="points")
        state = replace(state, points=action.points)
    if action.token is not None:
        state = replace(state, token=side if action.token else other(side))
    return Played(game._replace(state=state), (done("cards", "corrected-camp", side=side),))


def _with_count(camp: Camp, name: str, value: int) -> Camp:
    changes: dict[str, Any] = {name: value}
    return replace(camp, **changes)


def correct_province(game: Game, action: CorrectProvince) -> Played:
    state = game.state
    need(state.phase != "setup" and state.battle is None, "not-now", "cards")
    state.ground(action.province)
    need(min(action.axis, action.allies, action.neutral) >= 0, "value-range", "cards", name="cards")
    control = None if action.control == "neutral" else action.control
    ground = ProvinceState(action.province, control, action.axis, action.allies, action.neutral, action.quagmire)
    effect = done("cards", "corrected-province", province=action.province)
    return Played(game._replace(state=state.with_ground(ground)), (effect,))
