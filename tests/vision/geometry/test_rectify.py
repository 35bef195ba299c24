"""A rectangle of the table, and the way from its own millimetres to those of the table and back."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.geometry.pose import Pose
from vision.geometry.rectify import cut, frame_around, places

LENGTH = st.floats(-300.0, 300.0)


@given(LENGTH, LENGTH, st.floats(-math.pi, math.pi), LENGTH, LENGTH)
def test_what_leads_onto_the_table_is_undone_by_the_way_back(
    x: float, y: float, turn: float, across: float, down: float
) -> None:
    frame = frame_around((x, y), turn, 63.5, 88.0)
    there = frame.to_table(np.array([[across, down]]))
    assert frame.from_table(there)[0] == pytest.approx((across, down), abs=1e-9)


def test_corners_are_told_clockwise_from_the_frames_own_top_left() -> None:
    upside_down = frame_around((10.0, 20.0), math.pi, 60.0, 80.0)
    assert upside_down.corners == pytest.approx(np.array([[40, -20], [-20, -20], [-20, 60], [40, 60]]), abs=1e-9)


NOISE = np.random.default_rng(3).integers(0, 256, (360, 640, 3)).astype(np.uint8)
ABOVE = Pose(np.array([math.pi, 0.05, 0.0]), np.array([0.0, 0.0, 700.0]), 540.0, -0.05, (640, 360))


@settings(deadline=None, max_examples=60)
@given(LENGTH, LENGTH, st.floats(-math.pi, math.pi), st.sampled_from((0.4, 1.0, 2.0)), st.booleans())
def test_a_piece_is_what_the_whole_picture_shows_there(
    x: float, y: float, turn: float, scale: float, grey: bool
) -> None:
    """Within the picture, at its edge and beyond it, however much smaller or larger it is cut."""
    picture = np.ascontiguousarray(NOISE[..., 0]) if grey else NOISE
    frame = frame_around((x, y), turn, 63.5, 88.0)

    piece, inside = cut(picture, ABOVE, frame, scale)

    at = places(ABOVE, frame, scale)
    across, down = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
    # A place half a code from the next one may be rounded either way.
    there = cv2.remap(picture, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    assert cv2.absdiff(piece, there).max() <= 1
    assert np.array_equal(inside, (across > 2) & (down > 2) & (across < 637) & (down < 357))
