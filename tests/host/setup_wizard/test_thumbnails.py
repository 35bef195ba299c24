"""One small picture of each camera: taken and let go of, not oftener than worth while, and none where none comes."""

from __future__ import annotations

import sys

import cv2
import numpy as np
import pytest

from engine.failure import BadInput, Failure
from host.setup_wizard.cameras import FRESH_SECONDS, SHOWN_WIDTH, WARM_UP, Camera, Thumbnails, check_camera
from vision.types import Picture


class Webcam:
    """Dark at first, as webcams are, then grey."""

    def __init__(self) -> None:
        self.grabbed, self.closed = 0, False

    def grab(self) -> Picture | None:
        self.grabbed += 1
        return np.full((720, 1280, 3), 0 if self.grabbed < WARM_UP else 120, np.uint8)

    def close(self) -> None:
        self.closed = True


def test_a_camera_is_opened_for_one_picture_and_let_go_of() -> None:
    opened: list[Webcam] = []
    now = [0.0]

    def opener(number: int) -> Webcam:
        opened.append(Webcam())
        return opened[-1]

    thumbnails = Thumbnails(opener, lambda: now[0])
    jpeg = thumbnails.jpeg(0)
    assert jpeg is not None
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (180, SHOWN_WIDTH, 3)
    assert picture.mean() > 100, "the first, dark pictures are passed over"
    assert opened[0].closed

    # Asked again at once, the same picture is shown; a little later another one is taken.
    assert thumbnails.jpeg(0) == jpeg
    assert len(opened) == 1
    now[0] = FRESH_SECONDS + 0.1
    thumbnails.jpeg(0)
    assert len(opened) == 2


def test_a_camera_that_cannot_be_opened_has_no_picture() -> None:
    def opener(number: int) -> Webcam:
        raise Failure("camera-closed", "it cannot be opened")

    assert Thumbnails(opener, lambda: 0.0).jpeg(3) is None


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells which cameras there are")
def test_a_number_that_no_camera_has_is_told_with_those_that_are_there() -> None:
    there = (Camera(0, "Webcam"), Camera(2, "HDMI"))
    with pytest.raises(BadInput) as refused:
        check_camera("7", lambda: there)
    assert (refused.value.message, refused.value.remedy) == (
        "There is no camera 7.",
        "These are there: 0 (Webcam), 2 (HDMI).",
    )
    for none in ("0", "9" * 5000):
        with pytest.raises(BadInput, match=f"There is no camera {none}"):
            check_camera(none, tuple)
    for good in ("2", "film.mp4", "http://phone/video"):
        check_camera(good, lambda: there)
