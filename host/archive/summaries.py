"""What came of a war and of its battles, and of all wars of a player, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from engine.moves import Move
from engine.names import SEATS, EditionName, Seat, other
from engine.state import Order
from engine.war import War
from host.archive.moments import Concession, Mistake, Moment, Replayed, concession_of, mistakes_of
from host.session.archive import battles_in
from host.session.game_log import WarInfo
from host.session.session import Rules

_OF_THE_WAR: Final = frozenset({"conceded", "war-over"})
"""What is said of the war as a whole, and may be said long after a battle: no battle lasted until then."""


@dataclass(frozen=True, slots=True)
class BattleSummary:
    """One battle. `winner`, `points` and `why` are None while it goes on."""

    number: int
    first: Seat
    order: Order
    winner: Seat | None
    points: int
    why: str | None
    in_hand: int | None
    """Cards that a withdrawing player still held."""
    moves: int
    seconds: float
    score: Mapping[Seat, int]
    """After it."""


@dataclass(frozen=True, slots=True)
class WarSummary:
    """One war. `seconds` is the time at the table, pauses between battles left out."""

    id: str
    began: float
    last: float
    edition: EditionName
    beginner: bool
    names: tuple[str, str]
    target: int
    score: Mapping[Seat, int]
    winner: Seat | None
    battles: tuple[BattleSummary, ...]
    mistakes: tuple[Mistake, ...]
    concession: Concession | None = None

    @property
    def moves(self) -> int:
        return sum(battle.moves for battle in self.battles)

    @property
    def seconds(self) -> float:
        return sum(battle.seconds for battle in self.battles)

    def withdrawals(self, seat: Seat) -> tuple[BattleSummary, ...]:
        """The battles that `seat` withdrew from."""
        return tuple(b for b in self.battles if b.why == "withdrew" and b.winner == other(seat))


def summary_of(war: WarInfo, rules: Rules, replayed: Replayed, moments: Sequence[Moment]) -> WarSummary:
    """The war in numbers."""
    wars = battles_in(rules, [timeline for _, _, timeline in replayed])
    battles = tuple(_battle(number, at_end, moments) for number, at_end in enumerate(wars, 1))
    # A battle that was set up after the last one and never begun is none.
    while len(battles) > 1 and not battles[-1].moves and battles[-1].winner is None:
        battles = battles[:-1]
    last, given_up = wars[-1], concession_of(replayed)
    if given_up is not None:
        # What a battle came to is told without the points that giving up the whole war brought.
        battles = (*battles[:-1], replace(battles[-1], score=given_up.score))
    return WarSummary(
        war.id, war.began, war.last, rules.edition, rules.beginner, rules.names, last.target, last.score, last.winner,
        battles, mistakes_of(replayed, moments), given_up,
    )  # fmt: skip


def _battle(number: int, war: War, moments: Sequence[Moment]) -> BattleSummary:
    result = war.result
    told = [(moment.at, moment.said) for moment in moments if moment.battle == number and moment.said is not None]
    times = [at for at, said in told if said.code not in _OF_THE_WAR]
    withdrew = other(result.winner) if result is not None and result.why == "withdrew" else None
    return BattleSummary(
        number=number,
        first=war.opening.first,
        order=war.opening.order,
        winner=None if result is None else result.winner,
        points=0 if result is None else result.points,
        why=None if result is None else result.why,
        in_hand=None if withdrew is None else war.state.hand_sizes[withdrew],
        moves=sum(isinstance(entry, Move) for entry in war.entries),
        seconds=max(times) - min(times) if times else 0.0,
        score=war.score,
    )


@dataclass(frozen=True, slots=True)
class PlayedWar:
    """One war as one of its players sees it."""

    war: WarSummary
    seat: Seat

    @property
    def opponent(self) -> str:
        return self.war.names[SEATS.index(other(self.seat))]

    @property
    def came(self) -> Literal["won", "lost", "open"]:
        if self.war.winner is None:
            return "open"
        return "won" if self.war.winner == self.seat else "lost"

    @property
    def withdrawals(self) -> int:
        return len(self.war.withdrawals(self.seat))

    @property
    def cost(self) -> int:
        """Points that the withdrawals gave away."""
        return sum(battle.points for battle in self.war.withdrawals(self.seat))

    @property
    def mistakes(self) -> int:
        return sum(mistake.who == self.seat for mistake in self.war.mistakes)


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """A player over time; `wars` oldest first."""

    name: str
    wars: tuple[PlayedWar, ...]
    mistakes: Mapping[str, int] = field(default_factory=dict)
    """Count by code, the most frequent first."""

    @property
    def won(self) -> int:
        return sum(played.came == "won" for played in self.wars)

    @property
    def lost(self) -> int:
        return sum(played.came == "lost" for played in self.wars)

    @property
    def battles(self) -> int:
        return sum(battle.winner is not None for played in self.wars for battle in played.war.battles)

    @property
    def battles_won(self) -> int:
        return sum(battle.winner == played.seat for played in self.wars for battle in played.war.battles)

    @property
    def withdrawals(self) -> int:
        return sum(played.withdrawals for played in self.wars)

    @property
    def cost(self) -> int:
        return sum(played.cost for played in self.wars)

    @property
    def seconds(self) -> float:
        return sum(played.war.seconds for played in self.wars)

    @property
    def moves(self) -> int:
        return sum(played.war.moves for played in self.wars)


def players_of(wars: Iterable[WarSummary]) -> tuple[PlayerSummary, ...]:
    """Everybody who played under a name, those with most wars first. Case and spaces around a name do not matter."""
    found: dict[str, list[PlayedWar]] = {}
    for war in sorted(wars, key=lambda war: war.began):
        for seat, name in zip(SEATS, war.names, strict=True):
            if name.strip() and war.moves:
                found.setdefault(name.strip().casefold(), []).append(PlayedWar(war, seat))
    players = []
    for played in found.values():
        newest = played[-1]
        mistakes = Counter(m.code for one in played for m in one.war.mistakes if m.who == one.seat)
        name = newest.war.names[SEATS.index(newest.seat)].strip()
        players.append(PlayerSummary(name, tuple(played), dict(mistakes.most_common())))
    return tuple(sorted(players, key=lambda player: (-len(player.wars), player.name.casefold())))
