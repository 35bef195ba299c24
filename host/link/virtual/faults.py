"""The fault menu of the controller without hardware: what can be wrong with a board or its cable, on order."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Final


@dataclass(slots=True)
class Faults:
    """What is wrong now; change it at any time. Shares are likelihoods in 0..1, times are seconds."""

    silent: bool = False
    """Hears everything, says nothing."""
    slow_s: float = 0.0
    """Every answer comes this much later."""
    garbage: float = 0.0
    """Share of frames before which a burst of random bytes comes."""
    mangled: float = 0.0
    """Share of bytes changed, either way."""
    dropped: float = 0.0
    """Share of bytes lost, either way."""
    halved: float = 0.0
    """Share of frames of which only the first half comes."""
    resets_every_s: float = 0.0
    """The board restarts again and again; 0: it does not."""
    protocol: tuple[int, int] | None = None
    """The protocol version that it says it speaks."""

    def spoil_out(self, frame: bytes, chance: random.Random) -> bytes:
        """What comes of a frame that the board sends."""
        if self.silent:
            return b""
        if self.halved and chance.random() < self.halved:
            frame = frame[: len(frame) // 2]
        if self.garbage and chance.random() < self.garbage:
            frame = chance.randbytes(chance.randint(1, 80)) + frame
        return self.spoil(frame, chance)

    def spoil(self, data: bytes, chance: random.Random) -> bytes:
        """What the cable makes of bytes."""
        if not self.dropped and not self.mangled:
            return data
        kept = (b for b in data if chance.random() >= self.dropped)
        return bytes(chance.randrange(256) if chance.random() < self.mangled else b for b in kept)


MENU: Final[dict[str, Faults]] = {
    "none": Faults(),
    "silent": Faults(silent=True),
    "slow": Faults(slow_s=0.12),
    "garbage": Faults(garbage=0.3),
    "mangled": Faults(mangled=0.004),
    "resets": Faults(resets_every_s=7.0),
    "drops": Faults(dropped=0.004),
    "half-frames": Faults(halved=0.2),
    "old-version": Faults(protocol=(0, 9)),
    "new-version": Faults(protocol=(2, 0)),
}
"""Faults by name, for the command line. Freezing and unplugging are deeds, not states: see VirtualController."""


def faults_named(name: str) -> Faults:
    """A fresh copy of a fault from the menu; raises KeyError."""
    return replace(MENU[name])
