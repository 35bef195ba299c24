"""What the reader's tests share: a simulated deck and the golden one, learnt from their photographs."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from vision.enrolment.enrol import PHOTOS, enrol
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
def profile(photos: dict[str, Picture]) -> DeckProfile:
    return enrol(photos["air"], photos["land"], photos["sea"], photos["back"])


@pytest.fixture(scope="session")
def reader(profile: DeckProfile) -> Reader:
    return Reader(profile)


@pytest.fixture(scope="session")
def dunes_profile(dunes: Path) -> DeckProfile:
    images = [cv2.imread(str(dunes / f"enroll-{name}.jpg")) for name in PHOTOS]
    return enrol(*images)
