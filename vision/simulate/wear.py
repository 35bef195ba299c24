"""Cards that were played a hundred times: white edges and scuffs, creases, a bend, and sleeves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.simulate.ink import SheetImage, texture
from vision.simulate.optics import Float32Image

SLEEVE: Final = (66.0, 91.0)
"""Width and height of a sleeve, mm."""
SLEEVE_RADIUS: Final = 1.5
SLEEVE_HAZE: Final = 0.16
"""How much white a sleeve's empty rim lays over what is under it."""


@dataclass(frozen=True, slots=True)
class Wear:
    """How much the cards have been through; the defaults are a new deck."""

    scuffs: float = 0.0
    """0..1: edges and corners rubbed white, scratches, faded print."""
    bend: float = 0.0
    """How far a card's middle stands over its ends, mm, at most: it shades the card and moves its print."""
    sleeved: bool = False


NEW: Final = Wear()
"""Cards fresh from the box."""


def worn(art: SheetImage, wear: Wear, scale: float, rng: np.random.Generator) -> SheetImage:
    """A card's picture, `scale` px/mm, as it looks after all that."""
    if wear.scuffs <= 0 and wear.bend <= 0:
        return art
    height, width = art.shape[:2]
    out: Float32Image = art.astype(np.float32)
    if wear.scuffs > 0:
        out = _scuffed(out, wear.scuffs * float(rng.uniform(0.4, 1)), scale, rng)
    if wear.bend > 0:
        bend = wear.bend * float(rng.uniform(-1, 1))
        along = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
        across = np.linspace(-1, 1, width, dtype=np.float32)[None]
        turn = float(rng.uniform(-0.5, 0.5))
        slope = along + turn * across
        # A slope of 1 in 10 catches about a tenth more or less of the light.
        out *= (1 + 0.035 * bend * slope)[..., None]
        # What stands higher is seen further out: by up to a third of its height, in one direction for the whole card.
        away = 0.33 * bend * (1 - slope**2) * scale
        lean = rng.normal(0, 0.6, 2)
        columns, rows = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
        out = np.asarray(
            cv2.remap(
                out, columns + np.float32(lean[0]) * away, rows + np.float32(lean[1]) * away,
                cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
            ),
            np.float32,
        )  # fmt: skip
    return np.clip(out, 0, 255).astype(np.uint8)


def _scuffed(art: Float32Image, share: float, scale: float, rng: np.random.Generator) -> Float32Image:
    height, width = art.shape[:2]
    inside = np.ones((height, width), np.uint8)
    inside[0], inside[-1], inside[:, 0], inside[:, -1] = 0, 0, 0, 0
    depth = cv2.distanceTransform(inside, cv2.DIST_L2, 3) / scale
    ragged = 0.35 + 0.55 * np.abs(texture(height, width, 2.5 * scale, rng))
    white = share * np.clip(1.2 - depth / (ragged + 0.2), 0, 1) * 0.9
    marks = np.zeros((height, width), np.uint8)
    for _ in range(round(14 * share)):
        at = rng.uniform((0, 0), (width, height))
        turn, length = float(rng.uniform(0, 6.3)), float(rng.uniform(3, 16)) * scale
        end = at + length * np.array((np.cos(turn), np.sin(turn)))
        cv2.line(
            marks,
            np.rint(at).astype(int).tolist(),
            np.rint(end).astype(int).tolist(),
            int(rng.integers(40, 130)),
            1,
            cv2.LINE_AA,
        )
    white = np.maximum(white, cv2.GaussianBlur(marks, (0, 0), 0.25 * scale).astype(np.float32) / 255)
    if rng.random() < 0.3 * share:
        # A crease across a corner or the middle: a pale line with a dark one beside it.
        x = float(rng.uniform(0.1, 0.9)) * width
        crease = np.zeros((height, width), np.uint8)
        cv2.line(
            crease,
            (round(x), 0),
            (round(x + rng.uniform(-0.3, 0.3) * width), height),
            150,
            max(1, round(0.4 * scale)),
            cv2.LINE_AA,
        )
        white = np.maximum(white, crease.astype(np.float32) / 255 * 0.6)
    faded = art + share * 0.10 * (200 - art)
    return np.asarray(faded + (np.float32(235) - faded) * white[..., None], np.float32)
