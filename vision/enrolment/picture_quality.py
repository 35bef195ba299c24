"""The aiming aid: what is good and bad about a camera's picture of the table, and what to do about it.

`judge_picture` looks at one picture. Limits come from what the reader was measured to need: 1.3 px/mm reads every
deck, 15 degrees of tilt is promised, and a header that is blown out cannot be read by anybody.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

import cv2
import numpy as np

from engine.names import SEATS, Seat
from vision.geometry import table as geometry
from vision.geometry.light import tag_whites, to_tone
from vision.geometry.rectify import TableArea, cut
from vision.geometry.registration import Registration, is_mirrored
from vision.types import Floats, Picture

FindingCode: TypeAlias = Literal[
    "no-mat", "mirrored", "tag-unseen", "mat-cut-off", "picture-coarse", "tilted", "too-dark", "too-bright",
    "uneven-light", "colour-cast", "blurred", "glare",
]  # fmt: skip
Weight: TypeAlias = Literal["stop", "better"]
"""`stop`: the table cannot be read reliably like this. `better`: it can, and more comfortably with this mended."""

FINDINGS: Final[Mapping[FindingCode, tuple[str, str]]] = MappingProxyType(
    {
        "no-mat": (
            "The mat is not seen.",
            "Point the camera straight down at the mat, so that all four corner tags are in the picture.",
        ),
        "mirrored": (
            "The picture is mirrored.",
            "Turn mirroring off in the settings of the camera, of the phone or of the program that shows it.",
        ),
        "tag-unseen": (
            "The {corner} corner tag is not seen.",
            "Take away what covers it, or move the camera until it is in the picture.",
        ),
        "mat-cut-off": (
            "The mat is cut off at the {side} side of the picture.",
            "Move the camera or hang it a little higher.",
        ),
        "picture-coarse": (
            "Only {scale} pixels a millimetre.",
            "Hang the camera lower, turn it so that the picture's long side runs from player to player, "
            "or choose a larger picture in its settings.",
        ),
        "tilted": ("The camera leans {tilt}° off the vertical.", "Hang it over the middle of the mat, looking down."),
        "too-dark": ("The table is dark: white paper is at {paper} %.", "Put more light on the table."),
        "too-bright": ("White paper is blown out.", "Lower the camera's exposure, or move the lamp away."),
        "uneven-light": (
            "One corner is {times} times as bright as another.",
            "Add a second lamp on the other side, or move the lamp higher.",
        ),
        "colour-cast": (
            "The light is strongly {colour}.",
            "It can still be read; a white lamp, or the camera's white balance, makes it surer.",
        ),
        "blurred": (
            "The picture is blurred: edges are {edge} mm wide.",
            "Let the camera focus on the table, and wipe its lens.",
        ),
        "glare": (
            "Something shines {place}.",
            "Move the lamp to the side until the shine is off the cards, or tilt the camera a few degrees.",
        ),
    }
)
"""Code to sentence and remedy, in English; another language is made from code and parts."""

COARSE_STOP: Final = 1.1
"""px/mm below which decks are not read."""
COARSE: Final = 1.3
"""px/mm from which every deck was read."""
TILT: Final = 15.5
"""Degrees by which the camera may lean: 15 are promised."""
TILT_STOP: Final = 20.5
"""Degrees from which it leans too far."""
DARK_STOP: Final = 0.2
"""Tone of white paper, 0..1, below which it is too dark to read."""
DARK: Final = 0.36
"""Tone of white paper, 0..1, below which more light would make it surer."""
BRIGHT: Final = 0.992
"""Tone of white paper in its darkest channel above which the picture may be clipped."""
UNEVEN: Final = 2.6
"""Light at one corner of the mat over that at another from which it is uneven."""
CAST: Final = 4.0
"""Red light over blue, or blue over red, from which colours are hard to tell."""
EDGE_STOP: Final = 3.2
"""How wide the edge of a tag is smeared (10 to 90 per cent of the step), mm, from which decks are not read."""
EDGE: Final = 2.2
"""The same from which a sharper picture would make it surer."""
LEAST_STEP: Final = 25
"""Codes from a tag's black to its white below which its edge tells nothing."""
SHINE: Final = 0.03
"""Share of a card's place that may be blown out."""
SHINE_STOP: Final = 0.2
"""Share from which what lies there cannot be read."""
BLOWN: Final = 250
"""Code of the darkest channel from which a pixel is blown out."""

_RED: Final = (70, 70, 230)
"""Colour of what is wrong in the drawing, BGR."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be."""

    code: FindingCode
    weight: Weight
    parts: Mapping[str, str | float] = field(default_factory=dict)

    @property
    def message(self) -> str:
        return FINDINGS[self.code][0].format_map(self.parts)

    @property
    def remedy(self) -> str:
        return FINDINGS[self.code][1]


