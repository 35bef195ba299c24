"""A film of cards laid between the columns, over a board and askew, through the real reader."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from engine.names import THEATERS, Face
from engine.places import Place
from host.commands.watch import watch_pictures
from host.session.session import Rules
from vision.profile import DeckProfile
from vision.simulate import EMPTY, SimulatedCamera
from vision.simulate.conditions import CONDITIONS
from vision.simulate.scene import Lying
from vision.sources import Frame
from vision.tracking.table_watcher import TableWatcher

FPS = 4.0
DAY = replace(CONDITIONS["day"], resolution=(1280, 720), clutter=0.0)
Cards = dict[Place, tuple[Face, ...]]
NEAR: Cards = {("A", "near"): ("A5",)}
BOTH: Cards = {**NEAR, ("S", "far"): ("S6",)}
THREE: Cards = {**BOTH, ("L", "near"): ("L6",)}
FOUR: Cards = {**THREE, ("L", "far"): ("L5",)}
SCENES: tuple[tuple[Cards, Lying | None, float], ...] = (
    ({}, None, 2.0),
    (NEAR, None, 2.0),
    # Far's card lies in the gap between the columns, and is pushed over.
    (NEAR, Lying("S6", 65.0, 100.0, 178.0), 4.5),
    (BOTH, None, 2.0),
    # Near's lies over the middle board.
    (BOTH, Lying("L6", 4.0, -4.0, 2.0), 4.5),
    (THREE, None, 2.0),
    # Far's lies askew in its column.
    (THREE, Lying("L5", 0.0, 112.0, 225.0), 4.5),
    (FOUR, None, 2.0),
)


def frames(camera: SimulatedCamera) -> Iterator[Frame]:
    number = 0
    for board, loose, seconds in SCENES:
        lying = camera.lay({**EMPTY, **board}, THEATERS)
        if loose is not None:
            lying = (*lying, loose)
        for _ in range(round(seconds * FPS)):
            yield Frame(number / FPS, camera.picture(lying))
            number += 1


def test_cards_laid_where_no_column_is_are_told_and_the_moves_are_taken_once_they_lie_right(
    simulated_deck: DeckProfile,
) -> None:
    camera = SimulatedCamera("bright", 4, condition=DAY)
    lines: list[dict[str, Any]] = []
    watch_pictures(frames(camera), TableWatcher(simulated_deck), Rules("revised", "near"), lines.append)
    told = [line for line in lines if line["event"] in ("move", "violation", "mended", "unsure", "undo")]
    said = [
        (line["move"]["by"], line["move"]["do"], line["move"]["card"])
        if line["event"] == "move"
        else (line["event"], line.get("code"))
        for line in told
    ]
    assert said == [
        ("near", "deploy", "A5"),
        ("violation", "beside-columns"), ("mended", "beside-columns"), ("far", "deploy", "S6"),
        ("violation", "on-board"), ("mended", "on-board"), ("near", "deploy", "L6"),
        ("violation", "askew"), ("mended", "askew"), ("far", "deploy", "L5"),
    ]  # fmt: skip
    first = next(line for line in told if line["event"] == "violation")
    assert "Sea" in first["mend"] and first["mends"][0] == {
        "code": "slide-under",
        "to": "S",
        "seat": "far",
        "card": "S6",
    }
