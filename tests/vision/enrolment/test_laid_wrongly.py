"""Photographs of a table that was laid wrongly: the photograph and the place are named, and what is wrong there."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.names import FACE_DOWN, SEATS, THEATERS, Face
from engine.places import Place
from vision.enrolment.advice import PhotographFailure
from vision.enrolment.enrol import LAYOUT, PHOTOS, Photo, assemble, enrol, examine
from vision.enrolment.examine import Examined
from vision.geometry.rectify import cut, frame_around
from vision.geometry.registration import register
from vision.geometry.table import BOARD_SPOTS
from vision.simulate import EMPTY, SimulatedCamera
from vision.simulate.deck_design import design_deck
from vision.types import Picture

Photographs = dict[Photo, Examined]
DESIGN = 302
"""A design whose back was once learnt as a face."""


def _six(theater: str) -> dict[Place, tuple[Face, ...]]:
    board: dict[Place, tuple[Face, ...]] = dict(EMPTY)
    for k, t in enumerate(THEATERS):
        for seat, number in zip(SEATS, (k + 1, k + 4), strict=True):
            board[t, seat] = (FACE_DOWN if theater == FACE_DOWN else f"{theater}{number}",)
    return board


@pytest.fixture(scope="module")
def camera() -> SimulatedCamera:
    return SimulatedCamera(seed=DESIGN, condition="day", deck=design_deck(DESIGN), vary=True)


@pytest.fixture(scope="module")
def photos(camera: SimulatedCamera) -> Photographs:
    found: Photographs = {}
    for name, theater in zip(PHOTOS, (*THEATERS, FACE_DOWN), strict=True):
        camera.clear()
        found[name] = examine(camera.still(_six(theater)))
    return found


def _without_card(photo: Examined, number: int) -> Picture:
    """The photograph with the ground beside a card laid over that card."""
    assert photo.layout is not None and photo.registration is not None
    x, y = photo.layout.cards[number].centre
    beside = -65.0 if LAYOUT[number][0] == 2 else 65.0
    ground, _ = cut(photo.picture, photo.registration.pose, frame_around((x + beside, y), 0.0, 58.0, 96.0), 4.0)
    height, width = ground.shape[:2]
    seen = photo.registration.project(frame_around((x, y), 0.0, 76.0, 104.0).corners).astype(np.float32)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(corners, seen)
    size = photo.picture.shape[1], photo.picture.shape[0]
    over = cv2.warpPerspective(np.full((height, width), 255, np.uint8), matrix, size)
    share = cv2.GaussianBlur(over, (0, 0), 2)[..., None] / 255.0
    laid = cv2.warpPerspective(ground, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.clip(photo.picture * (1 - share) + laid * share + 0.5, 0, 255), dtype=np.uint8)


@pytest.mark.parametrize("number", range(6))
def test_an_empty_place_on_a_plain_mat_is_named_as_one(dunes: Path, number: int) -> None:
    # Given a path-traced photograph in which one card was not laid
    photo = examine(cv2.imread(str(dunes / "enroll-land.jpg")))
    k, seat = LAYOUT[number]
    # When it is examined, then that is all that is wrong with it
    advice = examine(_without_card(photo, number)).advice
    assert [(a.code, a.at) for a in advice if a.hard] == [("card-missing", f"{BOARD_SPOTS[k]}/{seat}")]


def test_a_phone_that_lies_over_the_edges_of_two_cards_is_named(dunes: Path) -> None:
    """It was learnt as ground, and the card beside it cut 7 mm off."""
    picture = cv2.imread(str(dunes / "enroll-land.jpg"))
    seen = register(picture)
    assert seen is not None
    phone = seen.project(frame_around((60.0, 110.0), 0.0, 74.0, 150.0).corners)
    cv2.fillConvexPoly(picture, np.round(phone).astype(np.int32), (38, 30, 28), cv2.LINE_AA)
    advice = examine(picture).advice
    assert [(a.code, a.at) for a in advice if a.hard] == [("covered", "middle/far"), ("covered", "right/far")]


def test_a_table_that_is_blown_out_is_told_as_such_and_not_what_is_unseen_on_it(dunes: Path) -> None:
    picture = cv2.imread(str(dunes / "enroll-land.jpg"))
    light = (picture / 255.0) ** 2.2
    for times in (12, 60):
        told = examine(np.round(255 * np.clip(times * light, 0, 1) ** (1 / 2.2)).astype(np.uint8)).advice
        assert told[0].code == "too-bright" and told[0].hard, times


def test_a_back_among_faces_is_named_with_its_photograph(photos: Photographs, camera: SimulatedCamera) -> None:
    # Given a Land photograph in which one card lies face down
    camera.clear()
    laid = examine(camera.still({**_six("L"), ("L", "far"): (FACE_DOWN,)}))
    # When the deck is learnt
    with pytest.raises(PhotographFailure) as caught:
        assemble({**photos, "land": laid})
    # Then the Land photograph is named, and not that of the backs
    told = caught.value
    assert (told.code, told.photograph, told.at) == ("card-face-down", "land", "middle/far")


def test_a_face_among_backs_is_named_with_its_place(photos: Photographs, camera: SimulatedCamera) -> None:
    camera.clear()
    laid = examine(camera.still({**_six(FACE_DOWN), ("A", "far"): ("S5",)}))
    with pytest.raises(PhotographFailure) as caught:
        assemble({**photos, "back": laid})
    assert (caught.value.code, caught.value.photograph, caught.value.at) == ("backs-differ", "back", "left/far")


@pytest.mark.parametrize("other", ["air", "land", "sea"])
def test_backs_exchanged_with_a_theater_are_told_as_such(photos: Photographs, other: Photo) -> None:
    with pytest.raises(PhotographFailure) as caught:
        assemble({**photos, other: photos["back"], "back": photos[other]})
    assert caught.value.code == "photographs-swapped" and f"The {other} photograph shows" in str(caught.value)
    assert caught.value.remedy == "Exchange these two photographs."


def test_the_photographs_as_they_are_make_a_deck(photos: Photographs) -> None:
    assert enrol(*(photos[name].picture for name in PHOTOS))
