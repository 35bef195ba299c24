"""Maneuvers whose colours are the same are told apart by print of their own, where they have any."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.cards.own_print import MOST, against
from vision.cards.templates import Bank
from vision.profile import FACES, SCALE, DeckProfile
from vision.simulate import SimulatedCamera, varied_room
from vision.simulate.deck import Deck
from vision.tracking.reader import Reader
from vision.types import Picture

MANEUVERS = ("A3", "L3", "S3")
TEXT = slice(round(9 * SCALE), round(12 * SCALE))
"""Rows of a card's picture in which its first line of text stands."""


def with_texts_of(profile: DeckProfile, *others: str) -> DeckProfile:
    """A deck whose three Maneuvers are one card but for their text, which is that of other cards of its theater."""
    faces: dict[str, Picture] = dict(profile.faces)  # type: ignore[arg-type]
    for maneuver, other in zip(MANEUVERS, others, strict=True):
        card = faces["A3"].copy()
        card[TEXT] = profile.faces[other][TEXT]  # type: ignore[index]
        faces[maneuver] = card
    return replace(profile, faces=faces)


@pytest.mark.parametrize("room", ["haze", "lights"])
@pytest.mark.parametrize("lies", MANEUVERS)
def test_maneuvers_of_one_colour_are_told_by_their_text(profile: DeckProfile, lies: str, room: str) -> None:
    deck = with_texts_of(profile, "A1", "A2", "A4")
    light, _ = varied_room(room, np.random.default_rng(3))
    drawn = Deck("one colour", SCALE, dict(deck.faces), dict(deck.boards))
    camera = SimulatedCamera(seed=5, condition=light, deck=drawn)
    picture = camera.still({("L", "near"): (lies, "-")}, ("A", "L", "S"))  # type: ignore[dict-item]

    sight = Reader(deck).read(picture).sight

    assert sight.sure and [card.read for card in sight.stacks["L", "near"]] == [lies, "-"]


def test_maneuvers_of_one_text_have_no_print_of_their_own(profile: DeckProfile) -> None:
    bank = Bank(with_texts_of(profile, "A1", "A1", "A1"))
    assert not bank.own_print([FACES.index(face) for face in MANEUVERS])


def test_print_speaks_for_the_face_that_goes_best_as_far_as_the_others_are_unlike_it() -> None:
    # An S3 of a deck with texts of its own, half covered; an A3 and an L3 go with it as they do with an S3.
    told = against((0.861, 0.839, 0.934), (0.848, 0.819, 1.0), 679.0)
    assert told[2] == 0.0 and min(told[:2]) > 4.0


def test_print_that_is_as_good_as_the_same_speaks_against_none() -> None:
    # What photographs of one text differ by is noise, and so is what is seen of it.
    assert against((0.97, 0.95, 0.96), (1.0, 0.985, 0.98), 1200.0) == (0.0, 0.0, 0.0)


def test_little_print_in_bad_light_speaks_less() -> None:
    plain, little = (against((0.6, 0.5), (1.0, 0.8), area)[1] for area in (1500.0, 60.0))
    assert 0.0 < little < plain / 2


def test_print_outweighs_no_plain_colour() -> None:
    # One face's photograph may have had a fold or a shine.
    assert against((0.99, 0.3), (1.0, 0.3), 3000.0)[1] == pytest.approx(MOST)


def test_print_that_goes_with_nothing_is_no_number_s_end() -> None:
    assert all(np.isfinite(against((-0.2, 0.0), (1.0, -0.1), 0.0)))