@dataclass(frozen=True, slots=True)
class PictureJudgement:
    """A camera's picture, judged. Measures are None where no mat was seen."""

    findings: tuple[Finding, ...]
    size: tuple[int, int]
    """Width and height of the picture, px."""
    scale: float | None = None
    """px/mm in the middle of the table."""
    tilt: float | None = None
    """Degrees off the vertical."""
    paper: float | None = None
    """Tone of white paper, 0 black to 1 blown out."""
    edge: float | None = None
    """How wide sharp edges are smeared, mm."""
    shine: float | None = None
    """Largest share of a card's place that is blown out."""
    outline: Floats | None = None
    """The mat's corners in the picture, (4, 2) px."""

    @property
    def verdict(self) -> Literal["good", "usable", "not-yet"]:
        """`good`: play. `usable`: play, it could be better. `not-yet`: mend the findings first."""
        if any(f.weight == "stop" for f in self.findings):
            return "not-yet"
        return "usable" if self.findings else "good"


def judge_picture(image: Picture, registration: Registration | None) -> PictureJudgement:
    """Judges one picture, (h, w, 3) uint8 BGR; `registration` is None where no mat was found in it."""
    size = (int(image.shape[1]), int(image.shape[0]))
    if registration is None:
        dark = float(np.percentile(image[::16, ::16].max(axis=2), 98)) / 255
        found = [Finding("mirrored" if is_mirrored(image) else "no-mat", "stop")]
        if dark < DARK_STOP:
            found.insert(0, Finding("too-dark", "stop", {"paper": round(100 * dark)}))
        return PictureJudgement(tuple(found), size)
    findings: list[Finding] = []
    findings += _place(registration, size)
    scale, tilt = registration.pose.scale, registration.pose.tilt
    if scale < COARSE:
        findings.append(
            Finding("picture-coarse", "stop" if scale < COARSE_STOP else "better", {"scale": round(scale, 2)})
        )
    if tilt > TILT:
        findings.append(Finding("tilted", "better" if tilt < TILT_STOP else "stop", {"tilt": round(tilt)}))
    paper, light = _light(image, registration)
    findings += light
    edge = edge_width(image, registration)
    if edge is not None and edge > EDGE:
        findings.append(Finding("blurred", "stop" if edge > EDGE_STOP else "better", {"edge": round(edge, 1)}))
    shine, shining = _glare(image, registration)
    findings += shining
    x, y = geometry.MAT[0] / 2, geometry.MAT[1] / 2
    outline = registration.project(np.array(((-x, y), (x, y), (x, -y), (-x, -y))))
    findings.sort(key=lambda f: f.weight != "stop")
    return PictureJudgement(tuple(findings), size, scale, tilt, paper, edge, shine, outline)


def _place(registration: Registration, size: tuple[int, int]) -> list[Finding]:
    """Tags that are not seen, and sides at which the card area runs out of the picture."""
    width, height = size
    seen = len(registration.tags)
    out: list[Finding] = []
    for tag, corner in enumerate(geometry.TAG_NAMES):
        if tag not in registration.tags:
            out.append(Finding("tag-unseen", "better" if seen >= 3 else "stop", {"corner": corner}))
    # Six cards reach about 253 mm from the middle; what lies further out is never needed.
    area = registration.project(np.array([(x, y) for x in (-170.0, 0, 170.0) for y in (-255.0, 0, 255.0)]))
    if area[:, 0].min() < 0:
        out.append(Finding("mat-cut-off", "stop", {"side": "left"}))
    if area[:, 0].max() > width:
        out.append(Finding("mat-cut-off", "stop", {"side": "right"}))
    if area[:, 1].min() < 0:
        out.append(Finding("mat-cut-off", "stop", {"side": "upper"}))
    if area[:, 1].max() > height:
        out.append(Finding("mat-cut-off", "stop", {"side": "lower"}))
    return out


def _light(image: Picture, registration: Registration) -> tuple[float | None, list[Finding]]:
    whites = tag_whites(image, registration)
    if not whites:
        return None, [Finding("too-dark", "stop", {"paper": 0})]
    colours = np.array(list(whites.values()))
    paper = float(to_tone(np.median(colours.mean(1))))
    out: list[Finding] = []
    if paper < DARK:
        out.append(Finding("too-dark", "stop" if paper < DARK_STOP else "better", {"paper": round(100 * paper)}))
    elif float(to_tone(colours.min(axis=1).max())) > BRIGHT:
        out.append(Finding("too-bright", "better"))
    levels = colours.mean(1)
    times = float(levels.max() / max(levels.min(), 1e-4))
    if times > UNEVEN:
        out.append(Finding("uneven-light", "better", {"times": round(times, 1)}))
    blue, _, red = np.median(colours, axis=0)
    if max(red, blue) / max(min(red, blue), 1e-4) > CAST:
        out.append(Finding("colour-cast", "better", {"colour": "orange" if red > blue else "blue"}))
    return paper, out


