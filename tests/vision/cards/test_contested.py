"""A card that other explanations of its column tell otherwise is in doubt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vision.cards.classify import Judged
from vision.cards.contested import contested
from vision.cards.templates import FINE, Bank
from vision.enrolment.enrol import PHOTOS, enrol
from vision.geometry.align import Placed
from vision.profile import FACES, DeckProfile
from vision.simulate import SimulatedCamera, print_deck

THERE = Placed(62.0, 87.0, 0.03)


@pytest.fixture(scope="module")
def bank(profile: DeckProfile) -> Bank:
    return Bank(profile)


def judged(leads: dict[str, float], match: float, place: Placed = THERE, visible: float = 22.0) -> Judged:
    faces = tuple((FACES.index(face), nats) for face, nats in leads.items())
    return Judged(faces, place, visible, match, 0.1)


def told(bank: Bank, card: Judged, other: Judged) -> dict[str, float]:
    """How far the faces of a card trail after another explanation said something else."""
    [after] = contested(bank, [card], [other])
    return {FACES[face]: nats for face, nats in after.faces}


A6 = {"A6": 0.0, "A2": 12.8, "A1": 14.0}
"""Told of an A1 whose header a shine hid: the A6's title lay along the shine's edge."""
A2 = {"A2": 0.0, "A1": 1.7, "A6": 3.0}
"""Told of the same card with the A2 in mind."""


def test_a_card_under_a_shine_that_is_told_otherwise_with_another_face_in_mind_is_in_doubt(bank: Bank) -> None:
    after = told(bank, judged(A6, 0.84), judged(A2, 0.6))
    assert after["A2"] < 1.0 and after["A1"] < 3.0, "either of both may be right"


@pytest.mark.parametrize(
    "other",
    [
        judged(A2, 0.3),
        judged(A2, 0.6, replace(THERE, y=THERE.y + 4 * FINE)),
        judged(A2, 0.6, visible=88.0),
    ],
    ids=["goes badly", "lies elsewhere", "taken to lie clear"],
)
def test_what_tells_nothing_of_it_leaves_it_certain(bank: Bank, other: Judged) -> None:
    assert told(bank, judged(A6, 0.84), other) == A6


@pytest.mark.parametrize(
    ("leads", "down", "doubt"),
    [({"L6": 0.0, "A6": 10.0}, 6.6, True), ({"L6": 0.0, "A6": 4.0}, 6.6, False), ({"L6": 0.0, "A6": 10.0}, 9.0, False)],
    ids=["read plainly", "hardly told", "room for both"],
)
def test_a_back_where_a_title_was_read_so_near_that_only_one_of_them_can_lie_there_is_in_doubt(
    bank: Bank, leads: dict[str, float], down: float, doubt: bool
) -> None:
    """What shone on an L6 was a white back at 0.999 in the account of the column that begged least for another."""
    back = {"-": 0.0, "S2": 5.7}
    after = told(bank, judged(back, 0.83), judged(leads, 0.87, replace(THERE, y=THERE.y + down * FINE)))
    assert (after.get("L6", 99.0) < 1.0) == doubt
    if not doubt:
        assert after == back


S5 = {"S5": 0.0, "A5": 11.6}
"""Told of an S5 through whose title a line shone."""
A5 = {"A5": 0.0, "L5": 5.3, "S5": 9.0}
"""Told of it by a search that took the line for print."""


@pytest.mark.parametrize(
    ("other", "certain"),
    [
        (judged(A5, 0.72), True),
        (judged(A5, 0.78), False),
        (judged({"L5": 0.0, "S5": 0.2}, 0.84), True),
    ],
    ids=["goes worse", "goes as well", "hardly told from it"],
)
def test_a_card_that_bears_text_is_in_doubt_only_by_what_goes_as_well_and_is_told_from_it(
    bank: Bank, other: Judged, certain: bool
) -> None:
    after = told(bank, judged(S5, 0.79), other)
    assert (after == S5) == certain
    if not certain:
        assert after["A5"] < 1.0


def test_faces_of_one_print_are_left_to_colour() -> None:
    photos = SimulatedCamera("muted", 9000, condition="day", deck=print_deck("muted", 0)).enrolment_photos()
    bank = Bank(enrol(*(photos[name] for name in PHOTOS)))
    assert bank.equal_headers[FACES.index("A3"), FACES.index("S3")]
    led = {"A3": 0.0, "S3": 9.0}
    assert told(bank, judged(led, 0.9), judged({"S3": 0.0, "A3": 1.0}, 0.8)) == led
