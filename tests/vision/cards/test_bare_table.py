"""How light the table beside a column is tells whether a veil lies over it."""

from __future__ import annotations

from vision.cards.bare_table import as_light_as


def test_too_few_places_tell_nothing() -> None:
    assert not as_light_as((0.1, 0.1, 0.1), [(0.1, 0.1, 0.1)])


def test_two_places_alike_tell_that_no_veil_lies_there_though_a_lamp_makes_the_others_lighter() -> None:
    seen = [(0.53, 0.61, 0.96), (0.74, 0.93, 0.97), (0.58, 0.69, 0.83), (0.42, 0.45, 0.51)]
    assert not as_light_as((0.39, 0.41, 0.45), seen)
    assert as_light_as((0.39, 0.41, 0.45), [*seen, (0.41, 0.44, 0.48)])


def test_a_black_table_is_as_light_as_nothing() -> None:
    """Its root of light is 0, and nothing may be divided by it."""
    black = (0.0, 0.0, 0.0)
    assert not as_light_as((0.4, 0.42, 0.45), [black, black, black])
