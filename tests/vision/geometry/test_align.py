"""A known picture is laid exactly over a piece of a table, by all of it or by what shows of it."""

import math

import cv2
import numpy as np
import pytest

from vision.geometry.align import Aligner, Placed, local_contrast
from vision.types import Grey


def print_of(seed: int) -> Grey:
    """Detail of a card with blots of ink, 1 px/mm, (88, 64)."""
    ink = np.random.default_rng(seed).random((88, 64)).astype(np.float32)
    return local_contrast(np.asarray(cv2.GaussianBlur(ink, (0, 0), 2.0) > 0.5, dtype=np.float32) * np.float32(0.4))


def lying_at(card: Grey, place: Placed) -> Grey:
    """A piece of a table on which a card lies, (140, 120)."""
    return np.asarray(cv2.warpAffine(card, place.matrix(), (120, 140)), dtype=np.float32)


def apart_mm(one: Placed, other: Placed) -> float:
    return max(math.dist(one.point(*at), other.point(*at)) for at in ((0, 0), (64, 0), (0, 88), (64, 88)))


@pytest.mark.parametrize("weighted", [False, True])
def test_a_card_is_laid_to_a_fraction_of_a_pixel(weighted: bool) -> None:
    card, there = print_of(1), Placed(25.4, 20.7, 0.05)
    weight = np.ones_like(card) if weighted else None
    place, like = Aligner(card, weight).lay(lying_at(card, there), Placed(26.2, 20.0, 0.06), 8)
    assert apart_mm(place, there) < 0.1
    assert like > 0.95


def test_a_card_of_which_another_hides_half_is_laid_by_what_shows_of_it() -> None:
    # Given a card half of which is hidden by another one that lies a little aside
    card, there = print_of(1), Placed(25.0, 20.0, 0.0)
    seen = lying_at(card, there)
    seen[20 + 40 :] = lying_at(print_of(2), Placed(26.0, 60.0, 0.0))[20 + 40 :]
    shows = np.ones_like(card)
    shows[40:] = 0.0
    # When it is laid from a place some degrees askew
    askew = Placed(26.0, 18.9, 0.03)
    place, like = Aligner(card, shows).lay(seen, askew, 10)
    # Then what hides it does not count
    assert apart_mm(place, there) < 0.3
    assert like > 0.95
    assert like > Aligner(card).lay(seen, askew, 10)[1] + 0.2
