"""On a patterned mat an empty place is a claim, too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.names import THEATERS, Face
from engine.places import Place
from engine.sight import Sight
from host.bench.drawn import random_table
from tests.vision.cards.drawn_column import as_column, photographed
from vision.cards.bare_table import PartLook, TableLook, colours_elsewhere, look_of, patterned_all_over
from vision.cards.candidates import Candidate
from vision.cards.chain import Chain
from vision.cards.read_column import read_column
from vision.cards.table_beside import ABOVE
from vision.cards.templates import CARD_H, CARD_W, FINE, Bank
from vision.cards.unexplained import unexplained
from vision.enrolment.rehearsal import deck_as_learnt
from vision.geometry.align import Placed
from vision.profile import DeckProfile
from vision.simulate import ROOMS, SimulatedCamera, varied_room
from vision.tracking.reader import Reader
from vision.types import Picture

BOTH, ONE, NONE = (128, 78, 150), (168, 116, 110), (126, 150, 92)
"""Colours of a gingham cloth, BGR: where two of its stripes cross, where one runs, and where none does."""

Board = dict[Place, tuple[Face, ...]]


def drawn(profile: DeckProfile, seed: int, table: int = 0) -> tuple[Picture, Board]:
    """A picture of one of the tables that are drawn so with the golden deck on a checked mat, and what lies there."""
    rng = np.random.default_rng([seed, list(ROOMS).index("checked"), *map(ord, "dunes")])
    condition, _ = varied_room("checked", rng)
    camera = SimulatedCamera(seed=int(rng.integers(1, 1 << 30)), condition=condition, deck=deck_as_learnt(profile))
    for _ in range(table + 1):
        truth = random_table(rng, bool(rng.random() < 0.12))
        order = tuple(str(theater) for theater in rng.permutation(list(THEATERS)))
        camera.clear()
        picture = camera.still(truth, order)
    return picture, truth


def test_cards_on_a_checked_mat_in_dim_light_are_no_empty_place(dunes_profile: DeckProfile) -> None:
    """An L3 under a back: their explanation left more in doubt than that nothing lies there, which was then certain,
    though something was seen that the bare table does not show."""
    picture, truth = drawn(dunes_profile, seed=1046, table=2)
    sight: Sight = Reader(dunes_profile).read(picture).sight
    assert dict(sight.board) == truth
    assert sight.board["A", "far"] == ("L3", "-")


def test_a_mat_whose_pattern_some_columns_hardly_show_is_patterned_all_over(dunes_profile: DeckProfile) -> None:
    """Fields of a checked mat that one colour nearly explained were something that lies on an empty place, while beside
    three other boards the mat was known to have several colours."""
    picture, truth = drawn(dunes_profile, seed=1124)
    reading = Reader(dunes_profile).read(picture)
    assert dict(reading.sight.board) == truth
    assert not truth["L", "near"] and reading.sight.sure
    # What is seen once counts when single places are read again.
    again = Reader(dunes_profile).read(picture, reading, [("L", "near")])
    assert again.sight == reading.sight


def test_a_thing_beside_one_board_makes_no_table_patterned() -> None:
    part = PartLook((0.4, 0.4, 0.4), ((0.0, 0.0, 0.0),) * 3)
    plain, thing = (TableLook((part, part), several_colours=share) for share in (0.0, 0.3))
    assert not patterned_all_over([plain, plain, plain, plain, plain, thing])
    assert patterned_all_over([plain, thing, thing, thing])
    # Beside one board nothing tells whether it is the table that has several colours.
    assert not patterned_all_over([thing])


def gingham(*stripes: int) -> NDArray[np.uint8]:
    """A gingham cloth of which the stripes that run along the column, 22 mm wide, begin so many px from its left."""
    across = np.zeros(248, np.intp)
    for first in stripes:
        across[first : first + 44] = 1
    return np.array([NONE, ONE, BOTH], np.uint8)[(np.arange(60, 620) // 60 % 2)[:, None] + across]


@pytest.mark.parametrize(
    ("known", "lies_there", "told"), [(True, False, False), (False, False, True), (True, True, True)]
)
def test_a_colour_of_the_mat_that_is_seen_beside_another_column_is_no_card(
    known: bool, lies_there: bool, told: bool
) -> None:
    """On gingham cloths places without cards were in doubt: beside a column its stripes may never cross."""
    # Given a column at whose sides no stripe runs along it, and another one at whose sides one does,
    cloth = gingham(56, 140)
    if lies_there:
        # and perhaps a back in the colour that its stripes have where they cross,
        left, top = 62, round((ABOVE + 6) * FINE)
        cloth[top : top + round(CARD_H), left : left + round(CARD_W)] = BOTH
    here, other = as_column(photographed(cloth)), as_column(photographed(gingham(0, 120)))
    looks = {("A", "far"): look_of(here), ("S", "near"): look_of(other)}
    if known:
        here.elsewhere = colours_elsewhere(("A", "far"), looks)
    # then only the back is something, and what crosses there if it is seen nowhere else.
    assert here.patterned and other.patterned
    left_over = unexplained(here, Chain((), 0.0, 99.0), [])
    assert left_over.foreign == told
    assert left_over.hidden or not lies_there


@pytest.mark.parametrize(("known", "on_it", "told"), [(True, False, False), (False, False, True), (True, True, True)])
def test_nor_is_it_one_beyond_the_end_of_a_stack(known: bool, on_it: bool, told: bool) -> None:
    # Given a card in such a column, and perhaps another one in a colour of the cloth that sticks out beyond its end,
    cloth, top = gingham(56, 140), round((ABOVE + 11) * FINE)
    if on_it:
        cloth[top + 60 : top + 60 + round(CARD_H), 62 : 62 + round(CARD_W)] = BOTH
    cloth[top : top + round(CARD_H), 60 : 60 + round(CARD_W)] = (40, 60, 90)
    here, other = as_column(photographed(cloth)), as_column(photographed(gingham(0, 120)))
    looks = {("A", "far"): look_of(here), ("S", "near"): look_of(other)}
    if known:
        here.elsewhere = colours_elsewhere(("A", "far"), looks)
    card = Candidate(0, Placed(60.0, float(top), 0.0), 0.9, 0.9, np.full(88, -1.0, np.float32), None)
    # then only the other card is something.
    left_over = unexplained(here, Chain((card,), -88.0, 88.0), [card])
    assert left_over.foreign == told
    assert left_over.hidden or not on_it


def test_a_plain_table_has_no_colours_elsewhere() -> None:
    part = PartLook((0.4, 0.4, 0.4), ((0.0, 0.0, 0.0),) * 3)
    plain = TableLook((part, part))
    checked = replace(plain, colours=(np.ones(3, np.float32),))
    assert not colours_elsewhere(("A", "far"), {("A", "far"): plain, ("S", "near"): checked})
    assert len(colours_elsewhere(("S", "near"), {("S", "near"): checked, ("L", "near"): checked})) == 1


def fine_stripes(aslant: float) -> NDArray[np.uint8]:
    """A mat with stripes 2.5 mm wide in two colours, which rise by so much of each mm across."""
    across, down = np.meshgrid(np.arange(248), np.arange(560))
    return np.array([(40, 150, 90), (120, 235, 150)], np.uint8)[
        ((down + aslant * across) % (5 * FINE) < 2.5 * FINE).astype(np.intp)
    ]


@pytest.mark.parametrize("aslant", [0.03, 0.8])
def test_fine_stripes_are_a_pattern_and_a_place_on_them_is_empty(profile: DeckProfile, aslant: float) -> None:
    """Taken for the unevenness of one colour they left empty places in doubt, and would have explained every card."""
    # Given a mat with such stripes, and the same mat with something pale on it
    mat = as_column(photographed(fine_stripes(aslant)))
    with_card = fine_stripes(aslant)
    top = round((ABOVE + 6) * FINE)
    with_card[top : top + round(CARD_H), 60 : 60 + round(CARD_W)] = (110, 190, 190)
    covered = as_column(photographed(with_card))
    # Then the mat has its two colours and what lies in between, and nothing lies on it,
    assert mat.patterned
    reading = read_column(Bank(profile), mat)
    assert not reading.cards and not reading.foreign
    # and what lies on the other is seen.
    assert unexplained(covered, Chain((), 0.0, 99.0), []).hidden
