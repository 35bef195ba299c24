"""Tells faces of equal print apart by colour: three Maneuvers may share picture and words and differ in a hue alone.

The light over a card is not known well enough to name a hue, so colours are compared within one light: what the faces
have in common (their picture, their ink) tells gain, tint and veil there, the boards tell how much colour the camera
leaves, and only then is the header held against each face's. The likelihood is that of a normal error whose size is
learnt from the card itself (Student's t), over as few independent parts as a header has in bad light.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Floats, Grey, Tones

EQUAL: Final = (0.979, 0.95)
"""Correlation of detail from which two faces' print counts as equal: of their headers, and of the whole faces. Three
Maneuvers of one picture reach 0.98 and 0.94 to 0.99; other pairs of drawn decks 0.976 and 0.94."""
SAME_WORDS: Final = 0.75
"""The same for the three Maneuvers, whose words are the same in every edition: where their print is faint or was cut
out a little off, noise parts them."""
SLACK: Final = 3
"""How far two faces may be shifted against each other, mm."""
CELL: Final = 6.0
"""Side of the parts whose mean colours are compared, mm: print laid a millimetre off hardly changes them."""
PARTS: Final = 20.0
"""Independent parts of a header. On 83 such cards of two decks in many kinds of light none was taken for another; the
least clear led by 4 nats."""
FLOOR: Final = 2e-4
"""Squared error, root of light, that no camera stays below."""
TINT: Final = 0.08
"""Standard deviation of the light's local tint, logarithm of a channel's gain."""
VEIL: Final = 0.15
"""Standard deviation of a veil over a card, linear light."""
VEILS: Final = (-0.03, 0.7)
"""Least and most of it."""
ERROR: Final = 0.03
"""Error of a part, root of light, against which tint and veil are weighed."""
FAR: Final = 0.06
"""Error from which a part counts less and less: a stain, a finger, the edge of glare."""
MOST: Final = 0.2
"""Error beyond which a part tells no more."""
SEEN: Final = 0.7
"""Share of a part that must be seen."""
FEWEST: Final = 6
"""Parts that must be seen, else all faces are as likely."""
ENOUGH: Final = 24
"""Parts that count in full: fewer are that much less independent."""
FULL: Final = 0.93
"""Share of the light that a camera gives at most from which a part's channel is full."""
ROUNDS: Final = 5

_PLANE: Final = np.eye(3) - 1 / 3


def equal_print(details: Sequence[Grey], least: float, same_words: Sequence[int]) -> NDArray[np.bool_]:
    """Which faces have equal print, (n, n). `details`: detail of each face's brightness, (h, w) float32 at 1 px/mm;
    `same_words`: the faces that bear the same words in every edition."""
    equal = np.eye(len(details), dtype=np.bool_)
    for i, one in enumerate(details):
        inner = one[SLACK:-SLACK, SLACK:-SLACK]
        for j in range(i + 1, len(details)):
            # Faces are cut out to a millimetre: the best of the places around counts.
            alike = float(cv2.matchTemplate(details[j], inner, cv2.TM_CCOEFF_NORMED).max())
            enough = SAME_WORDS if i in same_words and j in same_words else least
            equal[i, j] = equal[j, i] = alike >= enough
    return equal


def colour_costs(
    seen: Tones, faces: Sequence[Tones], shows: Grey, saturation: float, most: NDArray[np.float32]
) -> Floats:
    """Nats against each of some faces of equal print, least 0.

    `seen`: root of light over the whole card, (h, w, 3) at 1 px/mm; `faces`: the same of each face; `shows`: (h, w),
    1 where the card is seen and not hidden by glare; `saturation`: share of colour that the camera leaves; `most`: root
    of light that it gives at most in each channel, (3,).
    """
    size = (round(seen.shape[1] / CELL), round(seen.shape[0] / CELL))
    use = _cells(shows, size).ravel() > SEEN
    if int(use.sum()) < FEWEST:
        return np.zeros(len(faces))
    light = _cells(seen * seen, size).reshape(-1, 3)[use].astype(np.float64)
    known = [_faded(_cells(face * face, size).reshape(-1, 3)[use], saturation) for face in faces]
    # Where the faces do not differ tells the light; where they do tells which it is.
    telling = np.stack([np.sqrt(k) for k in known]).var(0).sum(1)
    weight = _cells(shows, size).ravel()[use].astype(np.float64)
    error = np.array([_error(light, k, weight, weight * telling, most.astype(np.float64) ** 2) for k in known])
    parts = PARTS * min(1.0, int(use.sum()) / ENOUGH)
    return np.asarray(parts / 2 * np.log((error + FLOOR) / (error.min() + FLOOR)), dtype=np.float64)


def _cells(picture: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.float32)


def _faded(light: NDArray[np.float32], saturation: float) -> Floats:
    """Linear light (N, 3) as a camera shows it that leaves that share of colour."""
    roots = np.sqrt(light.astype(np.float64))
    mean = roots.mean(1, keepdims=True)
    out: Floats = np.maximum(mean + saturation * (roots - mean), 0.0) ** 2
    return out


def _error(seen: Floats, known: Floats, weight: Floats, telling: Floats, most: Floats) -> float:
    """Mean squared error in root of light, weighted by `telling`, of `gain * known + veil` fitted to `seen` (N, 3)."""
    gains = np.full(3, float(weight @ seen.sum(1)) / max(float(weight @ known.sum(1)), 1e-6))
    veil = 0.0
    prior = ERROR**2 * 3 * float(weight.sum()) / PARTS
    roots = np.sqrt(np.maximum(seen, 0))
    for _ in range(ROUNDS):
        shown = np.maximum(known * gains + veil, 1e-3)
        off = np.sqrt(((roots - np.sqrt(shown)) ** 2).mean(1))
        w = (weight / (1 + (off / FAR) ** 2))[:, None] / (4 * shown)
        # Of a channel that is full only the least is known.
        w = np.where((seen >= FULL * most) & (shown >= seen), 0.0, w)
        normal = np.zeros((4, 4))
        normal[np.arange(3), np.arange(3)] = (w * known * known).sum(0)
        normal[:3, 3] = normal[3, :3] = (w * known).sum(0)
        normal[3, 3] = w.sum() + prior / VEIL**2
        normal[:3, :3] += _PLANE * (prior / (TINT * max(float(gains.mean()), 0.05)) ** 2)
        right = np.append((w * known * seen).sum(0), (w * seen).sum())
        step = np.linalg.solve(normal + 1e-9 * np.eye(4), right)
        gains, veil = np.maximum(step[:3], 0.02), float(np.clip(step[3], *VEILS))
    shown = np.minimum(np.maximum(known * gains + veil, 1e-3), most)
    off2 = np.minimum(((roots - np.sqrt(shown)) ** 2).mean(1), MOST**2)
    return float(telling @ off2) / max(float(telling.sum()), 1e-9)
