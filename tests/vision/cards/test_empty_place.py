"""Nothing lies in a place only where the bare table is seen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.cards.drawn_column import as_column
from vision.cards.chain import Chain
from vision.cards.empty_place import shone_over, unlike_all_over
from vision.cards.unexplained import unexplained


@pytest.mark.parametrize(
    ("colour", "told"),
    [((86, 96, 78), False), ((92, 103, 84), False), ((92, 92, 98), True)],
    ids=["nothing", "a band of light", "a brown back"],
)
def test_a_dark_back_on_a_dark_mat_in_dim_light_is_no_empty_place(colour: tuple[int, int, int], told: bool) -> None:
    """A brown back on a green mat, plain to anybody by its hue, was an empty place for certain (drawn room)."""
    # Given a dark green mat in noisy light, on which a part as large as a card has next to no edges,
    seen = np.full((400, 248, 3), (86, 96, 78), np.float32)
    seen[40:216, 61:188] = colour
    seen = cv2.GaussianBlur(seen, (0, 0), 8.0)
    noise = cv2.GaussianBlur(np.random.default_rng(3).normal(0, 9.0, seen.shape).astype(np.float32), (0, 0), 0.6)
    column = as_column(np.asarray(np.rint(seen + noise).clip(0, 255), np.uint8))
    # then it is something if it has another hue.
    assert not column.patterned
    assert unlike_all_over(column) == told
    left = unexplained(column, Chain((), 0.0, 99.0), [])
    assert left.hidden == told


@pytest.mark.parametrize("glare", [False, True])
def test_the_white_squares_of_a_cloth_that_the_camera_clips_are_no_glare(glare: bool) -> None:
    """An empty place of a checked cloth was in doubt, for so much white might be a lamp's shine with a card in it."""
    # Given a cloth of dark and white squares of 25 mm, the white ones clipped, and a shine as large as a card on it,
    down, across = np.mgrid[0:400, 0:248] // 50
    dark = ((down + across) % 2)[..., None] == 0
    seen = np.asarray(np.where(dark, np.array([96, 92, 90]), 255), np.uint8)
    if glare:
        cv2.rectangle(seen, (50, 30), (200, 230), (255, 255, 255), -1)
    # then a card may be hidden only where none of the dark squares are seen.
    assert shone_over(as_column(seen)) == glare
