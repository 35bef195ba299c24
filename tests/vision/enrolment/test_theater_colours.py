"""Photographs given under the names of other theaters are told by the colours of the boards, or a person is asked."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.names import THEATERS, Face, Theater
from vision.enrolment.advice import PhotographFailure
from vision.enrolment.theater_colours import check_theaters
from vision.profile import BOARD_PX, CARD_PX, DeckProfile
from vision.simulate.deck_design import design_deck
from vision.types import Picture

Faces = dict[Face, Picture]
Boards = dict[Theater, Picture]
PALE = 0.12
"""Share of its colour that a pale header keeps."""


@pytest.fixture(scope="module", params=["dunes", "design 104"])
def learnt(request: pytest.FixtureRequest, dunes_profile: DeckProfile) -> tuple[Faces, Boards]:
    """Faces and boards of path-traced photographs, and of a deck of random design."""
    kind, _, seed = request.param.partition(" ")
    if kind == "dunes":
        return dict(dunes_profile.faces), dict(dunes_profile.boards)
    printed = design_deck(int(seed), 3.0)
    return (
        {face: cv2.resize(image, CARD_PX, interpolation=cv2.INTER_AREA) for face, image in printed.faces.items()},
        {t: cv2.resize(image, BOARD_PX, interpolation=cv2.INTER_AREA) for t, image in printed.boards.items()},
    )


def _given(faces: Faces, order: str) -> Faces:
    """The faces as they are learnt where the photographs are given in that order."""
    return {
        f"{name}{k}": faces[f"{shown}{k}"] for name, shown in zip(THEATERS, order, strict=True) for k in range(1, 7)
    }  # type: ignore[misc, index]


def test_photographs_under_their_own_names_are_passed(learnt: tuple[Faces, Boards]) -> None:
    assert check_theaters(*learnt) == "own"


@pytest.mark.parametrize(("order", "photograph"), [("LAS", "air"), ("ASL", "land"), ("SAL", "air")])
def test_exchanged_photographs_are_refused_by_name(learnt: tuple[Faces, Boards], order: str, photograph: str) -> None:
    faces, boards = learnt
    with pytest.raises(PhotographFailure) as caught:
        check_theaters(_given(faces, order), boards)
    assert (caught.value.code, caught.value.photograph) == ("photographs-swapped", photograph)


def test_cards_in_each_others_photograph_are_refused_by_name(learnt: tuple[Faces, Boards]) -> None:
    faces, boards = learnt
    with pytest.raises(PhotographFailure) as caught:
        check_theaters({**faces, "A4": faces["L4"], "L4": faces["A4"]}, boards)
    assert caught.value.code == "cards-traded" and "A4 and L4" in caught.value.message


def test_pale_cards_in_each_others_photograph_are_refused_by_name(learnt: tuple[Faces, Boards]) -> None:
    # Given headers with little colour, and two cards that lie in each other's photograph
    faces, boards = learnt
    pale: Faces = {}
    for face, image in {**faces, "A2": faces["L2"], "L2": faces["A2"]}.items():
        tone = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        pale[face] = np.asarray(cv2.addWeighted(image, PALE, tone, 1 - PALE, 0), dtype=np.uint8)
    with pytest.raises(PhotographFailure) as caught:
        check_theaters(pale, boards)
    assert caught.value.code == "cards-traded" and "A2 and L2" in caught.value.message


def test_paler_cards_that_go_with_the_boards_in_another_order_are_asked_about(learnt: tuple[Faces, Boards]) -> None:
    # Given cards whose headers have but a third of the boards' colour
    faces, boards = learnt
    pale: Faces = {}
    for face, image in _given(faces, "LAS").items():
        tone = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        pale[face] = np.asarray(cv2.addWeighted(image, 0.33, tone, 0.67, 0), dtype=np.uint8)
    # When photographs are exchanged, then it is noticed and nothing is refused
    assert check_theaters(pale, boards) == "others"


def test_cards_without_colour_say_nothing(learnt: tuple[Faces, Boards]) -> None:
    faces, boards = learnt
    grey = {face: cv2.cvtColor(cv2.cvtColor(i, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR) for face, i in faces.items()}
    assert check_theaters(grey, boards) == "untold"  # type: ignore[arg-type]
