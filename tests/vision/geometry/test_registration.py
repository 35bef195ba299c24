"""The camera over the table: from four tags, from two, from none; the truth comes from the simulated camera."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
import pytest

from vision.geometry.registration import (
    Registration,
    find_tags,
    register,
)
from vision.simulate import CONDITIONS, EMPTY, SimulatedCamera
from vision.simulate.optics import Light, View
from vision.types import Picture

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


@pytest.mark.parametrize("seed", range(4))
def test_tags_that_are_small_in_a_dim_noisy_picture_tell_the_camera_too(seed: int) -> None:
    """Their corners, found at half size, were two pixels off and sharpened in a window of two: a table of which two
    tags were left was read as another one, and its six cards as three empty places."""
    view = View(roll=90.0, tilt=0.2, fill=0.56, field_of_view=62.0)
    dim = replace(CONDITIONS["dim"].light, level=0.4, noise=10.0)
    camera = SimulatedCamera("bright", seed, condition=replace(CONDITIONS["dim"], view=view, light=dim))
    found = register(camera.still(EMPTY))
    assert found is not None and len(found.tags) == 4
    assert mistake(found, camera) < 1.5


def test_a_tag_that_noise_hid_at_first_is_found_where_the_fit_has_it() -> None:
    """A person is told that a tag which is plainly in the picture is covered, if it is not."""
    view = View(roll=90.0, tilt=0.2, fill=0.5, field_of_view=62.0)
    dim = replace(CONDITIONS["dim"].light, level=0.4, noise=10.0)
    camera = SimulatedCamera("bright", 3, condition=replace(CONDITIONS["dim"], view=view, light=dim))
    found = register(camera.still(EMPTY))
    assert found is not None and len(found.tags) == 4


STRONG = {"k1": -0.24, "k2": 0.06, "k3": -0.006}
"""A wide webcam's lens: the corners of the picture are drawn in by a fifth."""


@pytest.fixture(scope="module", params=[(82.0, 12.0), (90.0, 20.0)])
def wide(request: pytest.FixtureRequest) -> tuple[SimulatedCamera, Picture]:
    """A wide camera that hangs low and aslant."""
    across, tilt = request.param
    view = View(roll=93.0, tilt=tilt, lean=70.0, fill=0.95, field_of_view=across, **STRONG)
    camera = SimulatedCamera("bright", 3, condition=replace(CONDITIONS["day"], view=view, light=Light(noise=1.0)))
    return camera, camera.still(EMPTY)


def test_a_strong_lens_is_found_with_several_radial_terms(wide: tuple[SimulatedCamera, Picture]) -> None:
    """With one radial term a point of such a table is up to 4 mm off."""
    camera, image = wide
    found = register(image)
    assert found is not None and len(found.tags) == 4
    assert mistake(found, camera) < 0.8
    assert np.allclose(found.to_table(found.project(SPOTS)), SPOTS, atol=0.05)


def test_a_strong_lens_known_from_before_makes_up_for_two_hidden_tags(wide: tuple[SimulatedCamera, Picture]) -> None:
    camera, image = wide
    before = register(image)
    assert before is not None
    covered = hide(hide(image.copy(), before.tags[0]), before.tags[2])
    found = register(covered, replace(before, tags={}))
    assert found is not None and len(found.tags) == 2
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


def test_a_camera_that_hangs_still_keeps_its_registration(turned: tuple[SimulatedCamera, Picture]) -> None:
    camera, image = turned
    before = register(image)
    assert before is not None
    again = register(camera.still(EMPTY), before)
    assert again is not None and again.source == "kept"
    assert again.pose is before.pose, "noise does not make the table tremble"


def test_an_arm_over_two_tags_does_not_shake_what_is_known(turned: tuple[SimulatedCamera, Picture]) -> None:
    camera, image = turned
    before = register(image)
    assert before is not None
    covered = hide(hide(image.copy(), before.tags[1]), before.tags[3])
    kept = register(covered, before)
    assert kept is not None and kept.source == "kept" and set(kept.tags) == {0, 2}
    after = register(camera.still(EMPTY), kept)
    assert after is not None and set(after.tags) == {0, 1, 2, 3}, "what comes into sight is looked at"
    assert mistake(after, camera) < 1.5


