"""Things that stand at the mat's rim: mugs, phones, books and bowls, drawn with their height and their shadow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.table import MAT, TAG_CENTRES, TAG_SIDE
from vision.simulate.ink import InkColour, SheetImage, mix
from vision.simulate.optics import Light, Optics

ThingKind: TypeAlias = Literal["mug", "phone", "book", "bowl"]
KINDS: Final[tuple[ThingKind, ...]] = ("mug", "phone", "book", "bowl")
FREE: Final = (172.0, 262.0)
"""Half the width and height of the part of the mat on which cards lie, mm: things stand outside it."""
OVER_TAG: Final = 8.0
"""How far from the cards' part a thing begins that stands over a tag, mm at most: it hides half of the tag or more."""
AT_RIM: Final = 45.0
"""The same for other things, some of which stand on the mat's edge and some just beside it."""


@dataclass(frozen=True, slots=True)
class RimThing:
    """One thing: its middle (mm), turn (radians), half its width and length and its height (mm), and its colours."""

    kind: ThingKind
    x: float
    y: float
    turn: float
    half: tuple[float, float]
    high: float
    colour: InkColour
    top: InkColour


def things_at_rim(count: int, tags_hidden: int, rng: np.random.Generator) -> tuple[RimThing, ...]:
    """`count` things at the mat's edge, none over a tag, and one over each of `tags_hidden` tags."""
    found: list[RimThing] = []
    for tag in rng.permutation(len(TAG_CENTRES))[:tags_hidden]:
        x, y = TAG_CENTRES[int(tag)]
        at = x + float(rng.uniform(-8, 8)), y + float(rng.uniform(-8, 8))
        found.append(_thing(rng, at, bool(rng.random() < 0.5), OVER_TAG))
    tries = 0
    while len(found) < count + tags_hidden and tries < 60:
        tries += 1
        at = float(rng.uniform(-1, 1)) * MAT[0] / 2, float(rng.uniform(-1, 1)) * MAT[1] / 2
        thing = _thing(rng, at, bool(rng.random() < 0.6), AT_RIM)
        if not any(_near_tag(thing, tag) for tag in TAG_CENTRES) and not any(_touch(thing, t) for t in found):
            found.append(thing)
    return tuple(found)


def _thing(rng: np.random.Generator, at: tuple[float, float], aside: bool, room: float) -> RimThing:
    """A thing near `at`, moved outwards (`aside`: along x, else along y) to at most `room` mm from where cards lie."""
    kind = KINDS[int(rng.integers(len(KINDS)))]
    colour: InkColour = tuple(int(v) for v in rng.integers(18, 235, 3))  # type: ignore[assignment]
    turn = float(rng.uniform(0, 2 * math.pi))
    if room == OVER_TAG:
        # Nearly square to the mat: a corner alone would hide too little.
        turn = round(turn / (math.pi / 2)) * math.pi / 2 + 0.1 * math.sin(turn)
    if kind in ("mug", "bowl"):
        r = float(rng.uniform(36, 44)) if kind == "mug" else float(rng.uniform(60, 85))
        half, high = (r, r), float(rng.uniform(80, 105)) if kind == "mug" else float(rng.uniform(45, 65))
        top = mix(colour, (60, 34, 18), 0.85) if kind == "mug" else mix(colour, (220, 170, 90), 0.6)
    elif kind == "phone":
        half, high, top = (37.0, 75.0), 9.0, mix((14, 14, 18), colour, float(rng.uniform(0, 0.5)))
        colour = (20, 20, 22)
    else:
        half, high = (float(rng.uniform(55, 75)), float(rng.uniform(85, 110))), float(rng.uniform(10, 32))
        top = mix(colour, (236, 232, 222), 0.8)
    c, s = abs(math.cos(turn)), abs(math.sin(turn))
    round_thing = half[0] == half[1]
    reach = half if round_thing else (half[0] * c + half[1] * s, half[0] * s + half[1] * c)
    axis = 0 if aside else 1
    out = [*at]
    out[axis] = math.copysign(FREE[axis] + reach[axis] + float(rng.uniform(0, room)), at[axis])
    return RimThing(kind, out[0], out[1], turn, half, high, colour, top)


def _near_tag(thing: RimThing, tag: tuple[float, float]) -> bool:
    return math.hypot(thing.x - tag[0], thing.y - tag[1]) < max(thing.half) + TAG_SIDE


