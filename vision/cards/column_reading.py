"""What was read in one column, and what two readings of it tell together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from vision.cards.bare_table import PartLook, TableLook
from vision.cards.classify import Judged
from vision.cards.lead import either

PLAINER: Final = 0.1
"""By how much better a card's print goes with another face, as faces are, than what the camera clips of it does: then
what is clipped tells no face. In haze the right A3 went by 0.15 better than an L5 that led for certain; of five columns
of photographs that were told rightly as clipped, and otherwise before, none had a card that went less well."""
AS_WELL: Final = 0.05
"""By how much less well a card's print may go with another face, told the other way, for either to be meant: in haze an
L5 that was told as the camera clips it led by 9 nats at 0.89, where an A3 lay, told as faces are at 0.89."""


@dataclass(frozen=True, slots=True)
class ColumnReading:
    """What lies in one column, bottom to top."""

    cards: tuple[Judged, ...]
    cost: float
    """What the chain leaves unexplained against an empty column, mm; negative."""
    margin: float
    """How much more the best chain of another shape costs, mm."""
    foreign: bool
    """Something lies there that is no card."""
    hidden: bool
    """Something lies there that may be a card, or covers one: the reading should not be acted upon."""
    whole: bool = True
    """Nothing that is seen goes unexplained, be it as thin as the rim of a card under another."""
    things_alone: bool = False
    """Nothing tells of a card that was not read but what has not the table's colours (`Unexplained`)."""
    uppermost_fit: tuple[float, float] | None = None
    """How well all of the uppermost card and its lower part go with what is seen; None without cards."""
    uppermost_bare: bool = False
    """So little of that is seen that another card may lie on it askew, but its edges are seen all around
    (`outline.lies_bare`)."""
    table: TableLook | None = None
    """How the bare table beside it looks; None if not given."""
    bare: tuple[tuple[PartLook, ...], ...] = ()
    """How it looks where no card was read and one may lie under something, each place with its parts
    (`covered_place`)."""
    as_learnt: bool = False
    """A patterned table looks there as it did when it was seen empty."""
    printed_alike: bool = False
    """No card was read there, and what is seen is the mat's own print: other places show it, too."""
    blown_out: bool = False
    """Nothing is seen there but the most that the camera can show, and so is the bare table beside it."""


def either_way(reading: ColumnReading, other: ColumnReading) -> ColumnReading:
    """A reading whose cards are told by another one of as many cards, too, where that has another face for one of them
    that goes with it as well: which of the two shows cards as the camera does is not known."""
    if len(reading.cards) != len(other.cards):
        return reading
    cards = (
        one
        if one.faces[0][0] == than.faces[0][0] or than.match < one.match - AS_WELL
        else replace(one, faces=either(one.faces, than.faces))
        for one, than in zip(reading.cards, other.cards, strict=True)
    )
    return replace(reading, cards=tuple(cards))


def contradicted(reading: ColumnReading, other: ColumnReading) -> bool:
    """Whether another reading of as many cards has another face for one of them, and its print goes much better with
    that."""
    return len(reading.cards) == len(other.cards) and any(
        one.faces[0][0] != than.faces[0][0] and than.match > one.match + PLAINER
        for one, than in zip(reading.cards, other.cards, strict=True)
    )


__all__ = ["ColumnReading", "contradicted", "either_way"]
