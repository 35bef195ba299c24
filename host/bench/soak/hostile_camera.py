"""A network camera on this machine whose pictures and streams go wrong in every way that is known to us.

It serves a film's frames as MJPEG over HTTP, as an old phone does. A fault either spoils the parts of the open stream,
or hangs up and answers every connection in its own way until it ends.
"""

from __future__ import annotations

import gzip
import itertools
import random
import socket
import struct
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np

from host.bench.soak.film import decoded
from vision.types import Picture

FPS: Final = 9.0
PAUSE_S: Final = 0.1
HEAD: Final = b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"
PAYLOADS: Final = 6
"""Spoilt pictures that are sent in turn: one alone would be a frozen picture."""

SpoiltParts: TypeAlias = Callable[[Sequence[bytes], random.Random], Sequence[bytes]]
"""From the JPEG pictures of the table to what is sent instead, in turn; an empty one sends nothing."""
StreamAnswer: TypeAlias = Callable[[Sequence[bytes], random.Random], Iterator[bytes]]
"""From the same to what a new connection is sent; an empty piece waits for a moment, the end hangs up."""


@dataclass(frozen=True, slots=True)
class CameraFault:
    """One way to go wrong: `parts` within the stream, or `answer` to new connections."""

    name: str
    parts: SpoiltParts | None = None
    answer: StreamAnswer | None = None


def part(body: bytes, kind: str = "image/jpeg", length: int | None = None) -> bytes:
    """A part of a multipart stream; `length` is the one that it claims."""
    claimed = len(body) if length is None else length
    return f"--frame\r\nContent-Type: {kind}\r\nContent-Length: {claimed}\r\n\r\n".encode() + body + b"\r\n"


def jpeg(picture: Picture, quality: int = 88) -> bytes:
    """The picture as JPEG."""
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


class HostileCamera:
    """The server. `frames` are JPEG pictures that it sends in turn."""

    def __init__(self, frames: Sequence[bytes]) -> None:
        self._frames: tuple[bytes, ...] = tuple(frames)
        self._once: list[bytes] = []
        self._fault: tuple[CameraFault, Sequence[bytes], random.Random] | None = None
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address: Final = f"http://127.0.0.1:{self._listener.getsockname()[1]}/video"
        threading.Thread(target=self._accept, name="hostile-camera", daemon=True).start()

    def show(self, once: Sequence[bytes], then: Sequence[bytes]) -> None:
        """Sends `once` a single time, then `then` in turn until told otherwise."""
        with self._lock:
            self._once, self._frames = list(once), tuple(then)

    @property
    def arrived(self) -> bool:
        """Whether the pictures that are sent once have all been sent."""
        with self._lock:
            return not self._once

    def prepare(self, fault: CameraFault, frames: Sequence[bytes], seed: int) -> Callable[[], None]:
        """Makes what the fault sends of `frames`, which can take time and memory; what is returned begins it."""
        chance = random.Random(seed)
        prepared = (fault, fault.parts(frames, chance) if fault.parts else (), chance)

        def begin() -> None:
            with self._lock:
                self._fault = prepared

        return begin

    def end(self) -> None:
        """All is well again."""
        with self._lock:
            self._fault = None

    def close(self) -> None:
        self._closed.set()
        self._listener.close()

    def _accept(self) -> None:
        while not self._closed.is_set():
            try:
                talk, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(talk,), daemon=True).start()

    def _serve(self, talk: socket.socket) -> None:
        with talk, suppress(OSError):
            talk.settimeout(3.0)
            asked = b""
            while b"\r\n\r\n" not in asked:
                piece = talk.recv(4096)
                if not piece:
                    return
                asked += piece
            fault = self._fault
            if fault is not None and fault[0].answer is not None:
                for piece in fault[0].answer(self._frames, fault[2]):
                    if self._fault is not fault or self._closed.is_set():
                        return
                    if piece:
                        talk.sendall(piece)
                    self._closed.wait(0.001 if piece else PAUSE_S)
                return
            talk.sendall(HEAD)
            for number in itertools.count():
                fault = self._fault
                if self._closed.is_set() or (fault is not None and fault[0].answer is not None):
                    return
                talk.sendall(self._next(number) if fault is None else fault[1][number % len(fault[1])])
                self._closed.wait(1 / FPS)

    def _next(self, number: int) -> bytes:
        with self._lock:
            return part(self._once.pop(0) if self._once else self._frames[number % len(self._frames)])


