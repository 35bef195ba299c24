"""The bars of lights beside the mat: whatever they show, the table comes to rest, is read, and moves are seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.names import Theater
from engine.sight import Sight, sight_of
from tests.vision.tracking.test_table_watcher import ScriptedReader
from vision.geometry.bars import LIGHTS
from vision.simulate import EMPTY, SimulatedCamera
from vision.simulate.conditions import CONDITIONS, TableCondition
from vision.simulate.optics import View
from vision.tracking.table_watcher import TableWatcher

Rgb = tuple[int, int, int]
ORDER: tuple[Theater, Theater, Theater] = ("A", "L", "S")
ONE = {**EMPTY, ("A", "near"): ("A1",)}
TWO = {**ONE, ("S", "far"): ("-",)}
WIDE: TableCondition = replace(CONDITIONS["hd720"], view=View(fill=0.75))
"""Hung so high that the console beside the mat is in the picture."""


def blinking(t: float) -> Sequence[Rgb]:
    """One bar blinks red at 1.67 a second (a violation), one breathes amber, one shows a balance."""
    on = (t * 5 / 3) % 1 < 0.5
    breath = round(80 + 175 * (0.5 - 0.5 * math.cos(2 * math.pi * t / 2.4)))
    return (
        [(255, 0, 0) if on else (0, 0, 0)] * LIGHTS
        + [(breath, breath * 140 // 255, 0)] * LIGHTS
        + [(0, 0, 255)] * 4 + [(150, 135, 105)] + [(255, 0, 0)] * 4
    )  # fmt: skip


@pytest.mark.parametrize("fps", [5, 8, 15, 30])
def test_blinking_bars_keep_no_move_from_being_seen(fps: int) -> None:
    """Given bars that blink and breathe from the beginning; when a card is laid; then both tables are told in time."""
    camera = SimulatedCamera("bright", 21, condition=WIDE)
    reader = ScriptedReader()
    watcher = TableWatcher(reader=reader)
    told: list[tuple[float, Sight]] = []
    for k in range(round(7 * fps)):
        t = k / fps
        board = ONE if t < 4 else TWO
        reader.sight = sight_of(board, ORDER)
        camera.light_bars = blinking(t)
        sight = watcher.see(camera.still(board, ORDER), t)
        if sight is not None:
            told.append((t, sight))
    assert [sight.board for _, sight in told] == [sight_of(ONE, ORDER).board, sight_of(TWO, ORDER).board]
    assert told[0][0] <= 3.0
    assert told[1][0] <= 4.0 + 1.5
