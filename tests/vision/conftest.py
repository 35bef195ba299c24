"""What the reader's tests share: a simulated deck and the golden one, learnt from their photographs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.learnt_deck import learnt_once
from vision.enrolment.enrol import PHOTOS
from vision.picture_file import open_picture
from vision.profile import DeckProfile
from vision.simulate import Deck, SimulatedCamera, print_deck
from vision.tracking.reader import Reader
from vision.types import Picture


@pytest.fixture(scope="session")
def deck() -> Deck:
    return print_deck("bright", 1)


@pytest.fixture(scope="session")
def photos(deck: Deck) -> dict[str, Picture]:
    return SimulatedCamera("bright", 1, condition="day", deck=deck).enrolment_photos()


@pytest.fixture(scope="session")
def profile(photos: dict[str, Picture], tmp_path_factory: pytest.TempPathFactory) -> DeckProfile:
    return learnt_once(tmp_path_factory, "bright-1", lambda: photos)


@pytest.fixture(scope="session")
def reader(profile: DeckProfile) -> Reader:
    return Reader(profile)


@pytest.fixture(scope="session")
def dunes_profile(dunes: Path, tmp_path_factory: pytest.TempPathFactory) -> DeckProfile:
    photos = {name: open_picture(dunes / f"enroll-{name}.jpg") for name in PHOTOS}
    return learnt_once(tmp_path_factory, "dunes", lambda: photos)
