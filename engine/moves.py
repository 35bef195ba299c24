"""A move: one decision of one seat, as the record and the commands write it (docs/contracts.md, section 3.1)."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from engine.names import Card, Seat, Theater

MoveKind: TypeAlias = Literal["deploy", "improvise", "withdraw", "flip", "move", "return", "reinforce", "decline"]

MOVE_KINDS: Final[tuple[MoveKind, ...]] = get_args(MoveKind)


class Move(NamedTuple):
    """One decision. Only the fields that `do` needs are set, the rest are None.

    A named tuple and not a class per deed: a search makes, compares and hashes them by the ten thousand.
    """

    do: MoveKind
    by: Seat
    card: Card | None = None
    """deploy; improvise and reinforce where known."""
    to: Theater | None = None
    """deploy, improvise, move, reinforce."""
    side: Seat | None = None
    """flip: whose card."""
    at: Theater | None = None
    """flip, return: the theater."""
    origin: Theater | None = None
    """move: the theater it leaves (`from` in JSON)."""
    nth: int | None = None
    """move, return: which card of the stack, from the bottom, 0 first (`index` in JSON)."""
    reveals: Card | None = None
    """flip: what came to light, where the record did not know it."""
