"""What lasts and what is attacked: every figure counts what failed, and its n is what was tried."""

from __future__ import annotations

from typing import Final

from host.bench.figure import Figure
from host.bench.soak import damage, evenings, kills, load, pictures, requests, surroundings

FIGURES: Final[tuple[Figure, ...]] = (
    damage.FIGURE,
    evenings.FIGURE,
    kills.FIGURE,
    load.FIGURE,
    pictures.FIGURE,
    requests.FIGURE,
    surroundings.FIGURE,
)
