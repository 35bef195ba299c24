"""What glare blows out tells of no face: a light one would look like it without any glare, a dark one only with it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.cards.appearance import HIDDEN, mismatch_under_glare
from vision.cards.column import SPREAD
from vision.cards.templates import MIDDLE, Pattern, card_px
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
