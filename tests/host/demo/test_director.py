"""The script of the demonstration: a press is no longer and no sooner given up because the machine is busy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from engine.names import Seat
from host.demo.director import Director
from host.simulation.sensible_game import TableScene

SHORT_PRESS_AND_LONG = 8
"""A game of the revised edition whose first battle has a short press, and a long one at its end."""


class Camera:
    """A picture for each step, at once."""

    light_bars = None

    def film(self, steps: Iterable[Any], fps: float) -> Iterator[Any]:
        for number, _ in enumerate(steps):
            yield SimpleNamespace(t=number / fps, image=np.zeros((2, 2, 3), np.uint8), still=number)


class Buttons:
    def __init__(self, told: list[str]) -> None:
        self._told = told

    def press(self, seat: Seat) -> None:
        self._told.append("press")

    def release(self, seat: Seat) -> None:
        self._told.append("release")


def directed(told: list[str]) -> Director:
    director = Director(
        Camera(),  # type: ignore[arg-type]
        "revised",
        SHORT_PRESS_AND_LONG,
        one_battle=True,
        begun=lambda first: None,
        archived=False,
    )
    director.buttons = Buttons(told)
    return director


def test_no_picture_is_read_while_a_button_is_pressed_shortly() -> None:
    told: list[str] = []
    director = directed(told)
    director.understood = lambda scene: True
    for _ in director:
        told.append("picture")
    first = told.index("press")
    # A picture that takes long to be read would make a long press of it, which withdraws.
    assert told[first + 1] == "release"
    # While a long press lasts, the table goes on being looked at.
    second = told.index("press", first + 1)
    assert told[second + 1] == "picture" and "release" in told[second:]


def test_a_press_that_is_told_late_is_waited_for() -> None:
    asked: dict[int, int] = {}

    def late(scene: TableScene) -> bool:
        # Pictures are read so fast that the patience of the camera's clock has long run out.
        asked[id(scene)] = asked.get(id(scene), 0) + 1
        return scene.button is None or asked[id(scene)] > 200

    director = directed([])
    director.understood = late
    for _ in director:
        pass
    pressed = [shown for shown in director.played if shown.scene.button is not None]
    assert len(pressed) == 2
    assert all(shown.understood for shown in director.played)
