"""Cards that were cut beside their edges are told by the figures of strength, which a deck prints in one place."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.names import Face
from vision.enrolment.advice import PhotographFailure
from vision.enrolment.enrol import PHOTOS, assemble, examine
from vision.enrolment.figure_places import check_cuts, cut_offsets
from vision.enrolment.strengths import check_strengths
from vision.geometry.rectify import frame_around
from vision.geometry.table import CARD
from vision.profile import CARD_PX, SCALE, DeckProfile
from vision.types import Picture

Faces = dict[Face, Picture]


def _cut_aside(face: Picture, x: float, y: float) -> Picture:
    """A face as it would have been cut so many mm to the right and further down."""
    matrix = np.array([[1, 0, -x * SCALE], [0, 1, -y * SCALE]])
    size = face.shape[1], face.shape[0]
    return np.asarray(cv2.warpAffine(face, matrix, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)


@pytest.mark.parametrize(("face", "x", "y"), [("L5", -6.0, 0.0), ("A2", 0.0, 3.0), ("S6", 2.0, 2.0)])
def test_a_card_whose_figure_lies_elsewhere_than_those_of_the_other_theaters_is_refused(
    dunes_profile: DeckProfile, face: Face, x: float, y: float
) -> None:
    # Given a deck of which one card was cut beside its edges
    faces = dict(dunes_profile.faces)
    window = check_strengths(faces)
    # When all is compared, then that card is named
    with pytest.raises(PhotographFailure) as caught:
        check_cuts({**faces, face: _cut_aside(faces[face], x, y)}, window)
    assert caught.value.code == "outline-unclear"
    assert caught.value.photograph == {"A": "air", "L": "land", "S": "sea"}[face[0]]
    assert caught.value.at == {"2": "middle/near", "5": "middle/far", "6": "right/far"}[face[1]]


def test_cards_that_were_cut_along_their_edges_are_passed(dunes_profile: DeckProfile, profile: DeckProfile) -> None:
    for learnt in (dunes_profile, profile):
        check_cuts(learnt.faces, check_strengths(learnt.faces))


def test_a_deck_that_prints_a_theaters_figures_elsewhere_is_passed(dunes_profile: DeckProfile) -> None:
    faces = dict(dunes_profile.faces)
    window = check_strengths(faces)
    check_cuts({f: _cut_aside(p, 3.0, 0.0) if f[0] == "L" else p for f, p in faces.items()}, window)


@pytest.mark.parametrize(("face", "x", "y"), [("L5", -0.8, 0.0), ("A2", 0.0, 1.0), ("S6", 0.6, -0.6)])
def test_how_far_a_card_was_cut_off_is_told_by_its_figure(
    dunes_profile: DeckProfile, face: Face, x: float, y: float
) -> None:
    faces = dict(dunes_profile.faces)
    window = check_strengths(faces)
    assert cut_offsets(faces, window) == {}
    off = cut_offsets({**faces, face: _cut_aside(faces[face], x, y)}, window)
    assert list(off) == [face]
    assert off[face] == pytest.approx((-x, -y), abs=0.25)


def test_a_theater_whose_figures_stand_elsewhere_is_cut_as_it_lies(dunes_profile: DeckProfile) -> None:
    faces = dict(dunes_profile.faces)
    window = check_strengths(faces)
    assert cut_offsets({f: _cut_aside(p, 1.0, 0.0) if f[0] == "L" else p for f, p in faces.items()}, window) == {}


def test_a_card_that_was_cut_a_little_off_is_cut_anew(photos: dict[str, Picture]) -> None:
    """An S5 that was cut 0.9 mm aside of A5 and L5 was told for certain where the L5 lay."""
    # Given a card that was placed a millimetre aside,
    seen = {name: examine(photos[name]) for name in PHOTOS}
    right = assemble(seen).faces["S5"]
    layout = seen["sea"].layout
    assert layout is not None
    card = layout.cards[4]
    aside = frame_around((card.centre[0] + 0.7, card.centre[1] - 0.7), card.frame.turn, *CARD)
    cards = (*layout.cards[:4], replace(card, frame=aside), layout.cards[5])
    crops = tuple(seen["sea"].crop(one.frame, CARD_PX) for one in cards)
    moved = replace(seen["sea"], layout=replace(layout, cards=cards), cards=crops)
    # when the deck is learnt, then it is cut as it was,
    again = assemble({**seen, "sea": moved}).faces["S5"]
    assert float(np.abs(right.astype(float) - again).mean()) < 3
    # and not as it was placed.
    assert float(np.abs(right.astype(float) - crops[4]).mean()) > 4
