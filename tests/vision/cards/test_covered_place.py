"""A sheet, a leaflet or a cloth over a place hides its cards; a lamp's shine on the table does not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.names import SEATS, THEATERS
from engine.places import PLACES, Place
from vision.cards.bare_table import PartLook, TableLook
from vision.cards.column import column_frame
from vision.cards.covered_place import covered
from vision.geometry.rectify import TableArea
from vision.geometry.table import BOARD, BOARD_X

AREAS: dict[Place, TableArea] = {
    (theater, seat): column_frame(TableArea((x - BOARD[0] / 2, BOARD[1] / 2), 0.0, *BOARD), seat)
    for theater, x in zip(THEATERS, BOARD_X, strict=True)
    for seat in SEATS
}
"""Where the columns lie on a table with the boards in the order of the theaters."""
Looks = dict[Place, tuple[TableLook, PartLook]]
"""How the table looks beside each column, and how the place for its first card does."""


def hidden(at: Place, looks: Looks) -> bool:
    return covered(at, (looks[at][1],), {place: look for place, (look, _) in looks.items()}, AREAS)


def part(light: float = 0.4, blue: float = 0.0, spread: float = 0.01, grain: float = 0.0) -> PartLook:
    """A part of a table of one colour: its root of light, by how much its first channel is lighter than the others
    (logarithm), how far apart its quartiles are, and what share of its light changes within a few millimetres."""
    hues = tuple((hue - spread, hue, hue + spread) for hue in (2 * blue / 3, -blue / 3, -blue / 3))
    # Stripes of 4 mm, of whose light as much is left as a mean over 5 mm leaves.
    stripes = 1 + 1.5 * grain * np.sign(np.sin(np.arange(80) * np.pi / 4 + 0.1))
    tones = np.broadcast_to((light * np.sqrt(stripes))[:, None, None], (80, 14, 3)).astype(np.float32)
    return PartLook((light - spread, light, light + spread), hues, 50.0, tones)


def even(look: PartLook) -> Looks:
    return {place: (TableLook((look, look)), look) for place in PLACES}


def under(looks: Looks, sheet: PartLook, *places: Place, beside: tuple[Place, int]) -> Looks:
    """The same table with a sheet over some places and one side of another."""
    place, side = beside
    look, own = looks[place]
    torn = (sheet, look.sides[1]) if side == 0 else (look.sides[0], sheet)
    lain_on: Looks = {at: (replace(looks[at][0], sides=(sheet, sheet)), sheet) for at in places}
    return {**looks, **lain_on, place: (replace(look, sides=torn), own)}


@pytest.mark.parametrize(
    ("sheet", "hides"),
    [
        (part(0.8), True),
        (part(0.2), True),
        (part(0.4, blue=0.15), True),
        (part(0.44), False),
        (part(0.36), False),
        (part(0.4, blue=0.03), False),
    ],
    ids=["paper", "dark cloth", "a bluer one", "a little lighter", "a little darker", "noise"],
)
def test_what_lies_over_a_place_is_not_the_table_that_is_seen_beside_the_others(sheet: PartLook, hides: bool) -> None:
    """It reached to the side of the next column, and the place was empty for certain: no lighter than all of that."""
    looks = under(even(part()), sheet, ("S", "far"), beside=(("L", "far"), 0))
    assert hidden(("S", "far"), looks) == hides
    assert not any(hidden(place, looks) for place in PLACES if place != ("S", "far"))


@pytest.mark.parametrize("light", [0.27, 0.28, 0.55])
@pytest.mark.parametrize("blue", [0.0, 0.01])
def test_a_sheet_that_reaches_to_the_columns_on_both_sides_is_no_lamps_light(light: float, blue: float) -> None:
    """Dark sheets of a mat's hue lay over cards, and the places were empty for certain: a light that falls off from the
    one player to the other would have left as much of the table unexplained as one that is even."""
    # Given a sheet of the table's hue over the middle place of a player and on one side of both others
    looks = under(even(part(0.4)), part(light, blue), ("L", "far"), beside=(("S", "far"), 1))
    looks = under(looks, part(light, blue), beside=(("A", "far"), 0))
    # Then the place is hidden, and no other one is
    assert [place for place in PLACES if hidden(place, looks)] == [("L", "far")]


def test_a_leaflet_over_two_places_hides_both() -> None:
    looks = under(even(part()), part(0.8, blue=0.1), ("A", "near"), ("L", "near"), beside=(("S", "near"), 0))
    assert [place for place in PLACES if hidden(place, looks)] == [("A", "near"), ("L", "near")]


def test_a_page_of_text_hides_as_much_as_a_blank_one() -> None:
    """A fourth of it is no lighter than the table."""
    page = replace(part(0.75), light=(0.38, 0.7, 0.75))
    assert hidden(("S", "far"), under(even(part()), page, ("S", "far"), beside=(("L", "far"), 0)))


@given(
    across=st.floats(-0.15, 0.15),
    along=st.floats(-0.15, 0.15),
    warmer=st.floats(-0.03, 0.03),
    bare=st.sampled_from(PLACES),
)
def test_a_lamp_at_one_end_of_the_table_covers_none(across: float, along: float, warmer: float, bare: Place) -> None:
    """The logarithm of the root of light changes evenly, by up to 0.15 a decimetre each way: by 2.5 times in all."""

    def lit(x: float, y: float) -> PartLook:
        return part(0.4 * float(np.exp((across * x + along * y) / 100)), blue=warmer * x / 100)

    looks: Looks = {}
    for place, area in AREAS.items():
        (left, right, middle) = area.to_table(
            np.array([[7.0, 100.0], [area.width - 7.0, 100.0], [area.width / 2, 55.0]])
        )
        looks[place] = (TableLook((lit(*left), lit(*right))), replace(lit(*middle), middle=55.0))
    assert not hidden(bare, looks)


def test_where_a_lamp_shines_on_bare_wood_its_grain_is_seen() -> None:
    """The empty place in a lamp's shine was in doubt, three times as light as all others."""
    wood, shine = part(0.4, grain=0.05), part(0.65, blue=-0.1, grain=0.05 * 0.4**2 / 0.65**2)
    assert not hidden(("S", "far"), under(even(wood), shine, ("S", "far"), beside=(("L", "far"), 0)))
    # A sheet has none, and a cloth another one.
    for sheet in (part(0.65, blue=-0.1), part(0.65, blue=-0.1, grain=0.1)):
        assert hidden(("S", "far"), under(even(wood), sheet, ("S", "far"), beside=(("L", "far"), 0)))


