"""The camera over the table: from four tags, from two, from none; the truth comes from the simulated camera."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
import pytest

from vision.landmarks import Landmarks
from vision.profile import DeckProfile
from vision.registration import Picture, Registration, find_tags, register
from vision.simulate import CONDITIONS, EMPTY, SimulatedCamera
from vision.simulate.optics import View

SPOTS = np.array([[x, y] for x in (-130.0, 0.0, 130.0) for y in (-220.0, -60.0, 60.0, 220.0)])


def mistake(found: Registration, camera: SimulatedCamera) -> float:
    """Largest distance between where the registration and the simulated camera put the table's points, mm."""
    truth = camera.optics.project(np.column_stack([SPOTS, np.zeros(len(SPOTS))]))
    return float(np.hypot(*(found.project(SPOTS) - truth).T).max() / found.pose.scale)


def hide(image: Picture, quad: np.ndarray) -> Picture:
    """A mug stands on a tag."""
    middle = quad.mean(0)
    cv2.circle(image, (int(middle[0]), int(middle[1])), 60, (40, 50, 160), -1)
    return image


@pytest.fixture(scope="module")
def turned() -> tuple[SimulatedCamera, Picture]:
    """A camera on its side, ten degrees off the vertical, with an ordinary lens."""
    condition = replace(
        CONDITIONS["hd720"], view=View(roll=97.0, tilt=10.0, lean=40.0, k1=-0.06), resolution=(1920, 1080)
    )
    camera = SimulatedCamera("bright", 3, condition=condition)
    return camera, camera.still(EMPTY)


def test_four_tags_tell_where_every_point_of_the_table_lies(turned: tuple[SimulatedCamera, Picture]) -> None:
    camera, image = turned
    found = register(image)
    assert found is not None and len(found.tags) == 4
    assert mistake(found, camera) < 1.5
    assert found.pose.tilt == pytest.approx(10, abs=1.5)


def test_points_come_back_from_the_picture_to_the_table(turned: tuple[SimulatedCamera, Picture]) -> None:
    found = register(turned[1])
    assert found is not None
    assert np.allclose(found.to_table(found.project(SPOTS)), SPOTS, atol=0.05)


@pytest.mark.parametrize("hidden", list(combinations(range(4), 2)))
def test_two_hidden_tags_are_made_up_for_by_the_lens_known_from_before(
    turned: tuple[SimulatedCamera, Picture], hidden: tuple[int, int]
) -> None:
    camera, image = turned
    before = register(image)
    assert before is not None
    covered = image.copy()
    for tag in hidden:
        covered = hide(covered, before.tags[tag])
    found = register(covered, before)
    assert found is not None and len(found.tags) == 2
    assert mistake(found, camera) < 4


def test_one_hidden_tag_needs_nothing_known_from_before(turned: tuple[SimulatedCamera, Picture]) -> None:
    camera, image = turned
    found = register(hide(image.copy(), find_tags(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))[2]))
    assert found is not None and len(found.tags) == 3
    assert mistake(found, camera) < 2.5


def test_a_table_without_tags_gives_no_registration() -> None:
    image = SimulatedCamera("bright", 3, condition="nomat", resolution=(1280, 720)).still(EMPTY)
    assert register(image) is None
    assert register(np.zeros((480, 640, 3), np.uint8)) is None


def test_a_camera_that_moved_is_noticed(turned: tuple[SimulatedCamera, Picture]) -> None:
    image = turned[1]
    before = register(image)
    after = register(np.roll(image, 9, axis=1))
    assert before is not None and after is not None
    assert before.moved(before) == 0
    assert before.moved(after) == pytest.approx(9, abs=1.5)


def test_three_boards_are_enough_without_the_mat(profile: DeckProfile) -> None:
    camera = SimulatedCamera("bright", 4, condition="nomat", resolution=(1920, 1080), deck=None)
    found = Landmarks(profile).register(camera.still(EMPTY, ("S", "A", "L")))
    assert found is not None and found.source == "boards"
    assert mistake(found, camera) < 12


def test_two_boards_side_by_side_do_not_tell_which_two_places_they_lie_in(profile: DeckProfile) -> None:
    assert Landmarks(profile).register(np.full((720, 1280, 3), 90, np.uint8)) is None
