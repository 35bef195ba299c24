"""The state of a game of Fog of War, as both players may see it: counts instead of cards, and nothing face down.

Immutable. What an operation aims at, which objectives the Axis chose and what intel showed is in no state.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

from engine.fog.board import FogBoard
from engine.fog.names import (
    FIRST_INTEL,
    FIRST_PRODUCTION,
    FIRST_YEAR,
    SECTORS,
    SIDES,
    FogPhase,
    Side,
    other,
)
from engine.fog.refusal import ForbiddenAction

Outcome: TypeAlias = Literal["win", "quagmire", "defeat", "rout"]
Whose: TypeAlias = Literal["enemy", "neutral"]
TriggerEvent: TypeAlias = Literal["paris", "britain", "ussr", "usa", "balkans-attacked", "balkans"]
YearEndStage: TypeAlias = Literal["3.1", "3.2", "3.3", "3.4", "3.6", "3.7", "3.8", "3.9", "3.10", "3.11", "3.12"]


@dataclass(frozen=True, slots=True)
class ProvinceState:
    """What lies in one province: who controls it (None: neutral), and how many cards of whom."""

    key: str
    control: Side | None
    axis: int = 0
    allies: int = 0
    neutral: int = 0
    quagmire: Side | None = None
    """The side whose operation began the quagmire."""

    def cards(self, side: Side) -> int:
        return self.axis if side == "axis" else self.allies

    def with_cards(self, side: Side, n: int) -> ProvinceState:
        return replace(self, axis=n) if side == "axis" else replace(self, allies=n)


@dataclass(frozen=True, slots=True)
class Camp:
    """One side's own things. Cards are counts."""

    deck: int = 0
    hand: int = 0
    discard: int = 0
    wins: int = 0
    losses: int = 0
    wheel: int = len(SECTORS) - 1
    """The slot that NEW OP points to; 0 is Alpha."""
    operations: tuple[int | None, ...] = (None,) * len(SECTORS)
    """For each slot the number of battle cards of its operation, None where there is none."""
    intel: int = 0
    intel_used: int = 0
    production: int = 0


@dataclass(frozen=True, slots=True)
class Bid:
    """Intel that was declared and not settled yet."""

    by: Side
    province: str | None
    whose: Whose
    slot: int | None
    ends_turn: bool
    axis_paid: int
    allies_paid: int
    to_answer: Side


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle from its launch to its end. Values are those of the cards that were turned up and suit."""

    by: Side
    target: str
    origin: str | None
    """Where the attack comes from; None in a quagmire."""
    slot: int | None
    """The operation's slot on the wheel; None in a quagmire."""
    attack: tuple[int, ...] = ()
    defence: tuple[int, ...] = ()
    neutral: tuple[int, ...] = ()
    outcome: Outcome | None = None
    """Set when cards were turned up and the winner still has to choose what goes to the win pile."""
    needed: int = 0
    """What those cards must be worth."""


@dataclass(frozen=True, slots=True)
class FogResult:
    """The end of the game; `why` is `points`, `capitals`, `objectives` or `no-objectives`."""

    winner: Side
    why: Literal["points", "capitals", "objectives", "no-objectives"]


@dataclass(frozen=True, slots=True)
class FogState:
    """A whole game at one moment."""

    phase: FogPhase
    year: int
    winter: bool
    turn: Side
    """Who acts: in a turn, or in a step of the year's end that both take one after the other."""
    token: Side
    """Who has the +1."""
    points: int
    axis: Camp
    allies: Camp
    grounds: tuple[ProvinceState, ...]
    played: int = 0
    """Cards played in this turn (2.9)."""
    closing: bool = False
    """Intel for one token was used: nothing but the end of the turn may follow."""
    bid: Bid | None = None
    battle: Battle | None = None
    stage: YearEndStage | None = None
    served: bool = False
    """In a step of the year's end that both sides take: whether the first has."""
    budget: int = 0
    """Production points that the side that acts can still spend."""
    happened: tuple[TriggerEvent, ...] = ()
    ticked: tuple[str, ...] = ()
    placed: int = 0
    """Cards that the Allies laid out beforehand (1.9)."""
    neutral_lost: int = 0
    result: FogResult | None = None

    def camp(self, side: Side) -> Camp:
        return self.axis if side == "axis" else self.allies

    def ground(self, key: str) -> ProvinceState:
        """Raises `ForbiddenAction` (`unknown-province`)."""
        for found in self.grounds:
            if found.key == key:
                return found
        raise ForbiddenAction("unknown-province", "supply", province=key)

    def with_camp(self, side: Side, camp: Camp) -> FogState:
        return replace(self, axis=camp) if side == "axis" else replace(self, allies=camp)

    def with_ground(self, *changed: ProvinceState) -> FogState:
        new = {ground.key: ground for ground in changed}
        return replace(self, grounds=tuple(new.get(ground.key, ground) for ground in self.grounds))

    def with_happened(self, what: TriggerEvent) -> FogState:
        return self if what in self.happened else replace(self, happened=(*self.happened, what))

    def held(self, side: Side) -> tuple[str, ...]:
        return tuple(ground.key for ground in self.grounds if ground.control == side)


class Game(NamedTuple):
    """A board and how things stand on it."""

    board: FogBoard
    state: FogState


def start(board: FogBoard) -> Game:
    """The game before it is set up (1.1 to 1.12)."""
    camps = {
        side: Camp(
            deck=(board.box.axis_deck if side == "axis" else board.box.allied_deck) or 0,
            intel=FIRST_INTEL[side],
            production=FIRST_PRODUCTION[side],
        )
        for side in SIDES
    }
    grounds = tuple(
        ProvinceState(
            p.key, p.start if p.start == "axis" or p.start == "allies" else None, neutral=int(bool(p.neutral_card))
        )
        for p in board.provinces
    )
    state = FogState("setup", FIRST_YEAR, False, "axis", "axis", 0, camps["axis"], camps["allies"], grounds)
    return Game(board, state)


def cards_of(state: FogState, side: Side) -> int:
    """How many cards a side owns, wherever they are."""
    camp = state.camp(side)
    piles = camp.deck + camp.hand + camp.discard + camp.wins + camp.losses
    return piles + sum(n or 0 for n in camp.operations) + sum(ground.cards(side) for ground in state.grounds)


def sector_of(camp: Camp, slot: int) -> int:
    """How many turns of the wheel a slot lies behind NEW OP: 0 is the newest operation."""
    return (camp.wheel - slot) % len(SECTORS)


def first_at_year_end(state: FogState) -> Side:
    """Who acts first at the end of a year: the side without the +1 (3.4, 3.6)."""
    return other(state.token)
