"""The light that boards tell while a lamp's reflection lies on some of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np
import pytest

from engine.names import THEATERS, Theater
from vision.boards.boards import Pairs
from vision.boards.shine import gains_under_shine
from vision.boards.table_light import TableLight, table_light
from vision.geometry.light import NO_VEIL, to_linear, to_tone
from vision.geometry.registration import Registration
from vision.types import Floats, Tones

LIGHT = np.array([0.75, 1.0, 1.3])
"""Factors (BGR) of a warm lamp's light over that in which the boards were learnt."""
COLOURS = {"A": (0.45, 0.2, 0.3), "L": (0.05, 0.08, 0.5), "S": (0.12, 0.4, 0.1)}
"""Light (BGR) of a violet, a red and a green board."""
FULL = np.full(3, 255, np.uint8)


def known_of(theater: Theater) -> Tones:
    """Tones (N, 3) of a board's print."""
    generator = np.random.default_rng(ord(theater))
    ink = generator.uniform(0.3, 1.7, (800, 1)) * np.array(COLOURS[theater]) * generator.uniform(0.8, 1.2, (800, 3))
    return np.asarray(to_tone(ink.clip(0, 1)), dtype=np.float32)


def seen_as(known: Tones, shine: float) -> Tones:
    """What a camera shows of it where a lamp's light is added, over that of white paper."""
    light = (to_linear(known) + shine) * LIGHT * 0.6
    noise = np.random.default_rng(5).normal(0.0, 0.004, light.shape)
    return np.asarray((to_tone(light) + noise).clip(0, 1), dtype=np.float32)


def hue(gains: Floats) -> Floats:
    out: Floats = np.log(gains) - np.log(gains).mean()
    return out


@pytest.mark.parametrize(
    "shine",
    [
        {"A": 0.0, "L": 0.0, "S": 0.0},
        {"A": 0.0, "L": 0.3, "S": 0.0},
        {"A": 0.02, "L": 0.3, "S": 0.2},
        {"A": 0.2, "L": 0.2, "S": 0.2},
    ],
)
def test_what_shines_on_a_board_does_not_change_the_lights_hue(shine: Mapping[Theater, float]) -> None:
    """Where a lamp lay on a red and a green board the light was taken to be half as blue, and six backs were none."""
    halves = [(seen_as(known_of(theater), shine[theater]), known_of(theater)) for theater in THEATERS]
    gains, shines = gains_under_shine(halves, FULL, np.ones(3))
    assert np.abs(hue(gains) - hue(1 / LIGHT)).max() < 0.06
    assert shines == pytest.approx([0.6 * shine[theater] for theater in THEATERS], abs=0.02)


def test_without_points_the_light_is_what_it_was_taken_to_be() -> None:
    black = np.zeros((500, 3), np.float32)
    gains, shines = gains_under_shine([(black, black)], FULL, np.array([1.0, 2.0, 3.0]))
    assert (gains.tolist(), shines) == ([1.0, 2.0, 3.0], [])


def light_over(shine: Mapping[Theater, float], darkest: float) -> TableLight:
    """The light that three boards tell. `darkest`: light of what is darkest in the picture."""
    pairs = {}
    for theater in THEATERS:
        known = known_of(theater)
        far = np.arange(len(known)) % 2 == 0
        pairs[theater] = Pairs(seen_as(known, shine[theater]), known, far)
    small = np.full((90, 160, 3), round(255 * float(to_tone(np.array(darkest)))), np.uint8)
    # Where the boards' light is believed, the tags are not asked.
    return table_light(small, cast(Registration, None), pairs, small, FULL)


def test_cards_beside_boards_on_which_a_lamp_shines_keep_their_colours() -> None:
    light = light_over({"A": 0.01, "L": 0.35, "S": 0.2}, 0.0)
    assert light.veil is NO_VEIL
    assert np.abs(hue(light.gains) - hue(1 / LIGHT)).max() < 0.06


def test_a_veil_over_the_whole_table_is_still_taken_for_one() -> None:
    light = light_over({"A": 0.2, "L": 0.2, "S": 0.2}, 0.12)
    assert light.veil is not NO_VEIL
    assert np.abs(hue(light.gains) - hue(1 / LIGHT)).max() < 0.1
