"""What several tests of columns read."""

from __future__ import annotations

import pytest

from vision.cards.templates import FINE
from vision.geometry.align import Placed
from vision.geometry.rectify import cut
from vision.simulate import EMPTY, Deck, SimulatedCamera
from vision.tracking.reader import Reader
from vision.types import Picture


@pytest.fixture(scope="module")
def single(deck: Deck, reader: Reader) -> tuple[Picture, Placed]:
    """The column of a single A4 by daylight, and where it lies."""
    image = SimulatedCamera("bright", 5, condition="day", deck=deck).still(
        {**EMPTY, ("A", "near"): ("A4",)}, ("A", "L", "S")
    )
    reading = reader.read(image)
    assert reading.registration is not None
    [card] = reading.columns["A", "near"].cards
    return cut(image, reading.registration.pose, reading.frames["A", "near"], FINE)[0], card.place
