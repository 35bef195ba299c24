"""Where pictures come from: a camera, a film, a folder of pictures, a stream address.

with closing(open_source("0")) as source:
    for item in source:
        match item:
            case Frame(t, image): ...
            case Trouble(): print(item.message, item.remedy)
            case TroubleOver(): ...
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import cv2

from engine.failure import BadInput
from vision.sources.health import Health
from vision.sources.live import CaptureGrabber, Grabber, LiveSource
from vision.sources.recorded import LIES_FOR, PICTURE_NAMES, Film, Folder
from vision.sources.trouble import (
    ADVICE,
    Frame,
    SourceItem,
    Trouble,
    TroubleCode,
    TroubleOver,
)
from vision.types import Picture

# What a driver or decoder has to say about a camera is told as a trouble, in words; its own log is noise beside it.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)

SCHEMES = ("http://", "https://", "rtsp://", "rtsps://", "rtmp://", "udp://", "tcp://")


class Source(Protocol):
    """Anything that yields frames and troubles."""

    @property
    def name(self) -> str: ...

    @property
    def live(self) -> bool:
        """Whether pictures are dropped when the reader is busy."""
        ...

    def __iter__(self) -> Iterator[SourceItem]: ...

    def close(self) -> None: ...


def open_source(
    spec: str,
    *,
    as_live: bool = False,
    picture_seconds: float = LIES_FOR,
    clock: Callable[[], float] = time.monotonic,
) -> Source:
    """The source that `spec` names: a camera's number, a stream address, a film, a picture or a folder of pictures.

    A camera that cannot be opened is a trouble of the source, told while iterating, since it may come back; a file that
    is not there or may not be read raises `BadInput` (`no-source`). `as_live` plays a film at its own speed; each
    picture of a folder lies for `picture_seconds`. File managers copy a path with quotes around it, and `~/` is the
    home folder as in a shell.
    """
    text = spec.strip()
    if len(text) > 2 and text[0] == text[-1] and text[0] in "'\"":
        text = text[1:-1]
    if text.isdecimal() and len(text) < 4:
        number = int(text)
        return LiveSource(lambda: CaptureGrabber(number), f"camera {number}", clock)
    if text.lower().startswith(SCHEMES) and _without_password(text).strip("/"):
        return LiveSource(lambda: CaptureGrabber(text, None), _without_password(text), clock)
    if text.startswith("/dev/video") and _kind_of(Path(text)):
        return LiveSource(lambda: CaptureGrabber(text, None), text, clock)
    path = Path.home() / text[2:] if text.startswith("~/") else Path(text)
    kind = _kind_of(path) if text else 0
    if stat.S_ISDIR(kind):
        return Folder(path, picture_seconds)
    if not stat.S_ISREG(kind):
        raise BadInput(
            "no-source",
            f"{spec!r} is neither a camera nor a file.",
            "Give a camera's number such as 0, a film, a folder of pictures, or an address such as http://…",
        )
    if path.suffix.lower() in PICTURE_NAMES:
        folder = Folder(path.parent, picture_seconds)
        folder.paths = [path]
        return folder
    return Film(path, as_live, clock)


def _kind_of(path: Path) -> int:
    """What lies there, as `stat` tells it; 0 for nothing. Raises `BadInput` (`no-source`) where it may not be told."""
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        # A name with a zero in it is no file's.
        return 0
    except OSError as error:
        raise BadInput("no-source", f"{path} cannot be opened: {error.strerror}.", "Check the path.") from error


def _without_password(address: str) -> str:
    """The host and the path of an address, which is what is shown of it: a password may stand before the @ or behind
    the ?, and an @ or a ? in either."""
    host, slash, path = address.split("://", 1)[1].partition("/")
    return re.split("[?&#]", host.rsplit("@", 1)[-1])[0] + slash + re.split("[?#]", path)[0]


__all__ = [
    "ADVICE",
    "CaptureGrabber",
    "Film",
    "Folder",
    "Frame",
    "Grabber",
    "Health",
    "LiveSource",
    "Picture",
    "Source",
    "SourceItem",
    "Trouble",
    "TroubleCode",
    "TroubleOver",
    "open_source",
]
