"""How light the table beside a column is tells whether it is the bare table that is seen there."""

from __future__ import annotations

import pytest

from engine.places import PLACES, Place
from vision.cards.bare_table import Quartiles, as_light_as, unlike_others

LAMP: dict[Place, Quartiles] = {
    ("L", "near"): (0.12, 0.13, 0.14),
    ("L", "far"): (0.15, 0.16, 0.17),
    ("A", "near"): (0.10, 0.11, 0.12),
    ("A", "far"): (0.12, 0.13, 0.14),
    ("S", "near"): (0.08, 0.09, 0.10),
    ("S", "far"): (0.09, 0.10, 0.11),
}
"""A lamp stands beside Land, on the far side."""


def test_the_place_next_to_a_lamp_is_no_lighter_than_the_others_tell() -> None:
    """The empty places next to it were in doubt on six tables of one room, the lightest of all by a fourth."""
    assert not any(unlike_others(place, LAMP) for place in PLACES)


@pytest.mark.parametrize(("factor", "unlike"), [(1.1, False), (1.6, True), (0.9, False), (0.5, True)])
@pytest.mark.parametrize("place", [("L", "far"), ("S", "near")])
def test_a_sheet_or_a_cloth_over_a_place_makes_it_lighter_or_darker_than_the_others_tell(
    place: Place, factor: float, unlike: bool
) -> None:
    even = dict.fromkeys(PLACES, (0.4, 0.42, 0.45))
    low, middle, high = even[place]
    even[place] = (low * factor, middle * factor, high * factor)
    assert unlike_others(place, even) == unlike


def test_too_few_places_tell_nothing() -> None:
    assert not unlike_others(("L", "far"), {("L", "far"): (0.9, 0.9, 0.9), ("L", "near"): (0.1, 0.1, 0.1)})
    assert not as_light_as((0.1, 0.1, 0.1), [(0.1, 0.1, 0.1)])


def test_two_places_alike_tell_that_no_veil_lies_there_though_a_lamp_makes_the_others_lighter() -> None:
    seen = [(0.53, 0.61, 0.96), (0.74, 0.93, 0.97), (0.58, 0.69, 0.83), (0.42, 0.45, 0.51)]
    assert not as_light_as((0.39, 0.41, 0.45), seen)
    assert as_light_as((0.39, 0.41, 0.45), [*seen, (0.41, 0.44, 0.48)])


def test_a_black_table_is_as_light_as_nothing() -> None:
    """Its root of light is 0, and nothing may be divided by it."""
    black = (0.0, 0.0, 0.0)
    assert not as_light_as((0.4, 0.42, 0.45), [black, black, black])
    assert unlike_others(("L", "far"), {**dict.fromkeys(PLACES, black), ("L", "far"): (0.4, 0.42, 0.45)})
    assert not unlike_others(("L", "far"), dict.fromkeys(PLACES, black))
