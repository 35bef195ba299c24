"""What was judged of a card counts for it wherever the same is seen of it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.cards.drawn_column import as_column
from vision.cards.candidates import Candidate
from vision.cards.judgement import Judgement, judge_card
from vision.cards.read_column import read_column
from vision.cards.templates import FINE, Bank
from vision.geometry.align import Placed
from vision.profile import FACES, DeckProfile
from vision.types import Picture


@pytest.fixture(scope="module")
def bank(profile: DeckProfile) -> Bank:
    return Bank(profile)


def candidate(place: Placed, edge: float = 0.9) -> Candidate:
    return Candidate(FACES.index("A4"), place, 0.9, edge, np.full(88, -0.3, np.float32), None)


def shone_on(patch: Picture, place: Placed) -> Picture:
    """The same with a window's shine over all of the card but its right side."""
    shine = np.zeros(patch.shape[:2], np.float32)
    x, y = place.point(40, 60)
    cv2.ellipse(shine, (round(x), round(y)), (75, 150), 8, 0, 360, 150.0, -1)
    shine = np.asarray(cv2.GaussianBlur(shine, (0, 0), 6), dtype=np.float32)
    return np.asarray(np.clip(patch + shine[..., None], 0, 255), dtype=np.uint8)


def test_of_a_card_whose_edge_one_explanation_sees_and_another_does_not_the_same_is_judged_as_by_itself(
    bank: Bank, single: tuple[Picture, Placed]
) -> None:
    patch, place = single
    column = as_column(shone_on(patch, place))
    seen, unseen = (replace(candidate(place, edge), trust=np.full((88, 64), 0.3, np.float32)) for edge in (0.9, 0.0))
    before: list[Judgement] = []
    outlined = judge_card(bank, column, (seen,), 0, bank.count, before)
    without = judge_card(bank, column, (unseen,), 0, bank.count, before)
    assert without == judge_card(bank, column, (unseen,), 0, bank.count, [])
    assert outlined == judge_card(bank, column, (seen,), 0, bank.count, before), "each is kept"
    assert outlined.match > without.match, "that nothing speaks against a face counts where its outline is seen"


@pytest.mark.parametrize(("down", "kept"), [(44.0, False), (-1.0, False), (100.0, True)])
def test_what_was_judged_of_a_card_counts_without_highlights_where_none_was_on_it(
    bank: Bank, single: tuple[Picture, Placed], down: float, kept: bool
) -> None:
    patch, place = single
    filled_in = np.zeros(patch.shape[:2], np.uint8)
    left, right = (tuple(map(round, place.point(x, down * FINE))) for x in (20, 100))
    cv2.line(filled_in, left, right, 1, 2)
    before: list[Judgement] = []
    judge_card(bank, as_column(patch), (candidate(place),), 0, bank.count, before)
    assert before[0].beside(filled_in.astype(np.bool_)) == kept


def test_a_face_whose_header_goes_as_well_where_it_is_laid_by_itself_is_held_against_the_card(
    profile: DeckProfile, single: tuple[Picture, Placed]
) -> None:
    """An L4 was an A4 for certain: where that lay best the L4's header, cut out 0.7 mm otherwise, trailed by 27 nats,
    and it was not held against the card at all, which it goes with at 0.97."""
    # Given an A4, of a deck whose L4 is much like it, found as that, and an A4's header that trails there,
    patch, place = single
    alike = cv2.addWeighted(profile.faces["A4"], 0.58, profile.faces["L4"], 0.42, 0)
    bank = Bank(replace(profile, faces={**profile.faces, "L4": alike}))
    header = np.full(bank.count, 60.0)
    header[[FACES.index("L4"), FACES.index("S4"), FACES.index("A4")]] = (0.0, 25.0, 27.0)
    found = replace(candidate(place), face=FACES.index("L4"), header=header)
    # when it is judged, then it is the A4.
    told = judge_card(bank, as_column(patch), (found,), 0, bank.count, [])
    assert FACES[told.faces[0][0]] == "A4"


@pytest.mark.parametrize(("at", "radius"), [((85, 34), 0), ((85, 34), 32), ((64, 60), 32)])
def test_a_card_of_which_a_shine_spares_enough_is_told_by_that_as_plainly_as_one_without(
    bank: Bank, single: tuple[Picture, Placed], at: tuple[int, int], radius: int
) -> None:
    """Each of 19 faces was held against every such card in up to three places, at ten times the cost, and it went worse
    with its own than what the shine spared does."""
    # Given a card, and a lamp that shines on a part of it,
    patch, place = single
    lit = np.zeros(patch.shape[:2], np.float32)
    x, y = place.point(*at)
    cv2.circle(lit, (round(x), round(y)), radius, 190.0 * (radius > 0), -1)
    seen = np.asarray(np.clip(patch + cv2.GaussianBlur(lit, (0, 0), 2)[..., None], 0, 255), dtype=np.uint8)
    # when it is read,
    [card] = read_column(bank, as_column(seen)).cards
    # then it goes with its face as a card does on which nothing shines, and leads all others plainly.
    assert FACES[card.faces[0][0]] == "A4"
    assert card.match > 0.96
    assert all(trails > 12 for _, trails in card.faces[1:])
