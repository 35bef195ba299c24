"""A rectangle of the table, and the way from its own millimetres to those of the table and back."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry.rectify import frame_around

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
