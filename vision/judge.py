"""Tells the cards of a chain apart: each face is held against what is seen of the card, and gets a likelihood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.align import Placed
from vision.bank import CARD_H, CARD_W, FINE, LAY_MM, MIDDLE, Bank, card_px
from vision.column import Column
from vision.explain import laid, under, wrongness
from vision.headers import header_costs
from vision.likeness import Look
from vision.stack import Candidate

NOISE: Final = 2.0
"""How much more a nat counts between two faces that noise alone keeps from matching."""
TELLING_MM: Final = 36.0
"""How much of a card tells which it is where nothing shines: the header and what it stands on."""
UNVEILED: Final = 0.97
"""Share of a card that must be free of glare for that."""
FAR: Final = 25.0
"""Nats by which a header may trail and still be held against the card in full."""
VEILED: Final = 0.8
"""Less of a card than this free of glare: what brightness tells is used too."""
WRONG_WEIGHT: Final = 0.02
"""Nats for each mm² that is plainly not of a face's brightness."""
RIVALS: Final = 6
"""Faces that are held against each card in full."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One card of a chain. `faces`: numbers in the bank, likeliest first, with their distance from the first, nats."""

    faces: tuple[tuple[int, float], ...]
    place: Placed
    visible: float
    """How much of it shows, mm of rows."""
    match: float
    """Correlation of detail with the best face, -1..1."""
    hue_error: float
    """Squared error of hue with the best face, in spreads."""


def judge(bank: Bank, column: Column, chain: tuple[Candidate, ...], faces: int) -> list[Judged]:
    """Hold the faces against each card of a chain, bottom to top."""
    out: list[Judged] = []
    for k, card in enumerate(chain):
        strip = chain[k + 1].top - card.top if k + 1 < len(chain) else 88.0
        first = header_costs(column, bank, faces, card.place, float(np.clip(strip - 1, 8, 20)))
        ranked = np.argsort(first).tolist()
        rivals = [f for n, f in enumerate(ranked[:RIVALS]) if n < 2 or first[f] < first[ranked[0]] + FAR]
        clear = _clear(bank, column, card, strip)
        veiled = float(clear.mean()) <= UNVEILED
        # The back is the face most often covered and the one a veil disguises best.
        rivals += [f for f in dict.fromkeys((card.face, bank.back)) if f not in rivals]
        apart: list[tuple[int, float]] = []
        if not veiled and card.face == ranked[0]:
            # Where nothing shines, a header that trails far is held against the card no more.
            apart = [(f, float(first[f] - first[ranked[0]])) for f in rivals if first[f] >= first[ranked[0]] + FAR]
            rivals = [f for f in rivals if first[f] < first[ranked[0]] + FAR]
        tried = [(*_held(bank, column, face, card.place, chain[k + 1 :], strip, clear), face) for face in rivals]
        tried.sort(key=lambda t: t[0])
        nats, place, visible, rho, hue_error, _ = tried[0]
        # Where nothing shines, what stays unexplained is noise, and noise is independent from pixel to pixel: a
        # difference in correlation then tells more than where it is print badly matched.
        noisy = rho > 0.45 and hue_error < 2.0 and not veiled
        telling = 1 + NOISE * (1 - rho * rho) if noisy else 1.0
        led = [*((t[5], telling * (t[0] - nats)) for t in tried), *apart]
        led.sort(key=lambda t: t[1])
        out.append(Judged(tuple(led), place, visible, rho, hue_error))
    return out


def _clear(bank: Bank, column: Column, card: Candidate, strip: float) -> NDArray[np.float32]:
    """Where a card is not under glare, (176, 127), 0..1: there print and hue can be compared."""
    seen = under(column.tones, laid(card.place, MIDDLE), card_px(MIDDLE))
    _, trust = wrongness(seen, bank.patterns[MIDDLE][card.face], column.spread, round(min(strip, 18.0) * MIDDLE))
    if trust is None:
        return np.ones((CARD_H, CARD_W), np.float32)
    fine = cv2.resize(trust, (CARD_W, CARD_H), interpolation=cv2.INTER_LINEAR)
    # A card wholly under glare is judged by what little shines through.
    return np.asarray(np.maximum(fine, 0.05), dtype=np.float32)


def _held(
    bank: Bank,
    column: Column,
    face: int,
    start: Placed,
    above: tuple[Candidate, ...],
    strip: float,
    clear: NDArray[np.float32],
) -> tuple[float, Placed, float, float, float]:
    """How unlike one face and a card are (nats), where it then lies, mm visible, correlation of detail, hue error."""
    aligner = bank.lay[face][1 if strip >= LAY_MM[1] - 1 else 0]
    place, match = aligner.lay(column.fine_crisp, start, rounds=4)
    corner = np.array([[CARD_W / 2, 10 * FINE]])
    if match < 0.2 or np.hypot(*(place.points(corner) - start.points(corner))[0]) > 2.5 * FINE:
        place = start
    most = CARD_H if float(clear.mean()) <= UNVEILED else round(TELLING_MM * FINE)
    rows = min(most, CARD_H if not above else int(np.clip((strip + 7) * FINE, 10 * FINE, CARD_H)))
    open_part = shown(place, above)
    visible = float(open_part.sum()) / (FINE * CARD_W)
    open_part = open_part[:rows]
    telling = bank.telling[FINE] if face < bank.count else bank.telling[FINE][::-1, ::-1]
    mask = open_part * clear[:rows] * telling[:rows]
    look = Look(under(column.fine, laid(place, FINE), (CARD_W, rows)), mask, FINE)
    pattern = bank.patterns[FINE][face]
    nats, rho, hue_error = look.against(pattern.sharp[:rows], pattern.roots[:rows])
    if float(clear.mean()) < VEILED:
        nats += _brightness(bank, column, face, place, open_part * clear[: len(open_part)], rows)
    return nats, place, visible, rho, hue_error


def _brightness(
    bank: Bank, column: Column, face: int, place: Placed, open_part: NDArray[np.float32], rows: int
) -> float:
    """Nats against a face for what glare spares: glare adds light, so nothing may be darker than the face has it."""
    mask = np.zeros((CARD_H, CARD_W), np.float32)
    mask[:rows] = open_part[:rows]
    small = cv2.resize(mask, card_px(MIDDLE), interpolation=cv2.INTER_AREA)
    seen = under(column.tones, laid(place, MIDDLE), card_px(MIDDLE))
    wrong, _ = wrongness(seen, bank.patterns[MIDDLE][face], column.spread, glaring=True)
    return WRONG_WEIGHT * float((wrong * small * (small > 0.5)).sum())


def shown(place: Placed, above: tuple[Candidate, ...]) -> NDArray[np.float32]:
    """1 where a card is not covered by those above it, (176, 127) float32, a millimetre's margin taken off."""
    mask = np.ones((CARD_H, CARD_W), np.float32)
    m = np.vstack([place.matrix(), [0, 0, 1]])
    back = np.linalg.inv(m)
    rim = 1.0 * FINE
    corners = np.array([[-rim, -rim], [CARD_W + rim, -rim], [CARD_W + rim, CARD_H], [-rim, CARD_H]])
    for card in above:
        quad = card.place.points(corners) @ back[:2, :2].T + back[:2, 2]
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 0.0)
    return mask
