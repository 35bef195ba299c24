"""How well a face laid over a column explains what is seen there, pixel by pixel, against the bare table."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.align import Grey, Placed, grey
from vision.bank import FINE, MIDDLE, PATCH, Bank, Pattern, card_px
from vision.column import Column, wrong_by
from vision.light import Tones
from vision.likeness import inner

GLARE: Final = 0.22
"""Light beyond what a face explains that counts as glare."""
FLAT: Final = 0.45
"""Weight of a pixel without structure; print and edges weigh 1."""
VEIL: Final = 0.3
"""Veil above which what is seen through it is trusted less."""
HIDDEN: Final = 0.3
"""Cost of a pixel that glare hides: more than print that is seen, less than a table that does not shine."""
ALIKE: Final = 0.35
"""Local correlation of detail that speaks neither for a face nor against it."""

_ROW: Final = np.full(card_px(MIDDLE)[0], 1 / card_px(MIDDLE)[0], np.float32)

Costs = NDArray[np.float32]


def laid(place: Placed, scale: float) -> NDArray[np.float64]:
    """Card pixels at `scale` to column pixels at the same scale, (2, 3)."""
    m = place.matrix()
    if scale != FINE:
        # Pixel centres lie at half a pixel: the same point of the table has another coordinate at another scale.
        k = scale / FINE
        half = np.array([0.5, 0.5])
        m[:, 2] = (m[:, :2] @ (half / k - half) + m[:, 2] + half) * k - half
    return m


def under(image: NDArray[np.float32], matrix: NDArray[np.float64], size: tuple[int, int]) -> NDArray[np.float32]:
    """What lies under a card, in the card's own rows and columns: `size` (w, h) px, `matrix` from `laid`."""
    return np.asarray(
        cv2.warpAffine(
            image,
            matrix,
            size,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    )


def wrongness(
    seen: Tones, pattern: Pattern, spread: float, rows: int | None = None, glaring: bool = False
) -> tuple[Grey, Grey | None]:
    """How badly a face explains what is seen, (h, w), 0..1, and how far that can be trusted, (h, w), 0..1.

    Without glare all can be trusted: None. `seen`: root of light at `MIDDLE`, all of a card. Light is taken as
    `gain * known + veil`, with one gain and a veil that changes slowly over the card: glare on a sleeve or a varnish
    adds to all channels alike, so hue and print count. What lies under much veil is trusted less. `rows`: gain is
    learnt from the rows above it only; `glaring`: and only from what much glare spares.
    """
    known = pattern.light
    light = np.asarray(seen * seen, dtype=np.float32)
    learn = slice(2, rows if rows is not None else seen.shape[0])
    s, k = light[learn].ravel(), known[learn].ravel()
    n = float(s.size)
    sm, km = float(s.mean()), float(k.mean())
    cov = inner(s, k) / n - sm * km
    var = inner(k, k) / n - km * km
    gain = float(np.clip((cov + 0.01 * sm / max(km, 0.02)) / (var + 0.01), 0.5, 1.7))
    third = np.full((1, 3), 1 / 3, np.float32)
    rest = np.asarray(cv2.transform(cv2.scaleAdd(known, -gain, light), third), dtype=np.float32)
    # Glare on a sleeve has sharp edges: it is set apart first, so that what lies beside it is not blamed for it.
    patch = round(6 * MIDDLE)
    bright = (cv2.medianBlur(rest, 5) > GLARE).astype(np.uint8)
    glare = cv2.morphologyEx(bright, cv2.MORPH_OPEN, np.ones((patch, patch), np.uint8)) if bright.any() else bright
    window = (round(8 * MIDDLE) | 1,) * 2
    rim: Grey | None = None
    if glare.any():
        cross = np.ones((3, 3), np.uint8)
        rim = np.asarray(cv2.dilate(glare, cross) - cv2.erode(glare, cross), dtype=np.float32)
        shine = np.asarray(glare, dtype=np.float32)
        free = 1 - shine
        calm = cv2.erode(free, cross) > 0.5
        if glaring and 0.1 < float(calm.mean()) < 0.8:
            # What the glare spares tells how bright the card is; learnt from all of it, gain and glare would be mixed.
            gain = float(np.clip(np.median(light[calm].sum(1) / np.maximum(known[calm].sum(1), 0.02)), 0.25, 1.7))
            rest = np.asarray(cv2.transform(cv2.scaleAdd(known, -gain, light), third), dtype=np.float32)
        cover = cv2.blur(free, window, borderType=cv2.BORDER_REFLECT)
        around = cv2.blur(rest * free, window, borderType=cv2.BORDER_REFLECT) / np.maximum(cover, 0.02)
        within = cv2.blur(rest * shine, window, borderType=cv2.BORDER_REFLECT) / np.maximum(1 - cover, 0.02)
        veil = np.where(shine > 0.5, within, around)
    else:
        veil = cv2.blur(rest, window, borderType=cv2.BORDER_REFLECT)
    veil = np.clip(veil, -0.08, 0.8)
    shown = cv2.sqrt(np.maximum(cv2.scaleAdd(known, gain, cv2.merge([veil, veil, veil])), np.float32(1e-4)))
    wrong = wrong_by(np.asarray(cv2.subtract(seen, shown), dtype=np.float32), spread)
    wrong = np.minimum(wrong + np.minimum(np.abs(veil) * np.float32(0.5), np.float32(0.2)), np.float32(1))
    washed = _washed(seen, pattern, gain, rest)
    if rim is None and washed is None and float(veil.max()) <= VEIL:
        return np.asarray(wrong), None
    trust = np.clip(1 - (veil - VEIL) / 0.35, 0, 1)
    if rim is not None:
        trust *= 1 - rim
    if washed is not None:
        trust *= 1 - washed
    return np.asarray(wrong), np.asarray(trust, dtype=np.float32)


def _washed(seen: Tones, pattern: Pattern, gain: float, rest: Grey) -> Grey | None:
    """Where print that should be there is gone under a light that should not, (h, w), 0 or 1: glare blew it out."""
    more = rest > 0.05
    if np.count_nonzero(more) < 10:
        return None
    level = grey(seen)
    mean = cv2.blur(level, PATCH)
    rough = cv2.blur(level * level, PATCH) - mean * mean
    gone = (rough < 0.1 * gain * pattern.rough) & more
    if not gone.any():
        return None
    return np.asarray(cv2.blur(gone.astype(np.float32), PATCH) > 0.4, dtype=np.float32)


def row_costs(column: Column, bank: Bank, face: int, place: Placed, glaring: bool = False) -> Costs:
    """Cost of each row of a card at `MIDDLE` against the bare table, (88,), per mm."""
    pattern = bank.patterns[MIDDLE][face]
    matrix, size = laid(place, MIDDLE), card_px(MIDDLE)
    layers = under(column.layers, matrix, size)
    table = under(column.table, matrix, size)
    wrong, trust = wrongness(np.ascontiguousarray(layers[..., :3]), pattern, column.spread, round(18 * MIDDLE), glaring)
    steep, bare = cv2.split(table)
    weight = FLAT + (1 - FLAT) * np.maximum(pattern.steep, steep)
    print_cost = unlike(layers[..., 3], pattern)
    if trust is None:
        against = cv2.subtract(wrong, bare)
    else:
        against = trust * (wrong - bare) + (1 - trust) * np.minimum(0, HIDDEN - bare)
        # The edge of glare is detail too, as far as detail reaches.
        print_cost = print_cost * cv2.erode(trust, np.ones((9, 9), np.uint8))
    return np.asarray(cv2.add(cv2.multiply(weight, against), print_cost) @ _ROW, dtype=np.float32)


def unlike(seen: Grey, pattern: Pattern) -> Grey:
    """How far the detail of a face departs from what is seen, (h, w): below 0 where they go together, at `MIDDLE`.

    Local correlation, so a veil's edges and stains spoil their own surroundings and no more.
    """
    # Meshes and hatchings finer than three millimetres never lie exactly alike; they neither speak for nor against.
    seen = np.asarray(cv2.blur(seen, (3, 3)))
    both = cv2.blur(cv2.multiply(seen, pattern.soft), PATCH)
    s2 = cv2.blur(cv2.multiply(seen, seen), PATCH)
    together = both / (cv2.sqrt(np.maximum(s2 * pattern.power, np.float32(0))) + np.float32(0.0004))
    weight = np.minimum(np.maximum(s2, pattern.power) * np.float32(1 / 0.0016), np.float32(1))
    return np.asarray(cv2.multiply(weight, ALIKE - together), dtype=np.float32)
