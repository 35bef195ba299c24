"""Places on the table: one stack's place, a card's spot in it, and how both are written (`A/near`, `A/near/1`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.failure import BadInput
from engine.names import SEATS, THEATERS, Face, Seat, Theater, parse_seat, parse_theater

Place: TypeAlias = tuple[Theater, Seat]
"""One stack's place: a theater and a side."""

PLACES: Final[tuple[Place, ...]] = tuple((t, s) for t in THEATERS for s in SEATS)

Board: TypeAlias = Mapping[Place, tuple[Face, ...]]
"""Visible cards of each place, bottom to top. Every place is present."""

MOST_CARDS: Final = 18


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """A card's spot in a stack: `index` counts from the bottom, 0 first."""

    theater: Theater
    seat: Seat
    index: int

    @property
    def place(self) -> Place:
        return (self.theater, self.seat)

    def __str__(self) -> str:
        return f"{self.theater}/{self.seat}/{self.index}"


def place_text(place: Place) -> str:
    """A stack's place as it is written: `A/near`."""
    return "/".join(place)


def parse_place(text: object) -> Place:
    """The place that `place_text(place)` wrote; raises `BadInput` (`bad-place`)."""
    words = text.split("/") if isinstance(text, str) else []
    if len(words) != 2:
        raise BadInput("bad-place", f"{text!r} is no stack's place.", "Write it as A/near.")
    return parse_theater(words[0]), parse_seat(words[1])


def parse_spot(text: str) -> Spot:
    """The spot that `str(spot)` wrote; raises `BadInput` (`bad-place`)."""
    words = text.split("/")
    if len(words) != 3 or not words[2].isdigit() or len(words[2]) > 2:
        raise BadInput("bad-place", f"{text!r} is no card's spot.", "Write it as A/near/1, counted from the bottom.")
    return Spot(parse_theater(words[0]), parse_seat(words[1]), int(words[2]))
