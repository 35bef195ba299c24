"""Cards that were cut beside their edges are told by the figures of strength, which a deck prints in one place."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.names import Face
from vision.enrolment.advice import PhotographFailure
from vision.enrolment.figure_places import check_cuts
from vision.enrolment.strengths import check_strengths
from vision.profile import SCALE, DeckProfile
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
