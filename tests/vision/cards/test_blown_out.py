"""What glare blows out tells of no face: a light one would look like it without any glare, a dark one only with it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.cards.appearance import FULL, HIDDEN, lighter, mismatch_under_glare, print_seen
from vision.cards.column import SPREAD
from vision.cards.pattern import Pattern
from vision.cards.templates import MIDDLE, card_px
from vision.geometry.align import grey


@pytest.mark.parametrize("paper", [0.3, 0.95])
def test_what_is_as_light_as_the_camera_shows_tells_of_no_face(paper: float) -> None:
    w, h = card_px(MIDDLE)
    face = Pattern(lambda: np.full((h, w, 3), paper, np.float32), MIDDLE)
    # Given a card of a dark rim, all else blown out
    seen = np.full((h, w, 3), 0.3, np.float32)
    seen[8:-8, 8:-8] = 1.0
    brightest = np.ones(3, np.float32)
    wrong, _ = mismatch_under_glare(seen, grey(seen), face, SPREAD, brightest=brightest)
    # Then what is blown out counts the same for a dark face and for a light one; the rim tells them apart.
    assert wrong[14:-14, 14:-14] == pytest.approx(HIDDEN)
    assert (float(wrong[3, 3:-3].mean()) < 0.1) == (paper == 0.3)


@pytest.mark.parametrize(("limit", "glare"), [(1.0, True), (2.0, False)])
def test_a_white_shine_in_a_lamps_light_is_glare_though_it_comes_out_blue(limit: float, glare: bool) -> None:
    """Brought back to the deck's light a lamp's white is bluish once its channels are cut off: it was taken for another
    thing, and what is print there, for seen."""
    w, h = card_px(MIDDLE)
    face = Pattern(lambda: np.full((h, w, 3), 0.3, np.float32), MIDDLE)
    # Given a dark card whose middle is as light as the camera shows, under gains that warm light asks for,
    most = np.array([1.29, 1.0, 0.88], np.float32)
    seen = np.full((h, w, 3), 0.3, np.float32)
    seen[8:-8, 8:-8] = most
    # when it is held against its own face,
    _, free = mismatch_under_glare(seen, grey(seen), face, SPREAD, most=limit * most)
    # then that is glare, unless the camera could have shown more: then it is a thing of that colour.
    assert bool((free[14:-14, 14:-14] == 0).all()) == glare


def test_no_print_is_seen_where_the_camera_shows_the_most_that_it_can() -> None:
    # Given a dark card of which all but the rim is blown out
    w, h = card_px(MIDDLE)
    seen = np.full((h, w, 3), 0.3, np.float32)
    seen[8:-8, 8:-8] = 1.0
    free = np.ones((h, w), np.float32)
    free[8:-8, 8:-8] = 0.0
    full = lighter(seen, FULL * np.ones(3, np.float32))
    # Then print is seen on the rim alone, and not in the blown-out part's own rim either.
    there = print_seen(free, grey(seen), full) > 0
    assert there[:6].all() and not there[8:-8, 8:-8].any()
