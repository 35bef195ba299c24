"""With the bars shining at their place beside the mat, a battle with a mistake is followed as it is without them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.names import SEATS, THEATERS, parse_seat
from engine.war import War
from host.commands.watch import watch_pictures
from host.lights.drawing import draw
from host.lights.frame import Bar, LightFrame, Mood
from host.session.session import Rules
from host.simulation.sensible_game import TableScene, battle
from vision.geometry.registration import register
from vision.geometry.table import MAT, WATCHED
from vision.profile import DeckProfile
from vision.simulate import FilmStep, SimulatedCamera
from vision.simulate.conditions import CONDITIONS
from vision.simulate.optics import View
from vision.sources import Frame
from vision.tracking.motion_gate import MotionGate
from vision.tracking.table_watcher import TableWatcher

FPS = 8.0
WIDE = replace(CONDITIONS["day"], resolution=(1440, 810), view=View(fill=0.74))
"""A camera that hangs high enough to see the console."""


class Table:
    """Frames of a battle; the bars show what was told so far, as the lights on a real table do."""

    def __init__(self, scenes: list[TableScene], lit: bool) -> None:
        self.camera = SimulatedCamera("bright", 4, condition=WIDE)
        self.scenes, self.lit = scenes, lit
        self.mood: Mood = "breathe"

    def frames(self) -> Iterator[Frame]:
        steps = (FilmStep(s.board, s.order, s.by, 3.2 if s.kind == "slip" else 2.0) for s in self.scenes)
        for frame in self.camera.film(steps, FPS):
            if self.lit:
                # All three bars at once: worse than any table shows.
                bars = tuple(Bar(seat, lead, self.mood) for seat, lead in (("near", 4), ("far", 3), ("near", 0)))
                self.camera.light_bars = draw(LightFrame("game", bars), round(frame.t * 1000))
            yield Frame(frame.t, frame.image)

    def told(self, deck: DeckProfile, first: str) -> list[dict[str, Any]]:
        lines: list[dict[str, Any]] = []

        def heard(line: dict[str, Any]) -> None:
            self.mood = {"violation": "blink", "mended": "breathe"}.get(line["event"], self.mood)  # type: ignore[assignment]
            lines.append(line)

        watch_pictures(self.frames(), TableWatcher(deck), Rules("revised", parse_seat(first)), heard)
        return lines


def a_battle_with_a_mistake() -> tuple[list[TableScene], str]:
    """The beginning of a battle, some moves past its mistake, without presses of a button."""
    for seed in itertools.count():
        chance = random.Random(seed)
        cards = [str(card) for card in chance.sample(sorted({t + str(n) for t in THEATERS for n in range(1, 7)}), 18)]
        first = chance.choice(SEATS)
        hands = {"near": tuple(cards[:6]), "far": tuple(cards[6:12])}
        war = War.begin("revised", tuple(THEATERS), first, hands=hands, deck=tuple(cards[12:]))  # type: ignore[arg-type]
        scenes = list(battle(war, chance))
        slips = [k for k, scene in enumerate(scenes) if scene.kind == "slip"]
        if slips and slips[0] <= 3 and not any(scene.button for scene in scenes[: slips[0] + 4]):
            return scenes[: slips[0] + 4], first
    raise AssertionError


def test_a_battle_with_a_mistake_is_followed_as_without_the_lights(simulated_deck: DeckProfile) -> None:
    scenes, first = a_battle_with_a_mistake()
    plain, lit = (Table(scenes, shining).told(simulated_deck, first) for shining in (False, True))
    kinds = [line["event"] for line in plain]
    assert kinds.count("violation") == 1
    assert kinds.count("mended") == 1

    def gist(lines: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
        return [(line["event"], line.get("move"), line.get("code")) for line in lines]

    assert gist(lit) == gist(plain)
    late = max(b["t"] - a["t"] for a, b in zip(plain, lit, strict=True))
    assert late <= 0.5, "nothing is told later because of the lights"


@pytest.mark.parametrize("fps", [5, 8, 15, 30])
@pytest.mark.parametrize("mood", ["blink", "breathe"])
def test_moving_lights_do_not_keep_a_still_table_from_being_still(fps: int, mood: Mood) -> None:
    camera = SimulatedCamera("bright", 4, condition=replace(WIDE, resolution=(960, 540)))
    table = camera.lay({("A", "near"): ("A1",)})
    registration = register(camera.picture(table))
    assert registration is not None
    gate = MotionGate()
    x, y = MAT[0] / 2 + WATCHED, MAT[1] / 2 + WATCHED
    outline = registration.project(np.array(((-x, y), (x, y), (x, -y), (-x, -y))))
    gate.watch_only(outline, registration.pose.size)
    still = []
    for k in range(3 * fps):
        camera.light_bars = draw(LightFrame("game", (Bar("near", 4, mood),) * 3), round(1000 * k / fps))
        still.append(gate.see(camera.picture(table), k / fps).still)
    assert all(still[fps:]), "still from the first second on"


def test_the_camera_sees_the_lights() -> None:
    camera = SimulatedCamera("bright", 4, condition=WIDE)
    table = camera.lay({})
    dark = camera.plate(table)
    camera.light_bars = draw(LightFrame("game", (Bar("near", 4, "blink"),) * 3), 0)
    lit = camera.picture(table)
    assert lit.shape == dark.shape
    changed = np.abs(lit.astype(int) - dark).max(axis=2) > 60
    assert changed.sum() > 500, "the camera sees the lights"
