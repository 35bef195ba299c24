"""Paper: its sizes, and how a mat is laid out on one sheet or several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.failure import BadInput

INCH: Final = 25.4
A4: Final = (210.0, 297.0)
LETTER: Final = (8.5 * INCH, 11 * INCH)
PAPERS: Final = {"a4": A4, "letter": LETTER}
"""Papers for tags and deck: width and height, mm."""


@dataclass(frozen=True, slots=True)
class Sheets:
    """A way to print the mat: paper as it lies (width, height in mm), how many across and from far to near, and the
    margin that printers of that size leave white."""

    paper: tuple[float, float]
    across: int = 1
    along: int = 1
    margin: float = 0.0

    @property
    def count(self) -> int:
        return self.across * self.along


SHEETS: Final[dict[str, Sheets]] = {
    "a2": Sheets((420.0, 594.0)),
    "2xa3": Sheets((420.0, 297.0), 1, 2, 4.2),
    "6xa4": Sheets((297.0, 210.0), 2, 3, 5.0),
    "18x24in": Sheets((18 * INCH, 24 * INCH)),
    "3xtabloid": Sheets((17 * INCH, 11 * INCH), 1, 3, 5.0),
    "6xletter": Sheets((11 * INCH, 8.5 * INCH), 2, 3, 5.0),
}
"""Every way to print the mat, by the name that the command takes."""

OVERLAP: Final = 10.0
"""By how much the print of two neighbouring sheets overlaps where there is room for it, mm."""


def paper(name: str) -> tuple[float, float]:
    """A paper's width and height, mm; raises `BadInput` (`unknown-paper`)."""
    if name not in PAPERS:
        raise BadInput("unknown-paper", f"{name!r} is not a paper here.", f"One of {', '.join(PAPERS)}.")
    return PAPERS[name]


def sheets(name: str) -> Sheets:
    """A way to print the mat; raises `BadInput` (`unknown-sheets`)."""
    if name not in SHEETS:
        raise BadInput("unknown-sheets", f"{name!r} is not a way to print the mat.", f"One of {', '.join(SHEETS)}.")
    return SHEETS[name]


@dataclass(frozen=True, slots=True)
class Spans:
    """How one direction of the mat is shared out: what each sheet prints, and where two sheets are cut and joined.

    Numbers are mm in the table frame, rising.
    """

    printed: tuple[tuple[float, float], ...]
    seams: tuple[float, ...]


def spans(count: int, side: float, margin: float, need: float, whole: float) -> Spans:
    """Shares out one direction: `count` sheets of `side` mm, of which `need` mm must be printed and `whole` may be.

    The print of neighbours overlaps by `OVERLAP` where paper is left for it, else by what there is. Raises
    `ValueError` where the paper is too small.
    """
    room = side - 2 * margin
    if count == 1:
        half = min(room, whole) / 2 if room >= need else 0.0
        if not half:
            raise ValueError(f"{need:g} mm do not fit on {side:g} mm of paper")
        return Spans(((-half, half),), ())
    overlap = min(OVERLAP, (count * room - need) / (count - 1))
    if overlap < 1.0:
        raise ValueError(f"{count} sheets of {side:g} mm are too small for {need:g} mm")
    step = room - overlap
    first = -(count * room - (count - 1) * overlap) / 2
    printed = tuple((first + k * step, first + k * step + room) for k in range(count))
    return Spans(printed, tuple(first + k * step + overlap / 2 for k in range(1, count)))
