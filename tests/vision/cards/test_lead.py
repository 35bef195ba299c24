"""How much a lead counts where glare hides much of a card."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.vision.cards.drawn_deck import golden_bank, golden_column, seen_alone
from vision.cards.calibration import FITTED, Weighed, believed
from vision.cards.lead import HeldFace, counts_under_glare, lead, unless_hue_is_hidden, unless_text_is_hidden
from vision.cards.similarity import DETAIL_WEIGHT
from vision.geometry.align import Placed
from vision.geometry.light import root_table
from vision.profile import FACES, DeckProfile
from vision.tracking.reader import SURE

LED = 7.8
"""Nats by which an S2 led on a drawn L1 that a lamp had blown out wholly: it was read as an S2 for certain."""


def held(rho: float) -> HeldFace:
    return HeldFace(13, 0.0, Placed(0.0, 0.0, 0.0), 88.0, rho, max(rho, 0.79), 0.4, 1000.0)


def belief(best: HeldFace, back: bool) -> float:
    """How likely the best of two faces is said to be that leads by `LED` where glare hides much of the card."""
    lead = LED * counts_under_glare(best, back)
    return believed(Weighed({"S2": 0.0, "L1": lead}, best.match, best.hue_error), FITTED).p


def test_a_card_that_is_blown_out_is_not_told_for_certain_by_how_bright_it_is() -> None:
    # Given a card under glare of whose print nothing is seen, when one face explains what is bright and dark better
    # Then it is not certain
    assert belief(held(0.21), back=False) < SURE


def test_a_card_whose_print_is_seen_through_glare_is_certain_by_the_same_lead() -> None:
    assert belief(held(0.83), back=False) > SURE


def test_half_a_title_under_glare_tells_no_face_for_certain() -> None:
    """An L6 of whose title a lamp spared the upper half, through a dark camera, was an A6 at 0.95: both begin alike."""
    best = HeldFace(5, 0.0, Placed(0.0, 0.0, 0.0), 22.0, 0.58, 0.82, 0.3, 414.0)
    lead = 4.6 * counts_under_glare(best, back=False)
    assert believed(Weighed({"A6": 0.0, "L6": lead}, best.match, best.hue_error), FITTED).p < SURE


@pytest.mark.parametrize("rho", [0.1, 0.5, 0.9])
def test_a_back_that_shows_its_rim_alone_is_believed_more_than_a_face(rho: float) -> None:
    assert counts_under_glare(held(rho), back=True) >= counts_under_glare(held(rho), back=False)


@pytest.mark.parametrize(
    ("best", "other", "told"),
    [
        # print's correlation, squared error of hue, print that was compared, nats: an S3 beside a lamp, told as an A3,
        ((0.82, 1.40), (0.76, 0.11), False),
        # an L2 told as an A2,
        ((0.80, 0.74), (0.74, 0.12), False),
        # an S6 through whose title a line shone, told as an A6, whose title is as long as the line,
        ((0.899, 0.58), (0.851, 0.02), False),
        # and a light that is as odd for one face as for the other.
        ((0.82, 1.40), (0.70, 1.35), True),
    ],
)
def test_print_does_not_tell_a_face_for_certain_that_is_of_another_hue(
    best: tuple[float, float], other: tuple[float, float], told: bool
) -> None:
    """Under a webcam's smear the headers of an A3 and an S3 are much alike; the grey one went a little better with what
    was plainly a blue card, and was told for certain."""

    def face(number: int, rho: float, hue: float) -> HeldFace:
        nats = DETAIL_WEIGHT * float(np.log(1 - rho * rho)) + 2 * hue
        return HeldFace(number, nats, Placed(0.0, 0.0, 0.0), 18.0, rho, rho, hue, 820.0)

    first, second = face(2, *best), face(8, *other)
    assert first.nats < second.nats
    weighed = Weighed({"A3": 0.0, "S3": lead(first, second, veiled=False)}, first.match, first.hue_error)
    assert (believed(weighed, FITTED).p > SURE) == told


def test_under_a_veil_a_face_that_print_as_a_whole_speaks_against_is_not_certain() -> None:
    """Of 15 mm of an A1 in dim light, an S1 explained part by part better and was told at 0.955, though all of it taken
    together was for the A1, as its header was."""
    place = Placed(0.0, 0.0, 0.0)
    s1 = HeldFace(12, -35.1, place, 17.0, 0.86, 0.69, 0.39, 201.0)
    a1 = HeldFace(0, -29.7, place, 17.0, 0.89, 0.67, 0.05, 189.0)
    led = lead(s1, a1, veiled=True)
    assert believed(Weighed({"S1": 0.0, "A1": led}, s1.match, s1.hue_error), FITTED).p < SURE
    # Where the whole is for the same face, the lead stands.
    assert lead(s1, replace(a1, rho=0.82), veiled=True) >= a1.nats - s1.nats


@example(rho=0.995, nats=-77.5, veiled=True)
@given(rho=st.floats(-1.0, 1.0), nats=st.floats(-100.0, 100.0), veiled=st.booleans())
def test_no_face_trails_itself(rho: float, nats: float, veiled: bool) -> None:
    """An L2 that went with a card at 0.995 trailed itself by 16 nats, and so an A2, which went at 0.96, was certain."""
    face = replace(held(rho), nats=nats)
    assert lead(face, face, veiled) == 0.0


def test_a_veil_s_own_hue_speaks_against_no_face() -> None:
    place = Placed(0.0, 0.0, 0.0)
    right = HeldFace(8, -30.0, place, 88.0, 0.9, 0.9, 1.4, 1000.0)
    other = HeldFace(2, -20.0, place, 88.0, 0.8, 0.8, 0.2, 1000.0)
    assert lead(right, other, veiled=True) >= 10.0
    assert lead(right, other, veiled=False) < 10.0


@pytest.mark.parametrize("leads", [4.0, 9.9])
@pytest.mark.parametrize(("match", "shone_on"), [(0.72, False), (0.56, True)])
def test_a_six_that_goes_badly_with_the_card_is_in_doubt(leads: float, match: float, shone_on: bool) -> None:
    # A shine hid the text of an S1 and of an A2, and a line that shone on a back lay where a 6 has its title.
    six, rival = FACES.index("S6"), FACES.index("S1")
    told = unless_text_is_hidden([(six, 0.0), (rival, leads)], six, match, shone_on)
    face, by = told[1]
    assert believed(Weighed({"S6": 0.0, FACES[face]: by}, match, 0.05), FITTED).p < SURE


def test_a_face_with_text_or_a_plain_lead_stays_as_sure() -> None:
    six, one = FACES.index("S6"), FACES.index("S1")
    for led in ([(one, 0.0), (six, 9.0)], [(six, 0.0), (one, 11.0)], [(six, 0.0)]):
        assert unless_text_is_hidden(led, led[0][0], 0.5, False) == led


def test_a_six_that_goes_well_with_what_is_seen_of_it_stays_as_sure() -> None:
    six, one = FACES.index("S6"), FACES.index("S1")
    led = [(six, 0.0), (one, 6.0)]
    assert unless_text_is_hidden(led, six, 0.8, False) == unless_text_is_hidden(led, six, 0.7, True) == led


def test_maneuvers_whose_hues_cannot_be_compared_are_in_doubt_and_other_faces_stay_ruled_out() -> None:
    # Glare left too little of an A3 for that, and what there was of colour led by 3.6 nats as an S3.
    a3, l3, s3, s6 = (FACES.index(face) for face in ("A3", "L3", "S3", "S6"))
    told = unless_hue_is_hidden([(s3, 0.0), (a3, 3.6), (s6, 5.0), (l3, 6.0)], (a3, l3, s3))
    assert [face for face, _ in told] == [s3, a3, l3, s6]
    trails = {FACES[face]: by for face, by in told}
    assert believed(Weighed(trails, 0.89, 0.0), FITTED).p < SURE
    assert trails["S6"] == 5.0
    # Faces of other print are told as surely as before.
    assert unless_hue_is_hidden([(s6, 0.0), (s3, 3.6)], (s6,)) == [(s6, 0.0), (s3, 3.6)]


def test_a_rim_that_glare_spares_tells_no_face_of_another_hue_for_certain() -> None:
    """Of an L6 a lamp had left the rim, whose shapes went with an L4: that was certain, by 10 nats."""
    rim = replace(held(0.72), hue_error=0.6, area=1011.0, match=0.72)
    assert 14.6 * counts_under_glare(rim, back=False) < 3.0
    # A header of its hue, and one of which much more is seen, tell it.
    assert counts_under_glare(replace(rim, hue_error=0.2), back=False) > 0.6
    assert counts_under_glare(replace(rim, area=2600.0), back=False) > 0.6


def test_a_face_whose_header_trails_is_held_against_a_card_that_goes_not_quite_with_the_first(
    profile: DeckProfile,
) -> None:
    """Where an L2's header goes best with an A2 that a poor webcam smeared, the A2's own trailed by 16 nats, so that it
    was never asked how it goes where it lies itself: it was an L2 for certain."""
    # Given that column of a drawn table, and these cards of its deck
    bank = golden_bank("next-header", profile, "A2", "L2", "S2", "A3")
    gains = root_table(np.array([8.0725, 6.2868, 5.1036]))
    column = golden_column("next-header", gains, 0.609, np.full(3, 255, np.uint8))
    # Then both are read for certain, each as what it is
    seen = seen_alone(bank, column)
    assert [card.read for card in seen] == ["A2", "A3"]
    assert all(card.p > SURE for card in seen)
