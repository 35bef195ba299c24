"""The chain of cards that explains a column best: which are believed, and how many lie there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.names import FACE_DOWN, Face
from vision.cards.candidates import Candidate
from vision.cards.chain import best_chain
from vision.cards.templates import FINE, MIDDLE
from vision.geometry.align import Placed
from vision.profile import FACES

BACK = FACES.index(FACE_DOWN)
FEW_ROWS = np.full(88, -1.3 / 88, np.float32)
"""A card that explains what is seen hardly better than the table does."""


@pytest.mark.parametrize(("match", "edge", "believed"), [(0.82, 0.99, True), (0.82, 0.3, False), (0.4, 0.99, False)])
def test_a_dark_back_on_a_dark_mat_is_believed_by_its_print_and_its_outline(
    match: float, edge: float, believed: bool
) -> None:
    card = Candidate(BACK, Placed(60.0, 40.0, 0.0), match, edge, FEW_ROWS, None)
    assert best_chain([card], 280.0).cards == ((card,) if believed else ())


@pytest.mark.parametrize(("face", "match", "believed"), [("L1", 0.86, True), ("L1", 0.72, False), ("-", 0.86, False)])
def test_a_face_of_the_tables_colour_is_believed_by_its_plain_print_alone(
    face: Face, match: float, believed: bool
) -> None:
    """A brown L1 on brown wood on which a lamp shone was left unread; the print of a back repeats."""
    card = Candidate(FACES.index(face), Placed(60.0, 40.0, 0.0), match, 0.3, np.full(88, -2.0 / 88, np.float32), None)
    assert best_chain([card], 280.0).cards == ((card,) if believed else ())


@pytest.mark.parametrize(("match", "edge", "believed"), [(0.94, 0.82, True), (0.94, 0.4, False), (0.8, 0.82, False)])
def test_a_white_back_on_a_white_mat_is_believed_by_plain_print_and_a_clear_outline_together(
    match: float, edge: float, believed: bool
) -> None:
    """It explains nothing better than the mat does, and the deck was refused when its photographs were read back."""
    card = Candidate(BACK, Placed(60.0, 40.0, 0.0), match, edge, np.full(88, 0.4 / 88, np.float32), None)
    assert best_chain([card], 280.0).cards == ((card,) if believed else ())


@pytest.mark.parametrize(
    ("prints", "match", "believed"),
    [((0.6, 0.75), 0.78, True), ((0.6, 0.75), 0.57, False), ((0.7, 0.85), 0.71, False), (None, 0.78, False)],
)
def test_a_back_is_believed_by_its_figure_if_nothing_further_down_on_it_is_like_that(
    prints: tuple[float, float] | None, match: float, believed: bool
) -> None:
    """Of a white back on a white mat its red 2 alone was seen, which is on no other card; what repeats says less."""
    card = Candidate(BACK, Placed(60.0, 40.0, 0.0), match, 0.3, np.full(88, -2.0 / 88, np.float32), None)
    assert best_chain([card], 280.0, back_prints=prints).cards == ((card,) if believed else ())


@pytest.mark.parametrize(("match", "believed"), [(0.86, True), (0.72, False)])
def test_a_back_whose_figure_is_plain_needs_no_end_that_is_seen(match: float, believed: bool) -> None:
    """Of white backs on a white mat their red 2s alone were seen, and neither their upper edges nor their ends."""
    card = Candidate(BACK, Placed(60.0, 40.0, 0.0), match, 0.0, np.full(88, -2.8 / 88, np.float32), None)
    chain = best_chain([card], 280.0, lambda _: False, back_prints=(0.68, 0.83))
    assert chain.cards == ((card,) if believed else ())


@pytest.mark.parametrize(
    ("strip", "seen", "least", "doubt"),
    [(29.0, 0.7, -0.2, True), (15.0, 0.7, -0.2, False), (29.0, 0.45, -0.08, False), (29.0, 0.45, -0.2, True)],
)
def test_how_many_cards_lie_is_in_doubt_where_one_more_explains_much_of_what_shows(
    strip: float, seen: float, least: float, doubt: bool
) -> None:
    """Three backs in thin strips were taken for two, for the second one explained hardly less than a card must; faces
    that were not there, of which neither print nor an outline was seen, explained a little more."""
    plain = np.full(88, -1.0, np.float32)
    first, third = (Candidate(BACK, Placed(60.0, y, 0.0), 0.9, 0.9, plain, None) for y in (40.0, 40.0 + strip * FINE))
    # Given a first card whose print goes with the first 13 mm only, and faint print of another back below those,
    short = replace(first, costs=np.where(np.arange(88) < 13 * MIDDLE, -1.0, -0.01).astype(np.float32))
    faint = Candidate(BACK, Placed(60.0, 40.0 + 14 * FINE, 0.0), seen, 0.0, np.full(88, least, np.float32), None)
    # then two cards are told, but not how many there are.
    chain = best_chain([short, faint, third], 280.0)
    assert chain.cards == (short, third)
    assert (chain.margin == 0) == doubt


def test_a_card_whose_print_is_plain_leaves_no_doubt_that_it_is_there() -> None:
    """Of two dark backs on a dark mat the lower one explained hardly more than the table, yet its 2 was plain."""
    rows = np.full(88, -1.0, np.float32)
    # Given a card that explains hardly more than a card must, and one upon it that explains much,
    lower = Candidate(BACK, Placed(60.0, 40.0, 0.0), 0.84, 0.9, FEW_ROWS * 0.2, None)
    upper = Candidate(FACES.index("L1"), Placed(60.0, 72.0, 0.0), 0.84, 0.9, rows, None)
    chain = best_chain([lower, upper], 280.0)
    assert chain.cards == (lower, upper)
    # then the upper one alone would explain it nearly as well, but not if the lower one is known to lie there;
    assert chain.margin < 0.7
    assert chain.margin_with([0]) > 10
    # to know the upper one helps nothing,
    assert chain.margin_with([1]) == chain.margin
    # and another card between the two is as likely as it was.
    third = Candidate(FACES.index("A5"), Placed(60.0, 56.0, 0.0), 0.84, 0.9, FEW_ROWS * 0.2, None)
    both = best_chain([lower, third, upper], 280.0)
    assert both.margin_with([0, len(both.cards) - 1]) < 3


@pytest.mark.parametrize(("other", "doubt"), [("-", False), ("L6", True)])
def test_a_card_laid_a_little_elsewhere_is_no_other_stack(other: Face, doubt: bool) -> None:
    """A back under a card was in doubt, for it could as well have lain 4 mm further up."""
    rows = np.full(88, -1.0, np.float32)
    # Given a back under a card, and the same back, or another card, laid 4 mm further up nearly as well,
    back = Candidate(BACK, Placed(60.0, 44.0, 0.0), 0.9, 0.9, rows, None)
    card = Candidate(FACES.index("L1"), Placed(60.0, 80.0, 0.0), 0.9, 0.9, rows, None)
    aside = Candidate(FACES.index(other), Placed(60.0, 36.0, 0.0), 0.9, 0.9, rows * 0.8, None)
    chain = best_chain([aside, back, card], 280.0)
    # then only the other card makes another stack of it.
    assert chain.cards == (back, card)
    assert (chain.margin < 1.0) == doubt
    assert best_chain([back, card], 280.0).margin > 1.0
