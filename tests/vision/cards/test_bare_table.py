"""How light the table beside a column is tells whether it is the bare table that is seen there."""

from __future__ import annotations

import pytest

from engine.places import PLACES, Place
from vision.cards.bare_table import Quartiles, TableLook, as_light_as, of_another_hue, unlike_others

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


def looks(hues: dict[Place, float]) -> dict[Place, TableLook]:
    """Tables of one light, of which the first channel is lighter by so much, logarithm of its root of light."""
    out: dict[Place, TableLook] = {}
    for place, more in hues.items():
        first, rest = 2 * more / 3, -more / 3
        spread = [(n - 0.01, n, n + 0.01) for n in (first, rest, rest)]
        out[place] = TableLook((0.4, 0.42, 0.45), tuple(spread))
    return out


EVEN: dict[Place, float] = dict.fromkeys(PLACES, 0.0)
PRINTED: dict[Place, float] = {place: 0.06 * k for k, place in enumerate(PLACES)}
"""A mat whose colours change from place to place."""


@pytest.mark.parametrize(
    ("table", "more", "unlike"),
    [(EVEN, 0.02, False), (EVEN, 0.15, True), (EVEN, -0.15, True), (PRINTED, 0.4, False), (PRINTED, 0.9, True)],
    ids=["noise", "a bluer sheet", "a yellower one", "a printed mat", "a sheet on that"],
)
def test_a_sheet_as_light_as_the_table_has_another_hue(table: dict[Place, float], more: float, unlike: bool) -> None:
    at: Place = ("S", "far")
    assert of_another_hue(at, looks({**table, at: more})) == unlike


def test_too_few_places_tell_nothing() -> None:
    assert not unlike_others(("L", "far"), {("L", "far"): (0.9, 0.9, 0.9), ("L", "near"): (0.1, 0.1, 0.1)})
    assert not as_light_as((0.1, 0.1, 0.1), [(0.1, 0.1, 0.1)])
    assert not of_another_hue(("L", "far"), looks({("L", "far"): 0.5, ("L", "near"): 0.0}))


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
