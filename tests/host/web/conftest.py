"""A game that two people with names have begun: the boards lie, and near is first."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.host.conftest import Played, lay


@pytest.fixture
def game(played: Callable[..., Played]) -> Played:
    made = played()
    made.session.begin_war(made.session.rules.from_json({"first": "near", "names": ["Ann", "Bob"]}))
    lay(made)
    return made
