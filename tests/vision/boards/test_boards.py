"""The three boards: which lies where, however it slid or was turned, half hidden or blown out by glare."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.names import Theater
from vision.boards.boards import PLAIN, BoardFinder, FoundBoard, order_of
from vision.geometry.registration import (
    Registration,
    register,
)
from vision.geometry.table import BOARD, BOARD_X
from vision.picture_file import open_picture
from vision.profile import DeckProfile
from vision.simulate import EMPTY, Deck, SimulatedCamera
from vision.simulate.scene import Lying
from vision.types import Picture

ORDER: tuple[Theater, Theater, Theater] = ("S", "A", "L")
SHINE = (250, 252, 255)
HAND = (120, 150, 205)
Boards = tuple[FoundBoard | None, FoundBoard | None, FoundBoard | None]


@pytest.fixture(scope="module")
def finder(profile: DeckProfile) -> BoardFinder:
    return BoardFinder(profile)


@pytest.fixture(scope="module")
def camera(deck: Deck) -> SimulatedCamera:
    return SimulatedCamera("bright", 8, condition="day", deck=deck)


def registered(image: Picture) -> Registration:
    found = register(image)
    assert found is not None
    return found


def mistake(board: FoundBoard | None, lies: Lying) -> tuple[float, float]:
    """How far a board was found from where it lies: mm, degrees."""
    assert board is not None and board.theater == lies.what
    turn = np.degrees(board.frame.turn) - lies.turn
    return float(np.hypot(board.centre[0] - lies.x, board.centre[1] - lies.y)), float(abs((turn + 180) % 360 - 180))


def cover(
    image: Picture, reg: Registration, board: FoundBoard, left: float = 2.0, colour: tuple[int, int, int] = SHINE
) -> None:
    """Paint a board over but for its rim of 2 mm, and on its left side for `left` mm."""
    w, h = BOARD
    corners = board.frame.to_table(np.array([[left, 2], [w - 2, 2], [w - 2, h - 2], [left, h - 2]]))
    cv2.fillConvexPoly(image, np.round(reg.project(corners)).astype(np.int32), colour)


@pytest.mark.parametrize(
    ("slides", "turns"),
    [
        ((0, 0, 0), (0, 0, 0)),
        ((10, -10, 10), (0, 0, 0)),
        ((0, 0, 0), (10, -10, 10)),
        ((-7, 7, 7), (-5, 10, 3)),
    ],
)
def test_boards_that_slid_a_centimetre_or_turned_ten_degrees_are_found_where_they_lie(
    camera: SimulatedCamera, finder: BoardFinder, slides: tuple[float, ...], turns: tuple[float, ...]
) -> None:
    lying = [
        replace(b, x=b.x + slides[k] * 0.3, y=b.y + slides[k], turn=b.turn + turns[k])
        for k, b in enumerate(x for x in camera.lay(EMPTY, ORDER) if x.what in ORDER)
    ]
    image = camera.picture(lying)
    found = finder.find(image, registered(image))
    assert order_of(found) == ORDER
    for board, lies in zip(found, lying, strict=True):
        off, turned = mistake(board, lies)
        assert off < 1.5 and turned < 0.7


def test_a_hand_over_half_of_a_board_does_not_hide_it(camera: SimulatedCamera, finder: BoardFinder) -> None:
    image = camera.still(EMPTY, ORDER)
    reg = registered(image)
    half = reg.project(np.array([[BOARD_X[0] - 70, -50], [BOARD_X[0], -50], [BOARD_X[0], 50], [BOARD_X[0] - 70, 50]]))
    cv2.fillConvexPoly(image, np.round(half).astype(np.int32), HAND)
    assert order_of(finder.find(image, reg)) == ORDER


def test_a_board_in_the_lamps_shine_is_known_by_its_edges_and_the_other_two(
    camera: SimulatedCamera, finder: BoardFinder
) -> None:
    image = camera.still(EMPTY, ORDER)
    reg = registered(image)
    before = finder.find(image, reg)[1]
    assert before is not None
    cover(image, reg, before)
    after = finder.find(image, reg)
    assert order_of(after) == ORDER
    assert after[1] is not None
    assert np.hypot(after[1].centre[0] - before.centre[0], after[1].centre[1] - before.centre[1]) < 2


def test_a_board_in_the_lamps_shine_is_known_too_where_another_shows_little_but_is_like_no_other(
    camera: SimulatedCamera, finder: BoardFinder
) -> None:
    image = camera.still(EMPTY, ORDER)
    reg = registered(image)
    for slot, left, colour in ((2, 2.0, SHINE), (1, 30.0, HAND)):
        board = finder.find(image, reg)[slot]
        assert board is not None
        cover(image, reg, board, left, colour)
    found = finder.find(image, reg)
    assert found[1] is not None and found[1].match < PLAIN
    assert order_of(found) == ORDER


def test_a_board_that_a_lamp_blows_out_lies_where_its_outline_is_not_where_a_scrap_of_its_print_goes_best(
    camera: SimulatedCamera, finder: BoardFinder
) -> None:
    """Of a board little but a corner of its picture was left; it was found 16 mm from where it lay."""
    image = camera.still(EMPTY, ORDER)
    reg = registered(image)
    before = finder.find(image, reg)[1]
    assert before is not None
    w = BOARD[0]
    # Given a board whose inside is blown out but for a part of its print, seen again 12 mm further down
    scrap = before.frame.to_table(np.array([[14.0, 14], [w - 14, 14], [w - 14, 39], [14, 39]]))
    here, there = (reg.project(scrap + np.array([0.0, down])).astype(np.float32) for down in (0.0, 12.0))
    moved = cv2.warpPerspective(image, cv2.getPerspectiveTransform(here, there), image.shape[1::-1])
    left = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(left, np.round(there).astype(np.int32), 1)
    cover(image, reg, before)
    image[left > 0] = moved[left > 0]
    # When it is looked for
    after = finder.find(image, reg)[1]
    # Then it is where its outline is
    assert after is not None and after.theater == before.theater
    assert np.hypot(after.centre[0] - before.centre[0], after.centre[1] - before.centre[1]) < 2


def test_boards_that_are_not_plain_are_not_believed_to_lie_on_each_other(
    dunes: Path, dunes_profile: DeckProfile
) -> None:
    """Where two tags in noise told of another table, its boards were found 16 mm over each other, and all beside them
    was empty for certain."""
    image = open_picture(dunes / "messy-1.jpg")
    reg, finder = registered(image), BoardFinder(dunes_profile)
    for nearer in (0.9, 0.91, 0.92):
        # Given a camera that is taken to hang nearer than it does
        at = reg.pose.tvec * np.array([1.0, 1.0, nearer])
        boards = [b for b in finder.find(image, replace(reg, pose=replace(reg.pose, tvec=at))) if b is not None]
        # Then none of the boards, of whose print little is seen there, lies 12 mm or more on the next one
        for one, other in pairwise(sorted(boards, key=lambda b: b.slot)):
            nearest = BOARD[0] - 12 if one.slot + 1 == other.slot else 0.0
            assert np.hypot(one.centre[0] - other.centre[0], one.centre[1] - other.centre[1]) > nearest


@pytest.fixture(scope="module")
def settled(camera: SimulatedCamera, finder: BoardFinder) -> tuple[Registration, Boards]:
    image = camera.still(EMPTY, ORDER)
    reg = registered(image)
    return reg, finder.find(image, reg)


def test_boards_that_lie_still_are_found_at_once_where_they_lay(
    camera: SimulatedCamera, finder: BoardFinder, settled: tuple[Registration, Boards], monkeypatch: pytest.MonkeyPatch
) -> None:
    reg, before = settled

    def searched(*_: object) -> None:
        pytest.fail("nothing moved: there is nothing to search for")

    monkeypatch.setattr(BoardFinder, "_search", searched)
    after = finder.find(camera.still(EMPTY, ORDER), reg, before)
    for a, b in zip(after, before, strict=True):
        assert a is not None and b is not None
        assert np.hypot(a.centre[0] - b.centre[0], a.centre[1] - b.centre[1]) < 0.3


@pytest.mark.parametrize("change", ["slid", "swapped", "taken away"])
def test_boards_that_changed_are_searched_for_whatever_lay_there(
    camera: SimulatedCamera, finder: BoardFinder, settled: tuple[Registration, Boards], change: str
) -> None:
    reg, before = settled
    lying = [x for x in camera.lay(EMPTY, ORDER) if x.what in ORDER]
    if change == "slid":
        lying[0] = replace(lying[0], y=lying[0].y + 9)
    elif change == "swapped":
        lying[0], lying[1] = replace(lying[0], what="A"), replace(lying[1], what="S")
    else:
        lying = lying[1:]
    image = camera.picture(lying)
    after, afresh = finder.find(image, reg, before), finder.find(image, reg)
    assert [b and b.theater for b in after] == [b and b.theater for b in afresh]
    if change == "slid":
        assert mistake(after[0], lying[0])[0] < 1.5
    else:
        assert order_of(after) == (("A", "S", "L") if change == "swapped" else None)
