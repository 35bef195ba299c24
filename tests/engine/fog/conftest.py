"""The small fictional map, a game begun on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.fog.actions import Begin
from engine.fog.board import FogBoard
from engine.fog.board_file import built_in
from engine.fog.play import play
from engine.fog.state import Game, ProvinceState, start


@pytest.fixture(scope="session")
def demo_board() -> FogBoard:
    return built_in("demo")


@pytest.fixture(scope="session")
def begun(demo_board: FogBoard) -> Game:
    """1940, the first turn: the Axis is to act and holds three cards."""
    return play(start(demo_board), Begin()).game


@pytest.fixture(scope="session")
def changed() -> Callable[..., Game]:
    """A game with other values: fields of the state, and provinces by key as keyword `grounds`."""

    def change(game: Game, *grounds: ProvinceState, **fields: object) -> Game:
        return game._replace(state=replace(game.state, **fields).with_ground(*grounds))  # type: ignore[arg-type]

    return change
