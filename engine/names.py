"""The names of the game, as every part and every outside tool writes them (docs/contracts.md, section 1)."""

from __future__ import annotations

from typing import Final, Literal, NewType, TypeAlias, cast

from engine.failure import BadInput

Theater: TypeAlias = Literal["A", "L", "S"]
Seat: TypeAlias = Literal["near", "far"]
EditionName: TypeAlias = Literal["first", "revised", "critters"]

Card = NewType("Card", str)
"""One of the eighteen battle cards: theater and printed strength, `A1` … `S6`."""

Face: TypeAlias = str
"""What an onlooker sees of a card on the table: a card's name, or `"-"` for one that lies face down."""

THEATERS: Final[tuple[Theater, ...]] = ("A", "L", "S")
SEATS: Final[tuple[Seat, ...]] = ("near", "far")
EDITIONS: Final[tuple[EditionName, ...]] = ("first", "revised", "critters")
CARDS: Final[tuple[Card, ...]] = tuple(Card(f"{t}{n}") for t in THEATERS for n in range(1, 7))
FACE_DOWN: Final[Face] = "-"

_CARDS: Final = frozenset(CARDS)


def other(seat: Seat) -> Seat:
    """The seat across the table."""
    return "far" if seat == "near" else "near"


def theater_of(card: Card) -> Theater:
    """The theater that a card is printed for."""
    return cast(Theater, card[0])


def strength_of(card: Card) -> int:
    """The strength printed on a card, 1 to 6."""
    return int(card[1])


def parse_card(text: object) -> Card:
    """`text` as a card; raises `BadInput` (`unknown-card`) for anything that is not one of the eighteen."""
    if isinstance(text, str) and text in _CARDS:
        return Card(text)
    raise BadInput("unknown-card", f"{text!r} is not a card.", "Cards are A1 to A6, L1 to L6 and S1 to S6.")


def parse_face(text: object) -> Face:
    """`text` as what an onlooker sees of a card: its name, or `"-"`; raises `BadInput` (`unknown-card`)."""
    return FACE_DOWN if text == FACE_DOWN else parse_card(text)


def parse_theater(text: object) -> Theater:
    """`text` as a theater; raises `BadInput` (`unknown-theater`)."""
    if isinstance(text, str) and text in THEATERS:
        return text
    raise BadInput("unknown-theater", f"{text!r} is not a theater.", "Theaters are A (air), L (land) and S (sea).")


def parse_seat(text: object) -> Seat:
    """`text` as a seat; raises `BadInput` (`unknown-seat`)."""
    if isinstance(text, str) and text in SEATS:
        return text
    raise BadInput("unknown-seat", f"{text!r} is not a seat.", "Seats are near and far.")


def parse_edition(text: object) -> EditionName:
    """`text` as an edition; raises `BadInput` (`unknown-edition`)."""
    if isinstance(text, str) and text in EDITIONS:
        return text
    raise BadInput("unknown-edition", f"{text!r} is not an edition.", "Editions are first, revised and critters.")


def parse_order(text: object) -> tuple[Theater, Theater, Theater]:
    """`text` such as `"SAL"` as the boards from left to right; raises `BadInput` (`unknown-order`)."""
    if isinstance(text, str) and sorted(text) == ["A", "L", "S"]:
        return cast(tuple[Theater, Theater, Theater], tuple(text))
    raise BadInput(
        "unknown-order", f"{text!r} is not an order of the boards.", 'Write each theater once, such as "ALS".'
    )