@pytest.mark.parametrize("shift", [(2, 0), (0, -3), (40, 25)])
def test_a_shift_of_two_pixels_is_no_kept_registration(
    turned: tuple[SimulatedCamera, Picture], shift: tuple[int, int]
) -> None:
    image = turned[1]
    before = register(image)
    assert before is not None
    after = register(np.roll(image, shift, axis=(1, 0)), before)
    assert after is not None and after.source == "tags"
    assert after.moved(before) == pytest.approx(np.hypot(*shift), abs=0.5)


def test_a_mat_that_was_turned_over_the_table_is_found_again(turned: tuple[SimulatedCamera, Picture]) -> None:
    image = turned[1]
    before = register(image)
    spun = np.ascontiguousarray(image[::-1, ::-1])
    after = register(spun, before)
    assert before is not None and after is not None
    assert after.tags[0] == pytest.approx(np.array([1919, 1079]) - before.tags[0], abs=1)


def test_a_tag_of_another_game_is_no_corner_of_this_mat(turned: tuple[SimulatedCamera, Picture]) -> None:
    _, image = turned
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    strange = image.copy()
    for k, number in enumerate((4, 77, 300, 586)):
        strange[400:500, 500 + 150 * k : 600 + 150 * k] = 255
        strange[415:485, 515 + 150 * k : 585 + 150 * k, :] = family.generateImageMarker(number, 70)[..., None]
    grey = cv2.cvtColor(strange, cv2.COLOR_BGR2GRAY)
    tags, alone = find_tags(grey), find_tags(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    assert set(tags) == {0, 1, 2, 3}
    assert all(np.allclose(tags[t], alone[t], atol=0.5) for t in tags)


@pytest.mark.parametrize("up", [4, 0, -8])
@pytest.mark.parametrize("right", [-120, 0, 180])
@pytest.mark.parametrize("margin", [0.1, 0.125, 0.15])
def test_a_plain_tag_close_to_the_rim_of_the_picture_is_found(up: int, right: int, margin: float) -> None:
    """The paper around it, nearly cut off, had stood for the tag: two of four plain photographs were refused."""
    # Given a tag with its white margin on a dark mat, turned a little, some pixels below the picture's upper rim
    family, side = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11), 80
    white = round(side * margin)
    paper = np.full((side + 2 * white,) * 2, 255, np.uint8)
    paper[white:-white, white:-white] = np.maximum(family.generateImageMarker(2, side), 45)
    corners = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) + white - 0.5
    there = np.array([(1544, 17), (1618, 10), (1626, 83), (1551, 89)], np.float32) + np.array((right, up), np.float32)
    there_from = cv2.getPerspectiveTransform(corners, there)
    image, covers = (cv2.warpPerspective(p, there_from, (1920, 1080)) for p in (paper, np.full_like(paper, 255)))
    image = cv2.GaussianBlur(np.where(covers > 127, image, 120).astype(np.uint8), (0, 0), 0.7)
    # Then it is found where it lies
    assert np.abs(find_tags(image)[2] - there).max() < 0.5


def test_a_tag_half_in_shadow_is_found_where_it_must_lie(turned: tuple[SimulatedCamera, Picture]) -> None:
    grey = cv2.cvtColor(turned[1], cv2.COLOR_BGR2GRAY)
    quad = find_tags(grey)[0]
    low, high = quad.min(0).astype(int) - 8, quad.max(0).astype(int) + 9
    # A mug throws its shadow over it.
    shadow = (grey[low[1] : high[1], low[0] : high[0]] * np.linspace(0.25, 1, high[0] - low[0])).astype(np.uint8)
    grey[low[1] : high[1], low[0] : high[0]] = shadow
    assert set(find_tags(grey)) == {0, 1, 2, 3}


@pytest.mark.parametrize("roll", range(0, 360, 45))
@pytest.mark.parametrize("lean", [0.0, 135.0, 250.0])
def test_any_turn_and_fifteen_degrees_of_lean_with_a_bent_lens(roll: float, lean: float) -> None:
    view = View(roll=float(roll), tilt=15.0, lean=lean, k1=-0.1, fill=0.95)
    condition = replace(CONDITIONS["hd720"], view=view, clutter=0.0, jpeg=None)
    camera = SimulatedCamera("bright", 3, condition=condition)
    found = register(camera.still(EMPTY))
    assert found is not None and len(found.tags) == 4
    assert mistake(found, camera) < 2.5
    assert found.pose.tilt == pytest.approx(15, abs=1.5)