def edge_width(image: Picture, registration: Registration) -> float | None:
    """How wide the edges of the tags' black squares are smeared, from 10 to 90 % of the step, mm; None without tags.

    Profiles are taken across each side of each tag, from 3 mm inside to 3 mm outside.
    """
    scale = registration.pose.scale
    steps = np.linspace(-3.0, 3.0, 61)
    widths: list[float] = []
    for tag in registration.tags:
        corners = np.array(geometry.tag_corners(tag))
        middle = corners.mean(0)
        for k in range(4):
            a, b = corners[k], corners[(k + 1) % 4]
            outward = (a + b) / 2 - middle
            outward /= np.hypot(*outward)
            along = a + (b - a) * np.linspace(0.15, 0.85, 9)[:, None]
            points = along[:, None, :] + steps[None, :, None] * outward
            px = registration.project(points.reshape(-1, 2)).astype(np.float32).reshape(len(along), len(steps), 2)
            grey = cv2.cvtColor(cv2.remap(image, px[..., 0], px[..., 1], cv2.INTER_LINEAR), cv2.COLOR_BGR2GRAY)
            profile = np.median(grey, axis=0).astype(np.float64)
            low, high = float(profile[:10].min()), float(profile[-20:].max())
            if high - low < LEAST_STEP:
                continue
            share = np.maximum.accumulate((profile - low) / (high - low))
            # The tails are shadow and noise: 20 to 80 % is measured, a straight ramp assumed.
            start, end = (float(steps[int(np.searchsorted(share, level))]) for level in (0.2, 0.8))
            widths.append((end - start) * 4 / 3)
    # A step cannot look narrower than a pixel.
    return max(float(np.median(widths)), 1 / scale) if widths else None


def _card_place(k: int, seat: Seat) -> TableArea:
    """Where the first two cards of a column lie, as a frame of the table."""
    side = geometry.outward(seat)
    near, far = geometry.BOARD[1] / 2 + 2, geometry.BOARD[1] / 2 + geometry.CARD[1] + 34
    width, height = geometry.CARD[0] + 12, far - near
    x = geometry.BOARD_X[k]
    turn = np.radians(geometry.card_turn(seat))
    corner = (x - width / 2, -near) if side < 0 else (x + width / 2, near)
    return TableArea(corner, float(turn), width, height)


def _glare(image: Picture, registration: Registration) -> tuple[float, list[Finding]]:
    out: list[Finding] = []
    most = 0.0
    for k, spot in enumerate(geometry.BOARD_SPOTS):
        for seat in SEATS:
            patch, inside = cut(image, registration.pose, _card_place(k, seat), 0.8)
            if not inside.any():
                continue
            blown = (patch.min(axis=2) >= BLOWN) & inside
            share = float(blown.sum() / inside.sum())
            most = max(most, share)
            if share > SHINE:
                out.append(
                    Finding(
                        "glare",
                        "stop" if share > SHINE_STOP else "better",
                        {"place": f"on the {seat} side of the {spot} board", "at": f"{spot}/{seat}"},
                    )
                )
    return most, out


def draw_judgement(
    image: Picture, judgement: PictureJudgement, registration: Registration | None, wrong: Collection[str] = ()
) -> Picture:
    """A copy of the picture with the mat's outline, the tags that were seen and the places of boards and stacks.

    Places that a finding names, and those of `wrong` (such as `left/near`, or `left` for a board), are drawn in red.
    """
    bad = {*wrong, *(str(f.parts["at"]) for f in judgement.findings if "at" in f.parts)}
    out = image.copy()
    good = {"good": (90, 200, 80), "usable": (60, 190, 240), "not-yet": (70, 70, 230)}[judgement.verdict]
    if registration is None:
        return out
    thick = max(1, round(out.shape[1] / 640))

    def ring(corners: Floats, colour: tuple[int, int, int], width: int) -> None:
        cv2.polylines(out, [np.round(registration.project(corners)).astype(np.int32)], True, colour, width, cv2.LINE_AA)

    x, y = geometry.MAT[0] / 2, geometry.MAT[1] / 2
    ring(np.array([(-x, y), (x, y), (x, -y), (-x, -y)]), good, 2 * thick)
    for tag in range(4):
        colour = (90, 200, 80) if tag in registration.tags else (70, 70, 230)
        ring(np.array(geometry.tag_corners(tag)), colour, 2 * thick)
    w, h = geometry.BOARD[0] / 2, geometry.BOARD[1] / 2
    for k, bx in enumerate(geometry.BOARD_X):
        red = geometry.BOARD_SPOTS[k] in bad
        ring(
            np.array([(bx - w, h), (bx + w, h), (bx + w, -h), (bx - w, -h)]),
            _RED if red else (220, 200, 120),
            (1 + red) * thick,
        )
        for seat in SEATS:
            red = f"{geometry.BOARD_SPOTS[k]}/{seat}" in bad
            ring(
                _card_place(k, seat).corners,
                _RED if red else (200, 200, 200),
                (1 + red) * thick,
            )
    return out
