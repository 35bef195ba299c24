"""A dark back on a dark back has an upper edge that is fainter than what makes an edge elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.cards.drawn_column import as_column, photographed
from vision.cards.candidates import by_edges, by_end
from vision.cards.column import LENGTH, WIDTH, Column
from vision.cards.outline import SNAP, cards, ends_there, faint_cards, snapped
from vision.cards.table_beside import ABOVE, SIDE
from vision.cards.templates import CARD_W, FINE, Bank
from vision.geometry.align import Placed
from vision.profile import DeckProfile
from vision.types import Tones

FIRST, SECOND = 20.0, 46.0
"""Where the two upper edges lie, mm."""


def two_dark_backs(shade: float) -> Tones:
    """Two backs of one dark colour on a light table, at `MIDDLE`; where the upper one begins, it is darker by
    `shade`."""
    tones = np.full((200, 123, 3), 0.9, np.float32)
    tones[round(FIRST) : round(SECOND) + 88, 30:93] = 0.27
    tones[round(SECOND) : round(SECOND) + 3, 30:93] -= shade
    generator = np.random.default_rng(3)
    return np.asarray(tones + generator.normal(0.0, 0.003, tones.shape), dtype=np.float32)


def top_of(place: Placed) -> float:
    return place.point(CARD_W / 2, 0.0)[1] / FINE


def test_the_upper_edge_of_a_dark_back_on_a_dark_back_is_seen() -> None:
    tones = two_dark_backs(0.03)
    clear = [place for _, place in cards(tones, 14, ABOVE)]
    assert any(top_of(place) == pytest.approx(FIRST, abs=1.5) for place in clear)
    assert not any(abs(top_of(place) - SECOND) < 4 for place in clear)
    faint = faint_cards(tones, 24, clear)
    assert any(top_of(place) == pytest.approx(SECOND, abs=4.0) for _, place in faint)


def test_no_faint_edge_is_seen_where_a_back_shows_nothing_but_its_own_colour() -> None:
    tones = two_dark_backs(0.0)
    clear = [place for _, place in cards(tones, 14, ABOVE)]
    assert not any(abs(top_of(place) - SECOND) < 6 for _, place in faint_cards(tones, 24, clear))


def test_an_outline_is_laid_on_edges_that_are_near_it() -> None:
    # Turned, its upper edge lies beyond what is looked at: the parabola through the end of that has its top anywhere.
    tones = two_dark_backs(0.03)
    for turn in np.radians(np.arange(-10, 11, 1)):
        for off in np.arange(-6.0, 6.1, 0.5):
            start = Placed(30.0 * FINE, (FIRST + float(off)) * FINE, float(turn))
            _, there = snapped(tones, start)
            assert abs(top_of(there) - top_of(start)) < SNAP + 1.5


def back_on_table(end: float) -> Tones:
    """A back on a table that is lighter beside it than below it, where it is darker than it by `end`, at `MIDDLE`."""
    tones = np.full((200, 123, 3), 0.75, np.float32)
    tones[round(FIRST) : round(FIRST) + 88, 30:93] = 0.5
    tones[round(FIRST) + 88 :, 33:90] = 0.5 + end
    generator = np.random.default_rng(3)
    return np.asarray(tones + generator.normal(0.0, 0.002, tones.shape), dtype=np.float32)


@pytest.mark.parametrize(("end", "down", "seen"), [(0.25, 0, True), (0.05, 0, True), (0.05, 9, False), (0.0, 0, False)])
def test_a_faint_lower_edge_ends_a_card_whose_sides_are_seen_down_to_it(end: float, down: int, seen: bool) -> None:
    """A white back on a light mat was left in doubt for it: it might be a repeating back's upper part."""
    tones = back_on_table(end)
    assert ends_there(tones, Placed(30.0 * FINE, (FIRST + down) * FINE, 0.0)) is seen


def test_a_faint_line_to_which_no_sides_lead_ends_no_card() -> None:
    tones = back_on_table(0.05)
    last = round(FIRST) + 88
    tones[last - 20 : last, :30], tones[last - 20 : last, 93:] = 0.5, 0.5
    assert not ends_there(tones, Placed(30.0 * FINE, FIRST * FINE, 0.0))


def dark_back_on_a_dark_picture() -> Column:
    """A card whose header is light and whose picture is dark, 6 mm below the board, and 25 mm further down a dark back:
    3 mm of the picture show above it, hardly lighter than it is."""
    patch = np.full((round((ABOVE + LENGTH) * FINE), round(WIDTH * FINE), 3), 95, np.uint8)
    patch[: round(ABOVE * FINE)] = 200
    left, right = round(SIDE * FINE), round((SIDE + 63) * FINE)
    for down, tall, shade in ((6, 22, 225), (28, 66, 46), (31, 88, 43)):
        top = round((ABOVE + down) * FINE)
        patch[top : top + round(tall * FINE), left:right] = shade
    return as_column(photographed(patch))


def test_a_card_whose_end_is_seen_is_found_where_its_upper_edge_is_taken_to_be_a_pictures(profile: DeckProfile) -> None:
    """A dark back under a lamp was laid on the end of the header above it, 3 mm too high, where no end was seen of it:
    how many cards lay there was in doubt."""
    bank, column = Bank(profile), dark_back_on_a_dark_picture()

    tops = {
        search.__name__: [top_of(one.place) - ABOVE for one in search(bank, column)] for search in (by_edges, by_end)
    }

    assert any(top == pytest.approx(28.0, abs=1.0) for top in tops["by_edges"])
    assert not any(top == pytest.approx(31.0, abs=1.0) for top in tops["by_edges"])
    assert any(top == pytest.approx(31.0, abs=1.0) for top in tops["by_end"])
