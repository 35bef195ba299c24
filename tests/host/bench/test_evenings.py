"""Evenings of simulated players whose tables are read as they lie: what the referee makes of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.places import PLACES
from engine.sight import Sight, sight_of
from host.bench.evenings import Count, follow
from host.session.tracker import CameraNotice
from host.simulation.careless_players import POLITE, LyingTable, Rates


class IdealWatcher:
    """Reads each table as it lies, and surely."""

    def __init__(self) -> None:
        self._told: LyingTable | None = None

    @property
    def still(self) -> bool:
        return True

    def see(self, picture: LyingTable, t: float) -> Sight | None:
        if self._told is picture:
            return None
        self._told = picture
        return sight_of(dict(zip(PLACES, picture.table, strict=True)), picture.order)

    def notices(self) -> Sequence[CameraNotice]:
        return ()

    def forget(self) -> None:
        self._told = None


@pytest.mark.parametrize("seed", range(4))
def test_polite_players_are_asked_nothing_and_accused_of_nothing(seed: int) -> None:
    count = Count()
    follow(seed, POLITE, IdealWatcher(), count)
    assert count.right == count.battles > 0
    assert count.questions == 0 and not count.alarms


@pytest.mark.parametrize("seed", range(6))
def test_careless_players_get_the_points_that_they_played_for(seed: int) -> None:
    count = Count()
    follow(seed, Rates(), IdealWatcher(), count)
    assert count.wrong == [] and count.told == count.mistakes
