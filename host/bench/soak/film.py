"""A film of games in memory: following it costs the time of the reader and not that of the simulated camera."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from engine.names import EditionName
from host.demo.deck import CAMERA_SEED, STYLE
from host.demo.director import is_doomed
from host.simulation.sensible_game import TableScene, games
from vision.enrolment.enrol import enrol
from vision.profile import DeckProfile
from vision.simulate import FilmStep, SimulatedCamera, TableCondition
from vision.types import Picture

FPS = 6.0
HOLD_S = 1.4
"""Seconds that a scene lies still: enough to be read."""


@dataclass(frozen=True, slots=True)
class SoakFilm:
    """Frames as JPEG, in the order in which a camera gives them, and what the reader knows of the deck."""

    frames: tuple[bytes, ...]
    profile: DeckProfile
    camera: SimulatedCamera

    def pictures(self, start: int = 0) -> Iterator[tuple[int, Picture]]:
        """Frames from `start` on, each with its number."""
        for number in range(start, len(self.frames)):
            yield number, decoded(self.frames[number])


def decoded(data: bytes) -> Picture:
    """The picture of a JPEG of our own."""
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, dtype=np.uint8)


def scenes(seed: int, edition: EditionName, battles: int) -> list[TableScene]:
    """The scenes of whole battles, without those that no camera could see."""
    found: list[TableScene] = []
    deals = 0
    for scene in games(seed, edition):
        deals += scene.kind == "deal"
        if deals > battles:
            return found
        if not is_doomed(scene):
            found.append(scene)
    return found


@dataclass(frozen=True, slots=True)
class FilmedScene:
    """A scene of a game as a camera gives it: the hand's frames, and those of the table that lies still, as JPEG."""

    scene: TableScene
    hand: tuple[bytes, ...]
    lies: tuple[bytes, ...]


def filmed_scenes(
    fps: float, seed: int = 5, edition: EditionName = "revised", most: int | None = None, lies_s: float = 0.7
) -> tuple[tuple[FilmedScene, ...], DeckProfile]:
    """A battle, `most` scenes of it at most, scene by scene; and what the reader knows of the deck."""
    camera = SimulatedCamera(STYLE, CAMERA_SEED, condition=TableCondition(resolution=(1280, 720)))
    profile = enrol(**camera.enrolment_photos())
    camera.clear()
    played = scenes(seed, edition, 1)[:most]
    steps = (FilmStep(s.board, s.order, None if s.button is not None else s.by, lies_s) for s in played)
    hands: list[list[bytes]] = [[] for _ in played]
    lying: list[list[bytes]] = [[] for _ in played]
    number = 0
    for frame in camera.film(steps, fps):
        if frame.still is None and lying[number]:
            number += 1
        number = number if frame.still is None else frame.still
        data = bytes(cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])
        (hands if frame.still is None else lying)[number].append(data)
    made = zip(played, hands, lying, strict=True)
    return tuple(FilmedScene(scene, tuple(hand), tuple(lies)) for scene, hand, lies in made), profile


def filmed(seed: int = 5, edition: EditionName = "revised", battles: int = 1) -> SoakFilm:
    """Draws the film and learns its deck."""
    camera = SimulatedCamera(STYLE, CAMERA_SEED, condition=TableCondition(resolution=(1280, 720)))
    profile = enrol(**camera.enrolment_photos())
    camera.clear()
    steps = (
        FilmStep(s.board, s.order, None if s.button is not None else s.by, HOLD_S)
        for s in scenes(seed, edition, battles)
    )
    frames = tuple(
        bytes(cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])
        for frame in itertools.islice(camera.film(steps, FPS), math.ceil(3600 * FPS))
    )
    return SoakFilm(frames, profile, camera)
