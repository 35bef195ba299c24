"""Evenings of simulated players whose tables are read as they lie: what the referee makes of them."""

from __future__ import annotations

import pytest

from engine.places import PLACES
from engine.sight import sight_of
from host.bench.evenings import Count, follow
from host.session.tracker import StillTableWatcher
from host.simulation.careless_players import POLITE, LyingTable, Rates


def ideal_watcher() -> StillTableWatcher[LyingTable]:
    """Reads each table as it lies, and surely."""
    return StillTableWatcher(lambda lying: sight_of(dict(zip(PLACES, lying.table, strict=True)), lying.order))


@pytest.mark.parametrize("seed", range(4))
def test_polite_players_are_asked_nothing_and_accused_of_nothing(seed: int) -> None:
    count = Count()
    follow(seed, POLITE, ideal_watcher(), count)
    assert count.right == count.battles > 0
    assert count.questions == 0 and not count.alarms


@pytest.mark.parametrize("seed", range(6))
def test_careless_players_get_the_points_that_they_played_for(seed: int) -> None:
    count = Count()
    follow(seed, Rates(), ideal_watcher(), count)
    assert count.wrong == [] and count.told == count.mistakes
