"""Cards that lie in another's place, or upside down, are told by the figures of the two other theaters."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.names import THEATERS, Face
from vision.enrolment.advice import PhotographFailure
from vision.enrolment.strengths import check_strengths
from vision.profile import CARD_PX, DeckProfile
from vision.simulate.deck_design import design_deck
from vision.types import Picture

Faces = dict[Face, Picture]


@pytest.fixture(scope="module", params=["learnt", "design 100", "design 103"])
def faces(request: pytest.FixtureRequest, dunes_profile: DeckProfile) -> Faces:
    """Those of path-traced photographs, and of two decks of random design."""
    kind, _, seed = request.param.partition(" ")
    if kind == "learnt":
        return dict(dunes_profile.faces)
    printed = design_deck(int(seed), 4.0).faces
    return {face: cv2.resize(image, CARD_PX, interpolation=cv2.INTER_AREA) for face, image in printed.items()}


def test_cards_that_lie_as_they_should_are_passed(faces: Faces) -> None:
    check_strengths(faces)


@pytest.mark.parametrize(("one", "other", "at"), [("A5", "A6", "middle/far"), ("L1", "L4", "left/near")])
def test_two_cards_that_changed_places_are_refused_with_photograph_and_place(
    faces: Faces, one: Face, other: Face, at: str
) -> None:
    # Given two cards of one photograph, each in the other's place
    laid = {**faces, one: faces[other], other: faces[one]}
    # When the deck is learnt, then the first of them is named
    with pytest.raises(PhotographFailure) as caught:
        check_strengths(laid)
    assert (caught.value.code, caught.value.at) == ("cards-swapped", at)
    assert caught.value.photograph == {"A": "air", "L": "land"}[one[0]]
    assert f"is a {other[1]}, where the {one[1]} belongs" in caught.value.message


def test_a_card_that_lies_upside_down_is_refused_with_photograph_and_place(faces: Faces) -> None:
    laid = {**faces, "S4": np.ascontiguousarray(faces["S4"][::-1, ::-1])}
    with pytest.raises(PhotographFailure) as caught:
        check_strengths(laid)
    assert (caught.value.code, caught.value.photograph, caught.value.at) == ("card-turned", "sea", "left/far")


def test_cards_without_figures_say_nothing_of_their_strength() -> None:
    # Given eighteen faces of which each shows something else
    noise = np.random.default_rng(4)
    laid: Faces = {
        f"{theater}{k}": cv2.GaussianBlur(noise.integers(0, 256, (*CARD_PX[::-1], 3), np.uint8), (0, 0), 3)  # type: ignore[misc]
        for theater in THEATERS
        for k in range(1, 7)
    }
    # Then nobody can say that one lies in another's place
    check_strengths(laid)


@pytest.mark.parametrize(
    ("turned", "places", "said", "photograph"),
    [
        ("ALS", "123456", "All cards lie upside down in the air, land and sea photographs.", ""),
        ("AS", "123456", "All cards lie upside down in the air and sea photographs.", ""),
        ("L", "123456", "All cards lie upside down in the land photograph.", "land"),
        ("ALS", "456", "All cards on the far side lie upside down in the air, land and sea photographs.", ""),
    ],
)
def test_photographs_in_which_all_cards_lie_upside_down_are_refused_by_name(
    faces: Faces, turned: str, places: str, said: str, photograph: str
) -> None:
    # Given photographs of which no card, or none on the far side, lies as it should
    laid: Faces = {
        face: np.ascontiguousarray(image[::-1, ::-1]) if face[0] in turned and face[1:] in places else image
        for face, image in faces.items()
    }
    # When the deck is learnt, then they are named, and how to lay the cards
    with pytest.raises(PhotographFailure) as caught:
        check_strengths(laid)
    assert (caught.value.code, caught.value.photograph) == ("cards-turned", photograph)
    assert caught.value.message == said and "top edge towards its board" in caught.value.remedy
