"""One browser for each file of tests, with no page left open from one test to the next; a game that is shown; and a
deck that a simulated camera photographs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.page_checks import chromium
from tests.host.conftest import Played
from tests.learnt_deck import learnt_once
from vision.profile import DeckProfile
from vision.simulate import SimulatedCamera


@pytest.fixture(scope="module")
def started_browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture
def browser(started_browser: Any) -> Iterator[Any]:
    yield started_browser
    for context in started_browser.contexts:
        context.close()


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Played]:
    made = Played(tmp_path / "log.db", "revised")
    yield made
    made.log.close()


@pytest.fixture(scope="session")
def simulated_deck(tmp_path_factory: pytest.TempPathFactory) -> DeckProfile:
    camera = SimulatedCamera("bright", 4, condition="day")
    return learnt_once(tmp_path_factory, "bright-4", camera.enrolment_photos)
