"""Where things lie in the camera's picture: seats, boards and card places, for a page that writes their names there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.names import SEATS
from vision.geometry import table as geometry
from vision.geometry.registration import Registration
from vision.types import Picture

SEAT_AT: Final = geometry.MAT[1] / 2 - 16.0
"""How far from the middle a seat's name stands, mm: on the mat, beyond the cards."""
CARD_AT: Final = geometry.BOARD[1] / 2 + geometry.FIRST_GAP + geometry.CARD[1] / 2


@dataclass(frozen=True, slots=True)
class Label:
    """A place, such as `near`, `left` or `left/near`, and where it lies: shares of the picture's width and height."""

    at: str
    x: float
    y: float


def labels(registration: Registration, image: Picture) -> tuple[Label, ...]:
    """The labels of everything that lies inside the picture, (h, w, 3)."""
    places: dict[str, tuple[float, float]] = {seat: (0.0, SEAT_AT * geometry.outward(seat)) for seat in SEATS}
    for spot, x in zip(geometry.BOARD_SPOTS, geometry.BOARD_X, strict=True):
        places[spot] = (x, 0.0)
        for seat in SEATS:
            places[f"{spot}/{seat}"] = (x, CARD_AT * geometry.outward(seat))
    size = np.array((image.shape[1], image.shape[0]), dtype=np.float64)
    shares = registration.project(np.array(list(places.values()))) / size
    return tuple(
        Label(at, float(x), float(y)) for at, (x, y) in zip(places, shares, strict=True) if 0 <= x <= 1 and 0 <= y <= 1
    )


def quarter_turns(registration: Registration) -> int:
    """Quarter turns against the clock (0 to 3) after which the near seat is at the bottom of the picture."""
    near, far = registration.project(np.array(((0.0, -200.0), (0.0, 200.0))))
    right, down = near - far
    if abs(down) >= abs(right):
        return 0 if down > 0 else 2
    # A near seat at the right comes to the bottom by three quarter turns against the clock, one at the left by one.
    return 3 if right > 0 else 1


def measured_tag_side(registration: Registration) -> float | None:
    """Length of the tags' sides, mm, as the tags' distances from each other tell it; None with fewer than three tags.

    Tags that were printed smaller than they should be and glued on at the right places are found out by this; a mat
    that was printed smaller as a whole is not, and needs a ruler.
    """
    if len(registration.tags) < 3:
        return None
    sides: list[float] = []
    for corners in registration.tags.values():
        on_table = registration.to_table(np.asarray(corners, dtype=np.float64))
        sides += [float(np.hypot(*(on_table[k] - on_table[(k + 1) % 4]))) for k in range(4)]
    return float(np.mean(sides))