def _touch(one: RimThing, two: RimThing) -> bool:
    return math.hypot(one.x - two.x, one.y - two.y) < max(one.half) + max(two.half)


def draw_things(picture: SheetImage, things: Sequence[RimThing], optics: Optics, light: Light) -> None:
    """Draws the things into a lit picture, those that stand further from the camera's middle last."""
    gain = np.clip(np.array(light.cast) * light.level, 0, 1.4)
    for thing in sorted(things, key=lambda t: -math.hypot(t.x, t.y)):
        _draw(picture, thing, optics, light, gain)


def _draw(picture: SheetImage, thing: RimThing, optics: Optics, light: Light, gain: NDArray[np.float64]) -> None:
    def ink(colour: InkColour, share: float = 1.0) -> tuple[float, ...]:
        return tuple(float(v) for v in np.clip(np.array(colour[::-1]) * gain * share, 0, 255))

    foot, head = _seen(optics, thing, 0.0), _seen(optics, thing, thing.high)
    if light.shadow > 0:
        _shade(picture, thing, optics, light)
    round_thing = thing.half[0] == thing.half[1]
    body = cv2.convexHull(np.concatenate((foot, head)))
    cv2.fillConvexPoly(picture, body, ink(thing.colour, 0.72), cv2.LINE_AA)
    cv2.fillConvexPoly(picture, cv2.convexHull(head), ink(thing.colour), cv2.LINE_AA)
    inner = _seen(optics, thing, thing.high, 0.86 if round_thing else 0.93)
    if thing.kind != "book":
        cv2.fillConvexPoly(picture, cv2.convexHull(inner), ink(thing.top), cv2.LINE_AA)
    else:
        # A title and a picture on the cover, turned with it.
        for low, high, tone in ((-0.75, -0.45, thing.top), (-0.2, 0.7, mix(thing.colour, thing.top, 0.5))):
            box = _corners(thing, 0.7, low, high)
            cv2.fillConvexPoly(picture, _projected(optics, box, thing.high), ink(tone), cv2.LINE_AA)


def _shade(picture: SheetImage, thing: RimThing, optics: Optics, light: Light) -> None:
    angle, throw = math.radians(light.shadow_turn), 0.4 * thing.high
    foot = _outline(thing, 1.0)
    far = foot + np.array((math.cos(angle), -math.sin(angle))) * throw
    hull = cv2.convexHull(_projected(optics, np.concatenate((foot, far)), 0.0))
    soft = max(1.0, 6 * optics.scale())
    x, y, wide, tall = cv2.boundingRect(hull)
    room = round(3 * soft)
    x0, y0 = max(0, x - room), max(0, y - room)
    x1, y1 = min(picture.shape[1], x + wide + room), min(picture.shape[0], y + tall + room)
    if x0 >= x1 or y0 >= y1:
        return
    dark = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(dark, hull - np.array((x0, y0), np.int32), (255.0,), cv2.LINE_AA)
    dark = cv2.bitwise_not(cv2.convertScaleAbs(cv2.GaussianBlur(dark, (0, 0), soft), alpha=min(0.6, light.shadow)))
    part = picture[y0:y1, x0:x1]
    part[:] = cv2.multiply(part, cv2.merge((dark, dark, dark)), scale=1 / 255)


def _outline(thing: RimThing, share: float) -> NDArray[np.float64]:
    if thing.half[0] != thing.half[1]:
        return _corners(thing, share, -share, share)
    steps = np.linspace(0, 2 * math.pi, 48, endpoint=False)
    return np.column_stack(
        (thing.x + share * thing.half[0] * np.cos(steps), thing.y + share * thing.half[1] * np.sin(steps))
    )


def _corners(thing: RimThing, wide: float, low: float, high: float) -> NDArray[np.float64]:
    """Corners of a part of a box: half widths and lengths as shares of the thing's."""
    c, s = math.cos(thing.turn), math.sin(thing.turn)
    w, h = wide * thing.half[0], thing.half[1]
    points = ((-w, low * h), (w, low * h), (w, high * h), (-w, high * h))
    return np.array([(thing.x + x * c - y * s, thing.y + x * s + y * c) for x, y in points])


def _seen(optics: Optics, thing: RimThing, high: float, share: float = 1.0) -> NDArray[np.int32]:
    return _projected(optics, _outline(thing, share), high)


def _projected(optics: Optics, points: NDArray[np.float64], high: float) -> NDArray[np.int32]:
    return np.rint(optics.project(np.column_stack((points, np.full(len(points), high))))).astype(np.int32)
