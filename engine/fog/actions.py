"""Everything that players can do or write down, as values. Their JSON is `{"do": "defend", …}` with these fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from engine.fog.board import Box, FogBoard, Province
from engine.fog.names import Side
from engine.fog.state import Whose
from engine.fog.strength import FogCard


@dataclass(frozen=True, slots=True)
class ReminderDone:
    """A reminder was carried out."""

    do: ClassVar = "tick"
    paragraph: str
    done: bool = True


@dataclass(frozen=True, slots=True)
class PlaceBeforehand:
    """The Allies lay a card in each of these provinces before the first turn (1.9)."""

    do: ClassVar = "place-beforehand"
    provinces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Begin:
    """The board is laid out: the first turn begins."""

    do: ClassVar = "begin"


@dataclass(frozen=True, slots=True)
class Defend:
    do: ClassVar = "defend"
    province: str
    cards: int


@dataclass(frozen=True, slots=True)
class NewOperation:
    do: ClassVar = "new-operation"
    cards: int


@dataclass(frozen=True, slots=True)
class CancelOperation:
    """Action 3 in a turn; at the end of a year 3.6."""

    do: ClassVar = "cancel-operation"
    slot: int


@dataclass(frozen=True, slots=True)
class ReinforceOperation:
    do: ClassVar = "reinforce-operation"
    slot: int
    cards: int


@dataclass(frozen=True, slots=True)
class Launch:
    do: ClassVar = "launch"
    slot: int
    target: str
    origin: str


@dataclass(frozen=True, slots=True)
class FightOn:
    """A battle in a province with a quagmire; when it may be fought the players' rulebook says (action 12)."""

    do: ClassVar = "fight-on"
    province: str


@dataclass(frozen=True, slots=True)
class ReinforceQuagmire:
    do: ClassVar = "reinforce-quagmire"
    province: str
    cards: int


@dataclass(frozen=True, slots=True)
class Reveal:
    """All cards of a battle are turned up."""

    do: ClassVar = "reveal"
    attack: tuple[FogCard, ...]
    defence: tuple[FogCard, ...] = ()
    neutral: tuple[int, ...] = ()
    token: bool = False
    """Whether the side with the +1 uses it."""


@dataclass(frozen=True, slots=True)
class BankCards:
    """Which of the winner's cards go to the win pile: places in the list of values."""

    do: ClassVar = "bank"
    chosen: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Intel:
    """Declares where to look: a province, one of the opponent's operations, or neither for the objectives."""

    do: ClassVar = "intel"
    province: str | None = None
    whose: Whose = "enemy"
    slot: int | None = None
    ends_turn: bool = False


@dataclass(frozen=True, slots=True)
class AnswerIntel:
    """The side that must answer pays on, or lets it be."""

    do: ClassVar = "answer-intel"
    pay: bool


@dataclass(frozen=True, slots=True)
class EndTurn:
    do: ClassVar = "end-turn"


@dataclass(frozen=True, slots=True)
class Next:
    """The next step of the year's end."""

    do: ClassVar = "next"


@dataclass(frozen=True, slots=True)
class Spend:
    """One production point, or two for a victory point (3.5)."""

    do: ClassVar = "spend"
    on: Literal["recover", "track", "intel", "points"]
    times: int = 1


@dataclass(frozen=True, slots=True)
class Recall:
    """Cards from a province or an operation back to the discard pile (3.6)."""

    do: ClassVar = "recall"
    cards: int
    province: str | None = None
    slot: int | None = None


@dataclass(frozen=True, slots=True)
class Objectives:
    """The two objective cards of the Axis, turned up after 1944 (3.11.2)."""

    do: ClassVar = "objectives"
    provinces: tuple[str, str]


@dataclass(frozen=True, slots=True)
class SetBox:
    """What the players' box says."""

    do: ClassVar = "set-box"
    box: Box


@dataclass(frozen=True, slots=True)
class SetProvince:
    """A province of the players' board, added or changed."""

    do: ClassVar = "set-province"
    province: Province


@dataclass(frozen=True, slots=True)
class SetProvinces:
    """Several provinces at once: one printed number of the whole board, typed in as a list."""

    do: ClassVar = "set-provinces"
    provinces: tuple[Province, ...]


@dataclass(frozen=True, slots=True)
class SetBoard:
    """The whole board, as its file says it."""

    do: ClassVar = "set-board"
    board: FogBoard


@dataclass(frozen=True, slots=True)
class RemoveProvince:
    do: ClassVar = "remove-province"
    key: str


@dataclass(frozen=True, slots=True)
class CorrectCamp:
    """Puts a side's numbers right where the table shows others. What is None stays."""

    do: ClassVar = "correct-camp"
    side: Side
    deck: int | None = None
    hand: int | None = None
    discard: int | None = None
    wins: int | None = None
    losses: int | None = None
    intel: int | None = None
    intel_used: int | None = None
    production: int | None = None
    wheel: int | None = None
    points: int | None = None
    token: bool | None = None


@dataclass(frozen=True, slots=True)
class CorrectProvince:
    """Puts a province right where the table shows something else."""

    do: ClassVar = "correct-province"
    province: str
    control: Literal["axis", "allies", "neutral"]
    axis: int
    allies: int
    neutral: int
    quagmire: Side | None = None


FogAction: TypeAlias = (
    ReminderDone
    | PlaceBeforehand
    | Begin
    | Defend
    | NewOperation
    | CancelOperation
    | ReinforceOperation
    | Launch
    | FightOn
    | ReinforceQuagmire
    | Reveal
    | BankCards
    | Intel
    | AnswerIntel
    | EndTurn
    | Next
    | Spend
    | Recall
    | Objectives
    | SetBox
    | SetProvince
    | SetProvinces
    | SetBoard
    | RemoveProvince
    | CorrectCamp
    | CorrectProvince
)