def test_fields_of_a_printed_mat_are_not_lighter_than_all_of_the_others() -> None:
    printed = {
        place: (replace(look, colours=(np.ones(3, np.float32),), several_colours=0.3), own)
        for place, (look, own) in even(part(0.4, spread=0.2)).items()
    }
    field = part(0.6, spread=0.1)
    assert not hidden(("S", "far"), under(printed, field, ("S", "far"), beside=(("L", "far"), 0)))
    # On a mat of one colour it would hide a card.
    assert hidden(("S", "far"), under(even(part(0.4)), field, ("S", "far"), beside=(("L", "far"), 0)))


def test_half_of_a_place_tells_on_a_table_of_one_colour() -> None:
    """A card may lie half beside its column; of a mat with fields a half may be one."""
    at: Place = ("S", "far")
    half = part(0.7)
    plain = {place: look for place, (look, _) in even(part()).items()}
    parts = (part(), part(), half)
    assert covered(at, parts, plain, AREAS)
    patterned = {place: replace(look, several_colours=0.3) for place, look in plain.items()}
    assert not covered(at, parts, patterned, AREAS)


def test_a_mat_may_have_a_field_for_each_board() -> None:
    fields = {"A": part(0.5, blue=0.3), "L": part(0.3, blue=-0.2), "S": part(0.4, blue=0.6)}
    looks = {place: (TableLook((fields[place[0]],) * 2), fields[place[0]]) for place in PLACES}
    assert not any(hidden(place, looks) for place in PLACES)
    leaflet = under(looks, part(0.8), ("S", "far"), beside=(("L", "far"), 0))
    # Nothing tells then which of both is the mat.
    assert [place for place in PLACES if hidden(place, leaflet)] == [("S", "near"), ("S", "far")]


def test_two_columns_are_too_few_to_tell() -> None:
    looks = under(even(part()), part(0.9), ("S", "far"), beside=(("L", "far"), 0))
    seen: tuple[Place, ...] = (("S", "far"), ("S", "near"), ("L", "near"))
    few = {place: looks[place] for place in seen}
    assert not hidden(("S", "far"), few)
