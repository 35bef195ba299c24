"""The bars stand where the reader and the builder both think they do, and outside what the reader watches."""

from __future__ import annotations

import numpy as np
import pytest
from kit import dimensions
from kit.check import Check
from kit.clearances import clearances

from vision.geometry import bars as bar_places
from vision.geometry.table import BOARD, BOARD_X, CARD, MAT, WATCHED


def test_the_kit_and_the_reader_measure_the_same_table() -> None:
    assert (dimensions.MAT, dimensions.BOARD, dimensions.BOARD_X, dimensions.CARD) == (MAT, BOARD, BOARD_X, CARD)
    assert dimensions.WATCHED == WATCHED
    assert bar_places.HEIGHT == dimensions.CONSOLE_HEIGHT
    assert (bar_places.LIGHTS, bar_places.LIGHT_PITCH) == (dimensions.LIGHTS, dimensions.LIGHT_PITCH)


def test_the_kit_and_the_reader_put_the_bars_in_the_same_place() -> None:
    pairs = [*zip(bar_places.bars(), dimensions.bars(), strict=True), (bar_places.console(), dimensions.console())]
    for reader, kit in pairs:
        sides = ("left", "near", "right", "far")
        assert np.allclose([getattr(reader, side) for side in sides], [getattr(kit, side) for side in sides])


def test_the_kit_and_the_reader_mark_the_lanes_alike() -> None:
    mark = bar_places.LANE_MARK
    assert (mark.aside, mark.out) == dimensions.MAT_LANE_MARK
    assert (mark.diameter, mark.pitch) == (dimensions.MAT_LANE_MARK_DOT, dimensions.MAT_LANE_MARK_PITCH)
    assert mark.tongue == dimensions.TONGUE[0]


def test_turned_by_half_a_turn_the_console_stands_at_the_left() -> None:
    left = bar_places.bars("left")
    assert [round(-bar.left, 6) for bar in reversed(left)] == [round(bar.right, 6) for bar in bar_places.bars()]
    assert left[0].left < left[1].left < left[2].left, "the left lane's bar stays the left one"


def test_a_bar_has_its_nine_lights_around_the_boards_middle_line() -> None:
    for bar in bar_places.bars():
        centres = bar_places.light_centres(bar)
        assert len(centres) == 9
        assert centres[4][1] == pytest.approx(0.0)
        assert all(bar.left < x < bar.right and bar.near < y < bar.far for x, y in centres)


@pytest.mark.parametrize("check", clearances(), ids=lambda check: check.name)
def test_everything_has_room(check: Check) -> None:
    assert check.holds, check.found


def test_a_console_moved_onto_the_watched_table_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dimensions, "CONSOLE_AT", (215.0, dimensions.CONSOLE_AT[1]))
    failed = {check.name for check in clearances() if not check.holds}
    assert {"console to the watched area"} <= failed
