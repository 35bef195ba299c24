"""A sight: what lies on the table as an onlooker sees it, with doubts. It travels from `vision` to the referee."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from engine.names import Face, Theater
from engine.places import PLACES, Board, Place

MisplacedCode: TypeAlias = Literal["beside-columns", "on-board", "askew"]
"""A card lies where no column is read: between or beside the columns, over a board, or too much askew."""
NoteCode: TypeAlias = Literal[
    "wrong-way-round", "board-missing", "board-twice", "seen-twice", "foreign", "doubtful", MisplacedCode
]
MISPLACED: Final[tuple[MisplacedCode, ...]] = ("beside-columns", "on-board", "askew")


@dataclass(frozen=True, slots=True)
class SeenCard:
    """One card of a stack as read.

    `read` is the best reading and `p` its calibrated likelihood; `others` are the remaining readings worth
    keeping, likeliest first, each with its likelihood. All likelihoods lie in 0..1 and sum to at most 1.
    """

    read: Face
    p: float = 1.0
    others: tuple[tuple[Face, float], ...] = ()
    wrong_way: bool = False
    """The card's top edge points towards its owner: it lies the wrong way round for its side."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something that is not as it should be. `at` is a place like `"A/near/1"`, a board like `"A"`, or empty.

    Of a misplaced card it is the nearest column, or the board where it lies on neither side, and what it shows where
    that was told: `"S/near"`, `"S/near/S4"`, `"S/-"`.
    """

    code: NoteCode
    at: str = ""


@dataclass(frozen=True, slots=True)
class Sight:
    """The whole table in one still moment.

    `order` is the boards from left to right for the near seat, or None if one is missing or unknown. `sure` is
    False where the reading should not be acted upon without a second look.
    """

    order: tuple[Theater, Theater, Theater] | None
    stacks: Mapping[Place, tuple[SeenCard, ...]]
    sure: bool = True
    notes: tuple[Note, ...] = field(default=())

    @property
    def board(self) -> Board:
        """The best reading of every place, without the doubts."""
        return MappingProxyType({place: tuple(c.read for c in self.stacks.get(place, ())) for place in PLACES})


def sight_of(board: Mapping[Place, tuple[Face, ...]], order: tuple[Theater, Theater, Theater] | None) -> Sight:
    """A sight without doubts of the given board: what a perfect reader would see."""
    return Sight(order, MappingProxyType({p: tuple(SeenCard(f) for f in board.get(p, ())) for p in PLACES}))
