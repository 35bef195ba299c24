"""The watcher on films of real tables: every table that lay still is told once, soon, and nothing else is."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.names import SEATS, THEATERS
from engine.sight import Sight
from vision.enrolment.enrol import enrol
from vision.picture_file import open_picture
from vision.profile import DeckProfile
from vision.simulate import CONDITIONS, EMPTY, Deck, FilmStep, SimulatedCamera
from vision.simulate.processing import Processing
from vision.sources import Frame, open_source
from vision.tracking.reader import Reader
from vision.tracking.table_watcher import TableWatcher
from vision.types import Picture

SECONDS = 17.0


@pytest.mark.needs_shared
def test_the_beginning_of_a_film_in_glare(shared: Path) -> None:
    photos = [open_picture(shared / f"pictures/dunes/enroll-{n}.jpg") for n in ("air", "land", "sea", "back")]
    watcher = TableWatcher(enrol(*photos))
    lines = (shared / "recordings/dunes-sleeve-first.jsonl").read_text().splitlines()[1:]
    spans = [s for s in map(json.loads, lines) if s["t1"] < SECONDS]
    told = []
    for item in open_source(str(shared / "recordings/dunes-sleeve-first.mp4")):
        if isinstance(item, Frame):
            if item.t > SECONDS:
                break
            sight = watcher.see(item.image, item.t)
            if sight is not None:
                told.append((item.t, sight))
    assert len(told) == len(spans)
    for (t, sight), span in zip(told, spans, strict=True):
        assert span["t0"] <= t <= span["t0"] + 0.6, "no sooner than the hand is out, and soon"
        assert "".join(sight.order or ()) == span["order"]
        assert {p: list(sight.board[p]) for p in sight.board} == {
            (th, seat): span["board"][th][seat] for th in THEATERS for seat in SEATS
        }


Happens = Callable[[SimulatedCamera, Picture, float], Picture]


def nothing(camera: SimulatedCamera, picture: Picture, t: float) -> Picture:
    return picture


def wobbles(camera: SimulatedCamera, picture: Picture, t: float) -> Picture:
    """The camera sways on its arm by a pixel and a half of 1920, three times in two seconds."""
    by = 1.0 * np.sin(2 * np.pi * 1.4 * t)
    shift = np.array([[1, 0, by], [0, 1, by / 2]], np.float32)
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, shift, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def hand_fidgets(camera: SimulatedCamera, picture: Picture, t: float) -> Picture:
    """From the second second on somebody's forearm lies on the mat's rim, and its fingers do not keep still."""
    if t > 2.0:
        by = 4.0 * (round(t * 6) % 3)
        arm = [(40 + by, -250, 0), (110 + by, -250, 0), (130 + by, -420, 0), (60 + by, -420, 0)]
        cv2.fillPoly(picture, [np.round(camera.optics.project(np.array(arm))).astype(np.int32)], (110, 140, 200))
    return picture


def things_come_and_go(camera: SimulatedCamera, picture: Picture, t: float) -> Picture:
    """From the second second on a telephone lies across the mat's edge, and at the sixth it has gone."""
    if 2.0 < t < 6.0:
        phone = [(198, -60, 0), (270, -60, 0), (270, 60, 0), (198, 60, 0)]
        cv2.fillPoly(picture, [np.round(camera.optics.project(np.array(phone))).astype(np.int32)], (25, 20, 20))
    return picture


DRIFTING = Processing(gain=1.1, balance=(0.85, 1.0, 1.1), drift=0.2)
"""A webcam whose exposure swings by a fifth to and fro, and its white balance with it."""


@pytest.mark.parametrize(
    ("processing", "happens"),
    [(DRIFTING, nothing), (None, wobbles), (None, hand_fidgets), (None, things_come_and_go)],
    ids=["drifting exposure", "wobbling camera", "fidgeting hand", "telephone"],
)
def test_what_a_game_night_does_to_the_picture_changes_nothing_of_a_game(
    profile: DeckProfile, deck: Deck, processing: Processing | None, happens: Happens
) -> None:
    """When three cards are laid meanwhile, each table is told once, for certain and soon, and nothing is said of the
    camera."""
    condition = CONDITIONS["hd720"]
    condition = condition if processing is None else replace(condition, processing=processing)
    camera = SimulatedCamera("bright", 22, condition=condition, deck=deck)
    watcher = TableWatcher(reader=Reader(profile))
    boards = [EMPTY]
    for place, card in ((("A", "near"), "A1"), (("S", "far"), "-"), (("A", "near"), "S3")):
        boards.append({**boards[-1], place: (*boards[-1][place], card)})
    order = ("S", "A", "L")
    steps = [FilmStep(boards[0], order, hold=1.2)]
    steps += [FilmStep(b, order, s, 1.2) for b, s in zip(boards[1:], ("near", "far", "near"), strict=True)]
    began: dict[int, float] = {}
    told: list[tuple[int | None, float, Sight]] = []
    for frame in camera.film(steps, 6):
        if frame.still is not None:
            began.setdefault(frame.still, frame.t)
        sight = watcher.see(happens(camera, frame.image, frame.t), frame.t)
        if sight is not None:
            told.append((frame.still, frame.t, sight))
    assert [(number, dict(sight.board), sight.sure) for number, _, sight in told] == [
        (number, board, True) for number, board in enumerate(boards)
    ]
    assert all(t - began[number] <= 0.6 for number, t, _ in told if number is not None)
    assert [notice.code for notice in watcher.notices()] in ([], ["table-found"])
