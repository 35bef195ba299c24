"""What nobody could tell from a picture is not told for certain."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.names import THEATERS
from engine.places import PLACES, Place
from tests.vision.lying_card import laid
from vision.cards.outline import outline_of
from vision.geometry.table import CARD
from vision.picture_file import open_picture
from vision.profile import DeckProfile
from vision.tracking.reader import Reader, TableReading

ALIKE = {"L3", "S3"}
"""The Maneuvers of this deck whose headers differ in their hue alone: its A3 has print of its own."""


def notes(reading: TableReading) -> set[tuple[str, str]]:
    return {(note.code, note.at) for note in reading.sight.notes}


def corner(reading: TableReading, place: Place, card: int = -1) -> tuple[float, float]:
    """Where the upper left corner of a card lies in its column, mm."""
    left, top = outline_of(reading.columns[place].cards[card].place)[0]
    return float(left), float(top)


@pytest.mark.parametrize("left", [0.0, 0.05])
@pytest.mark.parametrize("name", ["day-1", "tilt-0"])
def test_maneuvers_are_in_doubt_in_a_picture_without_colour(
    dunes: Path, dunes_profile: DeckProfile, name: str, left: float
) -> None:
    """Of a camera that was set to grey an S3 was an L3 at 0.9987, by how light its header was."""
    # Given a photograph with Maneuvers of which a camera leaves no colour, or next to none
    truth = json.loads((dunes / f"{name}.json").read_text())["stacks"]
    picture = open_picture(dunes / f"{name}.jpg").astype(np.float32)
    grey = picture.mean(axis=2, keepdims=True)
    pale = np.clip(grey + (picture - grey) * left, 0, 255).astype(np.uint8)
    # When it is read, then each of them is in doubt, and all else is told
    reading = Reader(dunes_profile).read(pale)
    lying = {f"{t}/{s}/{k}": card for t in truth for s in truth[t] for k, card in enumerate(truth[t][s])}
    doubts = {at for code, at in notes(reading) if code == "doubtful"}
    assert doubts >= {at for at, card in lying.items() if card in ALIKE}
    for at, card in lying.items():
        theater, seat, k = at.split("/")
        read = reading.sight.stacks[theater, seat][int(k)].read  # type: ignore[index]
        assert read == card or {read, card} <= ALIKE


@pytest.mark.parametrize("share", [0.2, 0.4])
@pytest.mark.parametrize("name", ["tilt-0", "nomat-1"])
def test_a_table_that_a_black_frame_cuts_off_is_read_rightly_or_in_doubt(
    dunes: Path, dunes_profile: DeckProfile, name: str, share: float
) -> None:
    """A telephone as the camera puts its picture into a wider black one, a plain black lies over its side: a table
    that is black to the bit beside a column ended the reading in an error."""
    picture = np.array(open_picture(dunes / f"{name}.jpg"))
    picture[:, : round(share * picture.shape[1])] = 0
    sight = Reader(dunes_profile).read(picture).sight
    truth = json.loads((dunes / f"{name}.json").read_text())["stacks"]
    assert not sight.sure or all(list(sight.board[place]) == truth[place[0]][place[1]] for place in PLACES)


@pytest.mark.parametrize(("name", "code"), [("day-1", 0), ("messy-1", 1)])
def test_a_dark_bar_that_a_program_draws_over_one_players_side_is_no_empty_table(
    dunes: Path, dunes_profile: DeckProfile, name: str, code: int
) -> None:
    """It began 16 mm beyond the boards, and three whole stacks were empty places for certain."""
    picture = np.array(open_picture(dunes / f"{name}.jpg"))
    plain = Reader(dunes_profile).read(picture)
    for theater in THEATERS:
        frame = plain.frames[theater, "near"]
        corners = [[-20.0, 30.0], [frame.width + 20.0, 30.0], [frame.width + 20.0, 230.0], [-20.0, 230.0]]
        area = plain.registration.project(frame.to_table(np.array(corners)))
        cv2.fillConvexPoly(picture, np.round(area).astype(np.int32), (code, code, code))
    assert not Reader(dunes_profile).read(picture).sight.sure


@pytest.mark.parametrize("aside", [-31.0])
def test_a_card_that_lies_far_aside_of_an_empty_place_is_not_the_bare_table(
    dunes: Path, dunes_profile: DeckProfile, aside: float
) -> None:
    """On one side of its column it passed for the table, and explained itself."""
    place: Place = ("A", "near")
    picture = open_picture(dunes / "day-1.jpg")
    plain = Reader(dunes_profile).read(picture)
    assert plain.sight.sure and not plain.sight.board[place]
    laid(picture, plain, place, dunes_profile.faces["A4"], (plain.frames[place].width - CARD[0]) / 2 + aside, 18.0)
    reading = Reader(dunes_profile).read(picture)
    assert not reading.sight.sure
    assert ("doubtful", "/".join(place)) in notes(reading)


@pytest.mark.parametrize(("seen", "sure"), [(30.0, False), (50.0, True)])
def test_a_stack_that_the_edge_of_the_picture_cuts_is_in_doubt(
    dunes: Path, dunes_profile: DeckProfile, seen: float, sure: bool
) -> None:
    """Of a back no more than its strip was in the picture, and it was the uppermost card for certain."""
    # Given a photograph that ends so far below the upper edge of a stack's uppermost card
    place: Place = ("L", "far")
    picture = open_picture(dunes / "tilt-0.jpg")
    plain = Reader(dunes_profile).read(picture)
    assert plain.sight.sure and plain.sight.board[place]
    top = corner(plain, place)[1]
    across = plain.frames[place].width / 2
    edge = plain.registration.project(plain.frames[place].to_table(np.array([[across, top + seen]])))[0]
    board = plain.registration.project(plain.frames[place].to_table(np.array([[across, 0.0]])))[0]
    # When it is read, then that stack is told for certain only where no other card may lie on it outside.
    axis = int(abs(edge[0] - board[0]) < abs(edge[1] - board[1]))
    at = round(float(edge[axis]))
    kept = slice(0, at) if board[axis] < edge[axis] else slice(at, None)
    reading = Reader(dunes_profile).read(np.ascontiguousarray(picture[kept] if axis else picture[:, kept]))
    assert (("doubtful", "/".join(place)) not in notes(reading)) == sure
    assert reading.sight.board[place] == plain.sight.board[place]


@pytest.mark.parametrize(
    ("name", "place", "face", "aside", "down", "turn"),
    [
        ("tilt-0", ("S", "far"), "A4", 18.0, 26.0, -58.0),
        ("tilt-0", ("L", "near"), "A4", -7.0, 18.0, -47.0),
        ("nomat-1", ("A", "near"), "-", -18.0, 34.0, 41.0),
    ],
)
def test_a_card_that_lies_askew_on_another_one_leaves_the_stack_in_doubt(
    dunes: Path, dunes_profile: DeckProfile, name: str, place: Place, face: str, aside: float, down: float, turn: float
) -> None:
    """A card that lay askew on another one was not seen, and that one was told as if nothing lay on it."""
    # Given a photograph in which a card lies uppermost face up
    picture = open_picture(dunes / f"{name}.jpg")
    plain = Reader(dunes_profile).read(picture)
    assert plain.sight.sure
    # When another card is laid askew on nearly all of it but its header
    left, top = corner(plain, place)
    laid(picture, plain, place, dunes_profile.faces[face], left + aside, top + down, turn)
    # Then nothing is told for certain of that stack
    reading = Reader(dunes_profile).read(picture)
    assert not reading.sight.sure
    assert ("doubtful", "/".join(place)) in notes(reading)


@pytest.mark.parametrize(
    ("name", "place", "aside", "read"),
    [
        ("tilt-0", ("A", "near"), 30.0, True),
        ("tilt-0", ("L", "near"), -30.0, True),
        ("nomat-1", ("A", "near"), -30.0, True),
        ("day-1", ("A", "far"), -38.0, False),
        ("day-1", ("A", "far"), 38.0, False),
        ("tilt-0", ("A", "near"), 38.0, False),
    ],
)
def test_a_card_that_lies_far_aside_on_another_one_is_read_or_leaves_the_stack_in_doubt(
    dunes: Path, dunes_profile: DeckProfile, name: str, place: Place, aside: float, read: bool
) -> None:
    """It was not seen, and the one that it hides a half of was told as if nothing lay on it."""
    # Given a photograph in which a card lies uppermost
    picture = open_picture(dunes / f"{name}.jpg")
    plain = Reader(dunes_profile).read(picture)
    assert plain.sight.sure
    # When a back is laid on it, a third or half of its width aside
    left, top = corner(plain, place)
    laid(picture, plain, place, dunes_profile.faces["-"], left + aside, top + 24.0, 1.0)
    # Then it is told, or nothing is told for certain of that stack
    sight = Reader(dunes_profile).read(picture).sight
    assert sight.sure is read
    if read:
        assert sight.board[place] == (*plain.sight.board[place], "-")
    else:
        assert ("doubtful", "/".join(place)) in {(note.code, note.at) for note in sight.notes}
