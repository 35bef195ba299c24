"""What lasts and what is attacked: every figure counts what failed, and its n is what was tried."""

from __future__ import annotations

from typing import Final

from host.bench.figure import Figure
from host.bench.soak import kills

FIGURES: Final[tuple[Figure, ...]] = (kills.FIGURE,)
