"""A photograph whose colours a filter took away or made stronger is named; one in another light is not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.enrolment.advice import PhotographFailure
from vision.enrolment.enrol import PHOTOS, Photo, assemble, examine
from vision.enrolment.examine import Examined
from vision.simulate import SimulatedCamera
from vision.types import Picture


@pytest.fixture(scope="module")
def photos() -> dict[str, Picture]:
    return SimulatedCamera("bright", 1, condition="day").enrolment_photos()


@pytest.fixture(scope="module")
def examined(photos: dict[Photo, Picture]) -> dict[Photo, Examined]:
    """The photographs as they are, found once for all tests."""
    return {name: examine(photos[name]) for name in PHOTOS}


def coloured(picture: Picture, strength: float) -> Picture:
    """A picture as a filter makes it: 0 is black and white, 1 leaves it."""
    flat = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR).astype(np.float32)
    return np.clip(flat + strength * (picture - flat), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("odd", PHOTOS)
@pytest.mark.parametrize(("strength", "said"), [(0.0, "weaker"), (0.3, "weaker"), (3.0, "stronger")])
def test_a_photograph_through_a_filter_is_named(
    photos: dict[Photo, Picture], examined: dict[Photo, Examined], odd: Photo, strength: float, said: str
) -> None:
    with pytest.raises(PhotographFailure) as caught:
        assemble(examined | {odd: examine(coloured(photos[odd], strength))})
    assert (caught.value.code, caught.value.photograph) == ("colours-differ", odd)
    assert said in str(caught.value)


@pytest.mark.parametrize("strength", [0.75, 1.3])
def test_a_camera_that_colours_one_photograph_a_little_otherwise_is_no_reason_to_refuse(
    photos: dict[Photo, Picture], examined: dict[Photo, Examined], strength: float
) -> None:
    assemble(examined | {"land": examine(coloured(photos["land"], strength))})


def test_a_camera_without_colours_is_not_refused_for_one_photograph(photos: dict[Photo, Picture]) -> None:
    """All four are alike, so none is the odd one; what cannot be told without colour the rehearsal says."""
    assert len(assemble({name: examine(coloured(photos[name], 0.0)) for name in PHOTOS}).faces) == 19
