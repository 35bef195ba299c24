"""One game of each habit, with tables read as they lie: what the referee makes of it."""

from __future__ import annotations

import pytest

from host.bench.habits import HABITS, drawn, faults


@pytest.mark.parametrize("kind", sorted(HABITS))
def test_a_game_with_that_habit_is_followed_rightly(kind: str) -> None:
    assert faults(drawn(kind, 0)) == []
