"""Medians and quantiles of plain numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry.quantile import median, quantile

numbers = st.lists(st.floats(-100, 100, width=32), min_size=2, max_size=60)


@given(numbers, st.floats(0, 1))
def test_a_quantile_is_the_one_that_numpy_tells(values: list[float], share: float) -> None:
    row = np.array(values, np.float32)
    assert quantile(row, share) == pytest.approx(float(np.quantile(row.astype(np.float64), share)), abs=1e-3)


@given(numbers)
def test_a_median_is_the_one_that_numpy_tells(values: list[float]) -> None:
    row = np.array(values, np.float32)
    assert median(row) == pytest.approx(float(np.median(row.astype(np.float64))), abs=1e-3)
