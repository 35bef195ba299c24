"""A stream address, as an old phone serves it: MJPEG over HTTP, through the real decoder."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing

import cv2
import numpy as np
import pytest

from tests.stream_server import StreamServer
from vision.sources import Frame, Trouble, open_source


@pytest.fixture
def phone() -> Iterator[StreamServer]:
    rng = np.random.default_rng(1)

    def jpeg() -> bytes:
        picture = rng.integers(60, 190, (36, 64, 3)).astype(np.uint8)
        picture = cv2.resize(picture, (1280, 720), interpolation=cv2.INTER_CUBIC)
        return cv2.imencode(".jpg", picture)[1].tobytes()

    made = StreamServer(jpeg, 0.03)
    yield made
    made.close()


def test_a_phone_streams_and_is_missed_when_it_goes(phone: StreamServer) -> None:
    limit = time.monotonic() + 60
    frames = 0
    with closing(open_source(phone.address)) as source:
        for item in source:
            assert time.monotonic() < limit
            if isinstance(item, Frame):
                frames += 1
                assert item.image.shape == (720, 1280, 3)
                if frames == 3:
                    phone.close()
            elif frames >= 3 and isinstance(item, Trouble) and item.code in ("camera-gone", "camera-stuck"):
                # A machine that is busy may miss the first pictures for a while; that is told too, and mends itself.
                assert item.remedy
                return
    pytest.fail("the lost stream was never told")