# Pictures that were taken, and show nothing of the table, or too little


def _changed(change: Callable[[Picture, random.Random], Picture], quality: int = 88) -> SpoiltParts:
    def made(frames: Sequence[bytes], chance: random.Random) -> list[bytes]:
        state = chance.getrandbits(64)
        # The same fault all the time, over pictures that differ in their noise.
        return [part(jpeg(change(decoded(one), random.Random(state)), quality)) for one in frames[:PAYLOADS]]

    return made


def _flat(low: int, high: int) -> SpoiltParts:
    return _changed(lambda picture, chance: np.full_like(picture, chance.randrange(low, high)))


def _mixed(picture: Picture, chance: random.Random) -> Picture:
    """A veil: fog on the lens, a curtain of light."""
    left, veil = chance.uniform(0.2, 0.4), chance.choice((255, 255, 200, 128, 60))
    return np.asarray(cv2.addWeighted(picture, left, np.full_like(picture, veil), 1 - left, 0), np.uint8)


def _saturated(picture: Picture, chance: random.Random) -> Picture:
    return np.asarray(cv2.convertScaleAbs(picture, alpha=chance.uniform(3, 8), beta=chance.uniform(0, 60)), np.uint8)


def _blurred(picture: Picture, chance: random.Random) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), chance.uniform(7, 16)), np.uint8)


def _noise(picture: Picture, chance: random.Random) -> Picture:
    made = np.random.default_rng(zlib.crc32(picture.tobytes())).integers(0, 256, picture.shape, np.uint8)
    return np.asarray(made, np.uint8)


def _half_white(picture: Picture, chance: random.Random) -> Picture:
    made = picture.copy()
    made[:, : round(made.shape[1] * chance.uniform(0.4, 0.7))] = 255
    return made


def _covered(picture: Picture, chance: random.Random) -> Picture:
    """A sheet of paper or a hand over the lens: grey, with the sensor's noise."""
    made = np.random.default_rng(zlib.crc32(picture.tobytes())).normal(chance.uniform(50, 200), 3, picture.shape)
    return np.asarray(np.clip(made, 0, 255), np.uint8)


def _turned(picture: Picture, chance: random.Random) -> Picture:
    return np.asarray(cv2.rotate(picture, chance.choice((cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_90_COUNTERCLOCKWISE))))


def _sized(width: int, height: int, quality: int = 80) -> SpoiltParts:
    return _changed(lambda picture, chance: np.asarray(cv2.resize(picture, (width, height)), np.uint8), quality)


def _other_sizes(frames: Sequence[bytes], chance: random.Random) -> list[bytes]:
    """Another size with every picture."""
    sizes = ((640, 480), (1280, 720), (1920, 1080), (800, 600), (1024, 768), (320, 240))
    return [
        part(jpeg(np.asarray(cv2.resize(decoded(one), size), np.uint8)))
        for one, size in zip(itertools.cycle(frames[:PAYLOADS]), sizes, strict=False)
    ]


def _enormous(frames: Sequence[bytes], chance: random.Random) -> list[bytes]:
    """50 megapixels each."""
    return [part(jpeg(np.asarray(cv2.resize(decoded(one), (8192, 6144)), np.uint8), 60)) for one in frames[:2]]


def _bomb(frames: Sequence[bytes], chance: random.Random) -> list[bytes]:
    """A quarter of a gigapixel that weighs a megabyte or two."""
    side = 15_900
    return [part(jpeg(np.full((side, side, 3), level, np.uint8), 5)) for level in (90, 91)]


# Pictures that were spoilt on their way


def _data(change: Callable[[bytes, random.Random], bytes], kind: str = "image/jpeg") -> SpoiltParts:
    return lambda frames, chance: [part(change(one, chance), kind) for one in frames[:PAYLOADS]]


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: round(len(data) * chance.uniform(0.1, 0.9))]


