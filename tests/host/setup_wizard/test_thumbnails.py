"""One small picture of each camera: taken and let go of, not oftener than worth while, and none where none comes."""

from __future__ import annotations

import cv2
import numpy as np

from engine.failure import Failure
from host.setup_wizard.cameras import FRESH_SECONDS, SHOWN_WIDTH, WARM_UP, Thumbnails
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
