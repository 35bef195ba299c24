"""How the link is, in numbers and in one trouble with its remedy: what the phone page, `doctor` and the log show."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Literal, TypeAlias

from host.link.session import Counts
from host.link.trouble import LinkTrouble

LinkState: TypeAlias = Literal["off", "looking", "asking", "up"]
"""off: no lights wanted; looking: no board to talk to; asking: a line is open and nobody has answered yet; up."""


@dataclass(frozen=True, slots=True)
class LinkHealth:
    """The link at one moment. Times in seconds; `t` by the clock that the link was given."""

    t: float = 0.0
    state: LinkState = "off"
    trouble: LinkTrouble | None = None
    port: str | None = None
    description: str = ""
    firmware: str | None = None
    protocol: tuple[int, int] | None = None
    board: str | None = None
    reset_cause: str | None = None
    virtual: bool = False
    """The controller is one without hardware."""
    shown: bool = False
    """The board has confirmed the frame that is wanted now."""
    up_for: float = 0.0
    down_for: float = 0.0
    outages: int = 0
    longest_outage: float = 0.0
    latency_p50_ms: float | None = None
    latency_p99_ms: float | None = None
    limit: int = 255
    """255: as bright as asked; less: the current budget dims the picture to (limit + 1)/256."""
    bad_frames: int = 0
    counts: Counts = field(default_factory=Counts)
    board_counts: dict[str, int] = field(default_factory=dict)
    """The board's own statistics, by their names in PROTOCOL.md; empty before the first answer."""

    def as_json(self) -> dict[str, object]:
        """Every field, in types that JSON has."""
        return asdict(self)
