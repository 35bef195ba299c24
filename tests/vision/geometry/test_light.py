"""A veil of light over the whole table: seen by what it does to the boards' print, and taken off."""

from __future__ import annotations

import numpy as np
import pytest

from vision.geometry.light import contrast, gains_from_pairs, root_table, to_linear, to_tone, unveiled, veil_over
from vision.types import Floats, Tones

FULL = np.full(3, 255, np.uint8)
KNOWN: Floats = np.random.default_rng(3).uniform(0.01, 0.8, (1500, 3))
LAMP = np.array([0.5, 0.8, 0.95])
ROOM = np.array([0.14, 0.10, 0.06])
"""A bluish window shines into the lens under a yellow lamp."""


def tones(light: Floats) -> Tones:
    noisy = np.sqrt(light) + np.random.default_rng(4).normal(0, 0.01, light.shape)
    return np.asarray(to_tone(np.maximum(noisy, 0) ** 2), dtype=np.float32)


def test_a_coloured_veil_is_found_and_taken_off() -> None:
    # Given boards' print under a lamp and a veil of another colour
    seen = tones(KNOWN * 0.7 * LAMP + ROOM)
    # When the veil is looked for
    veil = veil_over(seen, tones(KNOWN), FULL)
    # Then it is found, the white balance is the lamp's again, and all of the contrast is there
    assert veil == pytest.approx(ROOM, abs=0.01)
    assert veil is not None
    clear = unveiled(seen, veil)
    gains, _ = gains_from_pairs(clear, tones(KNOWN))
    assert gains == pytest.approx(1 / (0.7 * LAMP), rel=0.04)
    assert contrast(clear, tones(KNOWN), gains) > 0.95


def test_a_clear_picture_has_no_veil() -> None:
    assert veil_over(tones(KNOWN * 0.7 * LAMP), tones(KNOWN), FULL) is None


def test_a_card_in_one_half_of_a_board_is_no_veil() -> None:
    seen = KNOWN * LAMP
    seen[:400] = 0.35
    assert veil_over(tones(seen), tones(KNOWN), FULL) is None


def test_light_is_counted_from_the_veil_on() -> None:
    table = root_table(np.ones(3), np.full(3, float(to_linear(60 / 255.0))))
    assert table[:61].max() < 1e-6
    assert table[255] == pytest.approx(np.sqrt(1 - to_linear(60 / 255.0)), abs=1e-6)
