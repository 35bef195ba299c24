"""The small sign by which some decks tell a theater's cards: a dot in the theater's colour beside the number.

Where three Maneuvers share their print and have headers of nearly one hue, such a sign tells them apart. It is some
five millimetres wide: parts of a card mix it with the paper around it, and a camera that smears colours does, too. So
only its core is looked at, and the same place on every other card of the table, which bears the sign of its own
theater: those tell how it would look here, and how far its colour is thinned by what lies around it. What shines over
one end of a card makes a dark sign a pale one: the ink beside it tells how much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Floats, Grey, Tones

HEADER_MM: Final = 24
"""How much of a card is searched for its small sign, mm."""
RIM: Final = 2
"""Outermost mm of a card that are left out."""
SOFT: Final = 0.7
"""mm over which the faces' differences are smoothed before the core is taken."""
CORE: Final = 0.6
"""Share of the most by which faces differ there from which a point belongs to the core. With 0.3, half of what is
looked at is the paper around it: of 138 such Maneuvers 132 instead of 133 are right and certain, one instead of none is
wrong."""
SHOWN: Final = 0.4
"""Share of the core that must be seen. Of 232 photographs of 15 decks, most with such a sign, one more is right and
sure and one Maneuver more is read right than with 0.9, and none less."""
AROUND: Final = 3.0
"""Spread of what lies around it, mm: how far a camera's processing smears colours."""
TOUCHED: Final = 0.05
"""Share of a part of a card from which it has the sign in it, and tells no header's hue."""

BESIDE: Final = 6.0
"""Spread of what lies beside the sign, mm, that tells how much of a veil lies over it;"""
REACH: Final = 12
"""and how far that is looked at, mm."""
INK: Final = (0.03, 0.15)
"""Error of a veil that a point beside the sign tells, linear light, and the share of its own light that adds to it:
dark ink tells it best."""
ALIKE_POINTS: Final = 10.0
"""Points that err alike there. Of 2,297 cards of thirteen decks with a sign, an S3 under a wide shine is one at 0.73
that was an A3 for certain while one veil was taken to lie all over a card; three others change by 0.02 to 0.08, all of
them for the better."""


@dataclass(frozen=True, slots=True, eq=False)
class SignCore:
    """Where on a card the deck's small sign is printed."""

    rows: slice
    columns: slice
    weight: Grey
    """How much each point of these rows and columns counts, 1 in sum."""

    def of(self, picture: NDArray[np.float32]) -> NDArray[np.float32]:
        """A part of a picture of the whole card at 1 px/mm."""
        return picture[self.rows, self.columns]

    def mean(self, part: NDArray[np.float32]) -> Floats:
        """The mean over the core of such a part, (3,)."""
        return np.asarray(_summed(self.weight, part), dtype=np.float64)

    def shown(self, shows: Grey) -> SignCore | None:
        """What of it is seen of a card that `shows` there, (h, w) at 1 px/mm; None if that is too little."""
        weight = self.of(shows) * self.weight
        share = float(weight.sum())
        return SignCore(self.rows, self.columns, weight / np.float32(share)) if share >= SHOWN else None


@dataclass(frozen=True, slots=True, eq=False)
class SignBeside:
    """What is printed beside the sign on some faces."""

    rows: slice
    columns: slice
    near: Grey
    """How much each point of these rows and columns tells of what lies over the sign."""
    light: tuple[Tones, ...]
    """Linear light of that part of each face."""


@dataclass(frozen=True, slots=True, eq=False)
class SignPrint:
    """The sign on some faces of equal print, or what another face has in its place."""

    core: SignCore
    light: tuple[Tones, ...]
    """Linear light of its part of each face."""
    around: tuple[Tones, ...]
    """Root of light by which what lies around each point of that is lighter."""
    beside: SignBeside
    """What lies beside it."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenBeside:
    """What is seen beside a sign, most of it dark ink: a veil shows best on that."""

    light: float
    """Linear light."""
    known: Floats
    """The same of the face, (3,)."""
    firm: float
    """One over the squared error of a veil that is told by it."""


@dataclass(frozen=True, slots=True, eq=False)
class SignColours:
    """What is seen in a sign's place on one card, and what each face that it may be has there."""

    light: Floats
    """Linear light, (3,)."""
    known: tuple[Floats, ...]
    """The same of each face."""
    around: tuple[Floats, ...]
    """Root of light, (3,), by which what lies around it is lighter, on each face."""
    full: float
    """Share of it of which a channel is full."""
    beside: tuple[SeenBeside, ...]
    """What is seen beside it, for each face."""


