"""What can be wrong with a source of pictures: typed values, each with what a person can do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from vision.types import Picture

TroubleCode: TypeAlias = Literal[
    "camera-gone", "camera-stuck", "picture-frozen", "too-dark", "overexposed", "picture-small", "camera-slow",
    "film-cut-short", "picture-unreadable", "picture-torn", "picture-resized", "picture-blurred", "picture-noise",
]  # fmt: skip

ADVICE: Final[Mapping[TroubleCode, tuple[str, str]]] = MappingProxyType(
    {
        "camera-gone": (
            "No picture comes from {source}: {why}.",
            "Plug the camera in again, or close the program that uses it; it is tried again by itself.",
        ),
        "camera-stuck": (
            "{source} has not answered for {seconds} s.",
            "Unplug the camera for a moment; another USB port or a shorter cable often cures it.",
        ),
        "picture-frozen": (
            "The picture from {source} has stood still for {seconds} s.",
            "Start the camera or its app again: it sends the same picture over and over.",
        ),
        "too-dark": (
            "The picture is almost black.",
            "Take the cover off the camera, or put more light on the table.",
        ),
        "overexposed": (
            "{share} % of the picture is white.",
            "Turn the lamp away from the table, or lower the camera's exposure.",
        ),
        "picture-small": (
            "The picture is only {width} × {height}.",
            "Choose 1280 × 720 or more in the camera's settings.",
        ),
        "picture-torn": (
            "Part of the picture from {source} is missing.",
            "Use a shorter cable or another USB port, or a smaller picture; a network camera may need a better signal.",
        ),
        "picture-resized": (
            "{source} keeps changing the size of its picture.",
            "Set a fixed size in the camera's settings; the table is read once the size stays the same.",
        ),
        "picture-blurred": (
            "The picture is out of focus.",
            "Set the camera's focus to the table, wipe the lens, and keep heads and hands away from it.",
        ),
        "picture-noise": (
            "{source} sends noise instead of a picture.",
            "Unplug the camera for a moment, or start its app again; a shorter cable or another USB port may cure it.",
        ),
        "camera-slow": (
            "The camera sends only {fps} pictures a second.",
            "More light helps (a dark room makes cameras slow), and so does a smaller picture or another USB port.",
        ),
        "film-cut-short": (
            "The film breaks off after {seconds} s.",
            "What was seen until then holds. Copy the file again if there should be more.",
        ),
        "picture-unreadable": (
            "{source} is not a picture that can be read.",
            "It is passed over. Save it again as JPEG or PNG.",
        ),
    }
)
"""Code to sentence and remedy, in English; a room with more languages translates by code and parts."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something is wrong with the source since `t`. Told once when it begins."""

    code: TroubleCode
    t: float
    parts: Mapping[str, str | int | float] = field(default_factory=dict)

    @property
    def message(self) -> str:
        return ADVICE[self.code][0].format_map(self.parts)

    @property
    def remedy(self) -> str:
        return ADVICE[self.code][1]


@dataclass(frozen=True, slots=True)
class TroubleOver:
    """A trouble is over. Told once."""

    code: TroubleCode
    t: float


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture, `t` seconds into the source."""

    t: float
    image: Picture


SourceItem: TypeAlias = Frame | Trouble | TroubleOver
"""What a source yields."""
