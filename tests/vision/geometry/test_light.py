"""A veil of light over the whole table: seen by what it does to the boards' print, and taken off."""

from __future__ import annotations

import numpy as np
import pytest

from vision.geometry.light import (
    Veil,
    contrast,
    darkest,
    gains_from_pairs,
    root_table,
    shrunk,
    to_linear,
    to_tone,
    unveiled,
    veil_over,
)
from vision.types import Floats, Tones

FULL = np.full(3, 255, np.uint8)
BLACK = np.full(3, 0.5)
"""Darkest light of a picture that tells nothing of the veil."""
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
    veil = veil_over([(seen, tones(KNOWN))] * 3, FULL, BLACK)
    # Then it is found, the white balance is the lamp's again, and all of the contrast is there
    assert veil is not None
    assert veil.light == pytest.approx(ROOM, abs=0.015)
    clear = unveiled(seen, veil)
    gains, _ = gains_from_pairs(clear, tones(KNOWN))
    assert gains == pytest.approx(1 / (0.7 * LAMP), rel=0.05)
    assert contrast(clear, tones(KNOWN), gains) > 0.95


@pytest.mark.parametrize("left", [0.6, 0.3])
def test_a_veil_that_the_camera_adds_to_its_codes_is_taken_off(left: float) -> None:
    # Given boards' print of which a camera's own processing leaves a part of the contrast
    seen = np.asarray(tones(KNOWN * 0.7 * LAMP) * left + 0.8 * (1 - left), dtype=np.float32)
    # When the veil is taken off
    veil = veil_over([(seen, tones(KNOWN))] * 3, FULL, np.ones(3))
    assert veil is not None
    clear = unveiled(seen, veil)
    # Then dark and light print is as it was
    gains, error = gains_from_pairs(clear, tones(KNOWN))
    assert error < 0.03
    assert contrast(clear, tones(KNOWN), gains) > 0.93


def test_a_clear_picture_has_no_veil() -> None:
    assert veil_over([(tones(KNOWN * 0.7 * LAMP), tones(KNOWN))] * 3, FULL, BLACK) is None


def test_what_shines_on_one_board_or_lies_on_it_is_no_veil() -> None:
    clear, covered = tones(KNOWN * LAMP), KNOWN * LAMP
    covered[:400] = 0.35
    shining = tones(KNOWN * LAMP + ROOM)
    assert veil_over([(shining, tones(KNOWN)), (clear, tones(KNOWN)), (shining, tones(KNOWN))], FULL, BLACK) is None
    assert veil_over([(tones(covered), tones(KNOWN))] * 3, FULL, BLACK) is None


def test_a_veil_is_no_lighter_than_the_darkest_ink() -> None:
    # Given a picture with a dark spot, in which boards' print says that more light was added than is there
    picture = np.full((540, 960, 3), 150, np.uint8)
    picture[100:140, 200:240] = 60
    least = darkest(shrunk(picture))
    assert least == pytest.approx(to_linear(np.full(3, 60 / 255.0)), rel=0.05)
    seen = tones(KNOWN * 0.7 * LAMP + ROOM)
    # Then no more is taken off than the spot's
    veil = veil_over([(seen, tones(KNOWN))] * 3, FULL, least)
    assert veil is not None
    assert veil.light == pytest.approx(0.9 * least, rel=0.01)


def test_light_is_counted_from_the_veil_on() -> None:
    table = root_table(np.ones(3), Veil(np.full(3, float(to_linear(60 / 255.0)))))
    assert table[:61].max() < 1e-6
    assert table[255] == pytest.approx(np.sqrt(1 - to_linear(60 / 255.0)), abs=1e-6)