def core_of(roots: Sequence[Tones]) -> SignCore:
    """Where faces of equal print differ most; they are given as root of light at 1 px/mm."""
    differ = np.stack(roots).var(0).sum(2)
    differ[:RIM] = differ[-RIM:] = differ[:, :RIM] = differ[:, -RIM:] = differ[HEADER_MM:] = 0
    soft = np.asarray(cv2.GaussianBlur(differ, (0, 0), SOFT), dtype=np.float32)
    most = np.unravel_index(int(soft.argmax()), soft.shape)
    beyond = np.clip((soft / max(float(soft[most]), 1e-9) - CORE) / (1 - CORE), 0, 1)
    _, blobs = cv2.connectedComponents((beyond > 0).astype(np.uint8))
    blobs = np.asarray(blobs)
    core = np.where(blobs == blobs[most], beyond, 0)
    if not core.any():
        # They differ nowhere in their headers: what they all have in any place tells nothing.
        core[RIM, RIM] = 1
    rows, columns = (slice(int(n.min()), int(n.max()) + 1) for n in np.nonzero(core))
    weight = core[rows, columns]
    return SignCore(rows, columns, np.asarray(weight / weight.sum(), dtype=np.float32))


def print_of(roots: Sequence[Tones], core: SignCore) -> SignPrint:
    """What faces, given as root of light at 1 px/mm, have in a sign's place."""
    light, around = [], []
    for face in roots:
        part = core.of(face)
        smooth = np.asarray(cv2.GaussianBlur(face[: HEADER_MM + round(3 * AROUND)], (0, 0), AROUND), dtype=np.float32)
        light.append(part * part)
        around.append(core.of(smooth) - part)
    return SignPrint(core, tuple(light), tuple(around), _beside(roots, core))


def _beside(roots: Sequence[Tones], core: SignCore) -> SignBeside:
    own = np.zeros(roots[0].shape[:2], np.uint8)
    own[core.rows, core.columns] = core.weight > 0
    bounds = ((core.rows, len(own)), (core.columns, len(own[0])))
    rows, columns = (slice(max(of.start - REACH, RIM), min(of.stop + REACH, size - RIM)) for of, size in bounds)
    far = cv2.distanceTransform(1 - own, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)[rows, columns]
    # Next to the sign a card laid a little off shows it.
    near = np.where(far > RIM, np.exp(-((far / BESIDE) ** 2) / 2), 0).astype(np.float32)
    return SignBeside(rows, columns, near, tuple(face[rows, columns] ** 2 for face in roots))


def sign_seen(seen: Tones, shows: Grey, sign: SignPrint, saturation: float, full: Floats) -> SignColours | None:
    """What is seen of a sign on a card, given as root of light at 1 px/mm; None where too little of it `shows`.

    `saturation`: share of colour that the camera leaves; `full`: linear light (3,) from which a channel is full.
    """
    core = sign.core.shown(shows)
    if core is None:
        return None
    light = core.of(seen) ** 2
    blown = float(((light >= full).any(2) * core.weight).sum())
    known = tuple(_thinned(core.mean(face), saturation) for face in sign.light)
    beside = _seen_beside(seen, shows, sign.beside, saturation, full)
    return SignColours(core.mean(light), known, tuple(core.mean(face) for face in sign.around), blown, beside)


def _seen_beside(
    seen: Tones, shows: Grey, beside: SignBeside, saturation: float, full: Floats
) -> tuple[SeenBeside, ...]:
    light = seen[beside.rows, beside.columns] ** 2
    free = shows[beside.rows, beside.columns] * beside.near * (light < full).all(2)
    out: list[SeenBeside] = []
    for face in beside.light:
        weight = free / (INK[0] ** 2 + (INK[1] * face.mean(2)) ** 2)
        firm = float(weight.sum())
        share = weight / max(firm, 1e-9)
        known = _thinned(_summed(share, face).astype(np.float64), saturation)
        out.append(SeenBeside(float(_summed(share, light).mean()), known, firm / ALIKE_POINTS))
    return tuple(out)


def touched(core: SignCore, card_size: tuple[int, int], size: tuple[int, int]) -> NDArray[np.bool_]:
    """Which parts of a card of `card_size` (down, across, mm) have the sign in them, (N,); `size`: across, down."""
    card = np.zeros(card_size, np.float32)
    core.of(card)[...] = core.weight / core.weight.max()
    return np.asarray(cv2.resize(card, size, interpolation=cv2.INTER_AREA) >= TOUCHED).ravel()


def _summed(weight: Grey, part: Tones) -> NDArray[np.float32]:
    """The sum over some points, (h, w, 3), of what each weighs, (h, w): (3,)."""
    # A tenth of the time of `np.tensordot`.
    return np.asarray(weight.ravel() @ part.reshape(-1, 3), dtype=np.float32)


def _thinned(light: Floats, saturation: float) -> Floats:
    root = np.sqrt(light)
    grey = root.mean()
    return np.asarray(np.maximum(grey + saturation * (root - grey), 0.0) ** 2, dtype=np.float64)