def _changed_bytes(data: bytes, chance: random.Random) -> bytes:
    made = bytearray(data)
    for _ in range(chance.choice((3, 30, 300))):
        made[chance.randrange(700, len(made))] = chance.randrange(256)
    return bytes(made)


def _zeros_within(data: bytes, chance: random.Random) -> bytes:
    at, length = chance.randrange(1000, len(data) // 2), chance.randrange(2000, len(data) // 3)
    return data[:at] + bytes(length) + data[at + length :]


def _claims(height: int, width: int) -> Callable[[bytes, random.Random], bytes]:
    def made(data: bytes, chance: random.Random) -> bytes:
        at = data.index(b"\xff\xc0") + 5
        return data[:at] + struct.pack(">HH", height, width) + data[at + 4 :]

    return made


def _gif(data: bytes, chance: random.Random) -> bytes:
    """Two pictures of one pixel that are shown in turn for ever."""
    screen = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + b"\x00\x00\x00\xff\xff\xff"
    again = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
    image = b"\x21\xf9\x04\x00\x01\x00\x00\x00\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x44\x01\x00"
    return screen + again + image * 2 + b"\x3b"


def _as(name: str) -> Callable[[bytes, random.Random], bytes]:
    return lambda data, chance: cv2.imencode(name, decoded(data))[1].tobytes()


def _lies_about_length(frames: Sequence[bytes], chance: random.Random) -> list[bytes]:
    # As many lies however few the pictures are: some of them alone do no harm, and then another scene's would.
    frames = list(itertools.islice(itertools.cycle(frames), PAYLOADS))
    return [part(one, length=chance.choice((0, 1, len(one) // 2, len(one) * 3, 2**31, 2**63))) for one in frames]


def _garbage(frames: Sequence[bytes], chance: random.Random) -> list[bytes]:
    return [part(chance.randbytes(chance.randrange(0, 60_000))) for _ in range(PAYLOADS)]


def _no_boundary(frames: Sequence[bytes], chance: random.Random) -> list[bytes]:
    return [chance.randbytes(chance.randrange(1000, 60_000)) for _ in range(PAYLOADS)]


def _endless_part_head(frames: Sequence[bytes], chance: random.Random) -> list[bytes]:
    return [b"--frame\r\n" + b"X-Filling: " + b"x" * 50_000 + b"\r\n"] + [
        b"X-Filling-%d: " % n + b"y" * 50_000 + b"\r\n" for n in range(PAYLOADS)
    ]


# Streams


def _says(answer: bytes) -> StreamAnswer:
    def made(frames: Sequence[bytes], chance: random.Random) -> Iterator[bytes]:
        yield answer
        yield from itertools.repeat(b"", 3)

    return made


def _page(kind: str, body: bytes, status: str = "200 OK", more: str = "") -> StreamAnswer:
    return _says(
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{more}\r\n".encode() + body
    )


def _stalled(opening: bytes) -> StreamAnswer:
    def made(frames: Sequence[bytes], chance: random.Random) -> Iterator[bytes]:
        yield opening
        yield from itertools.repeat(b"")

    return made


def _hung_up(frames: Sequence[bytes], chance: random.Random) -> Iterator[bytes]:
    return iter(())


def _dripping(frames: Sequence[bytes], chance: random.Random) -> Iterator[bytes]:
    for byte in HEAD + part(frames[0]):
        yield bytes([byte])
        yield b""


def _endless(opening: bytes, piece: bytes) -> StreamAnswer:
    def made(frames: Sequence[bytes], chance: random.Random) -> Iterator[bytes]:
        yield opening
        yield from itertools.repeat(piece)

    return made


def _compressed(frames: Sequence[bytes], chance: random.Random) -> Iterator[bytes]:
    """A gigabyte of zeros in a megabyte."""
    yield HEAD[:-2] + b"Content-Encoding: gzip\r\n\r\n"
    yield gzip.compress(bytes(1 << 26), 9) * 16


PLAYLIST: Final = (
    b"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile:///etc/passwd\n#EXTINF:9,\nhttp://127.0.0.1:9/x.ts\n"
)
SDP: Final = b"v=0\r\nc=IN IP4 127.0.0.1\r\nm=video 9 RTP/AVP 26\r\n"

CAMERA_FAULTS: Final[tuple[CameraFault, ...]] = (
    CameraFault("white", _flat(250, 256)),
    CameraFault("grey", _flat(60, 235)),
    CameraFault("black", _flat(0, 6)),
    CameraFault("veiled", _changed(_mixed)),
    CameraFault("saturated", _changed(_saturated)),
    CameraFault("half-white", _changed(_half_white)),
    CameraFault("out-of-focus", _changed(_blurred)),
    CameraFault("covered", _changed(_covered)),
    CameraFault("noise", _changed(_noise, 60)),
    CameraFault("turned", _changed(_turned)),
    CameraFault("frozen", lambda frames, chance: [part(frames[0])]),
    CameraFault("640x480", _sized(640, 480)),
    CameraFault("4k", _sized(3840, 2160)),
    CameraFault("other-sizes", _other_sizes),
    CameraFault("50-megapixels", _enormous),
    CameraFault("1x1", _sized(1, 1)),
    CameraFault("16x16", _sized(16, 16)),
    CameraFault("5000x1", _sized(5000, 1)),
    CameraFault("bomb", _bomb),
    CameraFault("cut-jpeg", _data(_cut)),
    CameraFault("changed-bytes", _data(_changed_bytes)),
    CameraFault("zeros-within", _data(_zeros_within)),
    CameraFault("claims-65500", _data(_claims(65_500, 65_500))),
    CameraFault("claims-0", _data(_claims(0, 0))),
    CameraFault("claims-more", _data(_claims(7_200, 1_280))),
    CameraFault("animated-gif", _data(_gif, "image/gif")),
    CameraFault("png", _data(_as(".png"), "image/png")),
    CameraFault("bmp-as-jpeg", _data(_as(".bmp"))),
    CameraFault("text-parts", _data(lambda data, chance: b"no picture", "text/plain")),
    CameraFault("empty-parts", _data(lambda data, chance: b"")),
    CameraFault("wrong-length", _lies_about_length),
    CameraFault("garbage-parts", _garbage),
    CameraFault("no-boundary", _no_boundary),
    CameraFault("endless-part-head", _endless_part_head),
    CameraFault("silent", lambda frames, chance: [b""]),
    CameraFault("hung-up", answer=_hung_up),
    CameraFault("stalled", answer=_stalled(b"")),
    CameraFault("stalled-after-head", answer=_stalled(HEAD)),
    CameraFault("stalled-in-part", answer=_stalled(HEAD + part(b"\xff\xd8\xff\xe0", length=90_000)[:-2])),
    CameraFault("dripping", answer=_dripping),
    CameraFault("endless-head", answer=_endless(b"HTTP/1.1 200 OK\r\n", b"X-Filling: " + b"x" * 4000 + b"\r\n")),
    CameraFault("endless-head-line", answer=_endless(b"HTTP/1.1 200 OK\r\nX-Filling: ", b"x" * 60_000)),
    CameraFault("endless-junk", answer=_endless(HEAD, b"\xff\xd8junk" * 10_000)),
    CameraFault("gzip-bomb", answer=_compressed),
    CameraFault("html", answer=_page("text/html", b"<html><body>Not a camera</body></html>")),
    CameraFault("json", answer=_page("application/json", b'{"camera": false}')),
    CameraFault("playlist", answer=_page("application/vnd.apple.mpegurl", PLAYLIST)),
    CameraFault("sdp", answer=_page("application/sdp", SDP)),
    CameraFault("refused-401", answer=_page("text/plain", b"no", "401 Unauthorized", "WWW-Authenticate: Basic\r\n")),
    CameraFault("missing-404", answer=_page("text/plain", b"no", "404 Not Found")),
    CameraFault("broken-500", answer=_page("text/plain", b"no", "500 Internal Server Error")),
    CameraFault("redirected", answer=_page("text/plain", b"", "302 Found", "Location: /video\r\n")),
    CameraFault("redirected-file", answer=_page("text/plain", b"", "302 Found", "Location: file:///etc/passwd\r\n")),
    CameraFault("no-http", answer=_says(b"SSH-2.0-OpenSSH_9.2\r\n")),
)  # fmt: skip
