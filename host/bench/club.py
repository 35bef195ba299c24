"""Club night at scale: pairing, and many simulated tables while the broker and the desk are killed.

Imports of `host.club` stand inside the functions, because only the extra `club` brings what it needs.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Final

from host.bench.figure import Figure, Measured

TOURNAMENTS: Final = 1000


def _pairing(scale: float) -> Iterator[Measured]:
    from host.club.simulation.random_tournaments import BREACHES, tournament

    count, found = max(20, round(TOURNAMENTS * scale)), Counter[str]()
    for seed in range(count):
        found += tournament(seed)
        if seed % 20 == 19:
            sys.stderr.write(f"\r{seed + 1} tournaments, {sum(found[b] for b in BREACHES)} breaches  ")
    sys.stderr.write("\n")
    for name in ("rounds", "late", "dropped", "returned", "byes", "refused", *BREACHES):
        yield Measured(float(found[name]), count, name)


FIGURES: Final = (
    Figure("club.pairing", "count", "random tournaments: rounds, breaches of what pairing promises", _pairing),
)
