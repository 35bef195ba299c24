"""What can happen in a tournament. The desk writes each event down; the state is what they make one after another."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Literal, TypeAlias, get_args

from engine.failure import BadInput

System: TypeAlias = Literal["swiss", "round-robin"]
TieBreak: TypeAlias = Literal[
    "difference", "buchholz", "buchholz-cut", "sonneborn-berger", "head-to-head", "wins", "points"
]
How: TypeAlias = Literal["played", "walkover", "double-walkover"]

SYSTEMS: Final[tuple[System, ...]] = get_args(System)
TIE_BREAKS: Final[tuple[TieBreak, ...]] = get_args(TieBreak)
DEFAULT_TIE_BREAKS: Final[tuple[TieBreak, ...]] = ("difference", "buchholz", "head-to-head")
"""War points difference says most in this game; then how strong the opponents were; then who won between equals."""
LONGEST_NAME: Final = 60
"""Characters of a tournament's name."""
LONGEST_NOTE: Final = 300
MOST_POINTS: Final = 1000


@dataclass(frozen=True, slots=True)
class Opened:
    """The tournament as it was announced. `rounds` is ignored for round robin; `minutes` 0 means no round clock."""

    name: str
    system: System = "swiss"
    rounds: int = 3
    target: int = 12
    minutes: int = 45
    tie_breaks: tuple[TieBreak, ...] = DEFAULT_TIE_BREAKS
    delay: int = 0
    """Seconds by which the room's screen is behind the tables."""


@dataclass(frozen=True, slots=True)
class Changed:
    """Settings that were changed after the opening; None leaves one as it is."""

    name: str | None = None
    system: System | None = None
    rounds: int | None = None
    target: int | None = None
    minutes: int | None = None
    tie_breaks: tuple[TieBreak, ...] | None = None
    delay: int | None = None


@dataclass(frozen=True, slots=True)
class Entered:
    """A player is entered. `token` is what the player's code for check-in holds."""

    player: int
    name: str
    token: str


@dataclass(frozen=True, slots=True)
class Renamed:
    player: int
    name: str


@dataclass(frozen=True, slots=True)
class CheckedIn:
    """The player is there."""

    player: int


@dataclass(frozen=True, slots=True)
class Dropped:
    """The player plays no further round. A result of the round that is on still counts."""

    player: int


@dataclass(frozen=True, slots=True)
class Returned:
    """A player who had dropped out plays again."""

    player: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players and the number of their table. `near` sits at the near side."""

    table: int
    near: int
    far: int


@dataclass(frozen=True, slots=True)
class Paired:
    """A round's pairing. `bye` has no opponent and is credited a win."""

    round: int
    pairs: tuple[Pair, ...]
    bye: int | None = None


@dataclass(frozen=True, slots=True)
class Repaired:
    """The pairing of the round that is on, mended by hand; matches that stay the same keep their results."""

    round: int
    pairs: tuple[Pair, ...]
    bye: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reported:
    """A match's result. `near` and `far` are the war's points; `how` tells of players who did not come."""

    round: int
    table: int
    near: int
    far: int
    how: How = "played"
    reason: str = ""
    log: str = ""
    """The log and its sequence number that told it; empty where a person entered it."""
    sequence: int = 0


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A result that no longer holds: the table took its last move back, or the organiser cleared it."""

    round: int
    table: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TablePlaced:
    """The companion with this account serves the table of this number from now on."""

    table: int
    account: str


@dataclass(frozen=True, slots=True)
class ClockSet:
    """The round clock runs until `until`, seconds since 1970; None stops it."""

    until: float | None


@dataclass(frozen=True, slots=True)
class Announced:
    """What all tables and the screen show until the next announcement; an empty text ends it."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """No further round; the tables are their owners' again."""


@dataclass(frozen=True, slots=True)
class EventUndone:
    """The event with this sequence number does not count any more."""

    sequence: int


TournamentEvent: TypeAlias = (
    Opened
    | Changed
    | Entered
    | Renamed
    | CheckedIn
    | Dropped
    | Returned
    | Paired
    | Repaired
    | Reported
    | Withdrawn
    | TablePlaced
    | ClockSet
    | Announced
    | Finished
    | EventUndone
)

_KINDS: Final[Mapping[str, type[Any]]] = {kind.__name__.lower(): kind for kind in get_args(TournamentEvent)}


def kind_of(event: TournamentEvent) -> str:
    """The event's kind as it is written and looked up in the catalogues."""
    return type(event).__name__.lower()


def event_to_json(event: TournamentEvent) -> str:
    """The event as JSON text."""
    return json.dumps({"what": kind_of(event), **asdict(event)}, ensure_ascii=False, separators=(",", ":"))


def event_from_json(text: str) -> TournamentEvent:
    """The event of a stored text; raises `BadInput` (`bad-event`) where a newer program wrote it."""
    try:
        read = json.loads(text)
        kind = _KINDS[read.pop("what")]
        if "pairs" in read:
            read["pairs"] = tuple(Pair(**pair) for pair in read["pairs"])
        if read.get("tie_breaks") is not None:
            read["tie_breaks"] = tuple(read["tie_breaks"])
        unknown = set(read) - {f.name for f in fields(kind)}
        if unknown:
            raise ValueError(f"unknown fields {sorted(unknown)}")
        event: TournamentEvent = kind(**read)
        return event
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(
            "bad-event", f"The store holds an event that this program does not know: {error}.", "Update the program."
        ) from error
