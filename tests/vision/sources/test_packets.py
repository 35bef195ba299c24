"""Pictures of a stream that sends JPEG: what is hostile or damaged is told and never unpacked, nothing else is lost."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import closing

import cv2
import numpy as np
import pytest

from host.bench.soak.hostile_camera import CAMERA_FAULTS, HostileCamera, jpeg
from vision.sources import Frame, Trouble, TroubleOver, open_source
from vision.sources.live import LiveSource
from vision.sources.packets import SpoiltPicture, decode_packet
from vision.types import Picture

FAULT = {fault.name: fault for fault in CAMERA_FAULTS}
LIMIT_S = 60.0


def picture(seed: int, size: tuple[int, int] = (1280, 720)) -> Picture:
    rough = np.random.default_rng(seed).integers(60, 190, (36, 64, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(rough, size, interpolation=cv2.INTER_NEAREST), np.uint8)


def packet(data: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.frombuffer(data, np.uint8).reshape(1, -1)


def test_a_whole_picture_comes_as_it_was_sent() -> None:
    decoded = decode_packet(packet(jpeg(picture(1))))
    assert not isinstance(decoded, SpoiltPicture)
    assert decoded.shape == (720, 1280, 3)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.97])
def test_a_picture_that_is_cut_short_is_torn(share: float) -> None:
    data = jpeg(picture(1))
    assert decode_packet(packet(data[: round(len(data) * share)])) == SpoiltPicture("picture-torn")


@pytest.mark.parametrize("side", [5_001, 65_500])
def test_what_claims_to_be_too_large_is_not_unpacked(side: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = bytearray(jpeg(picture(1)))
    at = data.index(b"\xff\xc0") + 5
    data[at : at + 4] = side.to_bytes(2, "big") * 2
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was unpacked"))
    assert decode_packet(packet(bytes(data))) == SpoiltPicture("picture-resized")


def test_garbage_is_torn() -> None:
    chance = random.Random(3)
    for _ in range(200):
        data = chance.choice((b"", b"\xff\xd8", b"\xff\xd8\xff\xe0")) + chance.randbytes(chance.randrange(400))
        assert isinstance(decode_packet(packet(data)), SpoiltPicture)


class Tiny:
    """A camera that sends pictures of one pixel."""

    def grab(self) -> Picture:
        time.sleep(0.02)
        return np.zeros((1, 1, 3), np.uint8)

    def close(self) -> None:
        pass


def test_a_camera_of_one_pixel_is_named_and_stops_nothing() -> None:
    limit = time.monotonic() + LIMIT_S
    with closing(LiveSource(Tiny, "camera 0")) as source:
        for item in source:
            assert time.monotonic() < limit
            assert not isinstance(item, Frame)
            if isinstance(item, Trouble) and item.code == "picture-small":
                assert dict(item.parts) == {"source": "camera 0", "width": 1, "height": 1}
                return


@pytest.fixture
def camera() -> Iterator[HostileCamera]:
    with closing(HostileCamera([jpeg(picture(seed)) for seed in range(6)])) as made:
        yield made


def test_a_telephone_that_is_turned_is_not_squeezed(camera: HostileCamera) -> None:
    limit = time.monotonic() + LIMIT_S
    turned = [jpeg(picture(seed, (720, 1280))) for seed in range(6)]
    sizes: list[tuple[int, ...]] = []
    with closing(open_source(camera.address)) as source:
        for item in source:
            assert time.monotonic() < limit
            if isinstance(item, Frame) and item.image.shape not in sizes:
                sizes.append(item.image.shape)
                if len(sizes) == 2:
                    break
                camera.show((), turned)
    assert sizes == [(720, 1280, 3), (1280, 720, 3)]


@pytest.mark.parametrize("name", ["bomb-header", "garbage-parts", "endless-head-line", "stalled", "html"])
def test_a_stream_that_goes_wrong_is_named_and_comes_back(camera: HostileCamera, name: str) -> None:
    limit = time.monotonic() + LIMIT_S
    fault = FAULT["claims-65500" if name == "bomb-header" else name]
    frames, named, over = 0, "", False
    with closing(open_source(camera.address)) as source:
        for item in source:
            assert time.monotonic() < limit
            frames += isinstance(item, Frame)
            if frames == 3 and not named:
                camera.prepare(fault, [jpeg(picture(7))], 1)()
            if isinstance(item, Trouble) and item.code != "camera-slow":
                assert item.remedy
                named = item.code
                camera.end()
            over = over or (isinstance(item, TroubleOver) and item.code == named)
            if over and isinstance(item, Frame):
                break
    assert named
