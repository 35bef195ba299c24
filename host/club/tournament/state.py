"""The state of a tournament: values only. `apply` in `rules` makes the next one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.failure import Failure
from host.club.tournament.events import How, Opened, Pair


class TournamentRefused(Failure):
    """Something that cannot be done in a tournament as it stands; `code` is in the catalogue's group `club-refused`."""

    def __init__(self, code: str, **parts: object) -> None:
        super().__init__(code, code)
        self.parts = parts


@dataclass(frozen=True, slots=True)
class Player:
    """One player. `number` is the order of entry, which also breaks the last ties in pairing."""

    number: int
    name: str
    token: str = field(repr=False)
    checked_in: bool = False
    dropped: bool = False

    @property
    def plays(self) -> bool:
        """Whether the next round is paired with this player."""
        return self.checked_in and not self.dropped


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match's result as it stands, with where it came from."""

    near: int
    far: int
    how: How = "played"
    by_hand: bool = False

    @property
    def halves(self) -> tuple[int, int]:
        """Match points of near and far in halves: 2 for a win, 1 for a draw."""
        if self.how == "double-walkover":
            return (0, 0)
        if self.near == self.far:
            return (1, 1)
        return (2, 0) if self.near > self.far else (0, 2)


@dataclass(frozen=True, slots=True)
class Round:
    """One round: its pairs by table, its bye, and the results so far by table."""

    number: int
    pairs: tuple[Pair, ...]
    bye: int | None
    results: Mapping[int, MatchResult] = field(default_factory=dict)
    paired_as: int = 0
    """Changes with every pairing and repair."""
    resting: frozenset[int] = frozenset()
    """Players who were to play and have neither an opponent nor a bye: the odd one of a round robin."""
    _by_table: Mapping[int, Pair] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_table", {pair.table: pair for pair in self.pairs})

    @property
    def complete(self) -> bool:
        return all(pair.table in self.results for pair in self.pairs)

    def pair_at(self, table: int) -> Pair | None:
        return self._by_table.get(table)


@dataclass(frozen=True, slots=True)
class Tournament:
    """Everything that the events so far have made."""

    settings: Opened
    players: Mapping[int, Player] = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    places: Mapping[int, str] = field(default_factory=dict)
    """Table number to the account of the companion that serves it."""
    clock: float | None = None
    announcement: str = ""
    finished: bool = False
    tie_breaks_changed: bool = False
    """The tie-breaks were changed after round 1 was paired; the standings say so."""

    @property
    def current(self) -> Round | None:
        return self.rounds[-1] if self.rounds else None

    @property
    def met(self) -> frozenset[frozenset[int]]:
        """Pairs of players who were paired. A walkover was no game, but they were to play, so it counts."""
        return frozenset(frozenset((p.near, p.far)) for r in self.rounds for p in r.pairs)

    @property
    def had_bye(self) -> frozenset[int]:
        """Players who had a bye; none gets a second one."""
        return frozenset(r.bye for r in self.rounds if r.bye is not None)

    @property
    def rounds_planned(self) -> int:
        """How many rounds there are; all against all for round robin."""
        if self.settings.system == "swiss":
            return self.settings.rounds
        numbered = len(self.robin_order)
        return max(0, numbered - 1 + numbered % 2)

    @property
    def robin_order(self) -> tuple[int, ...]:
        """Players numbered for the round robin's table: those who were there in round 1, then late ones."""
        first = [n for n in self.players if self._in_round_one(n)]
        late = [n for n, p in self.players.items() if n not in first and p.plays]
        return (*first, *late)

    def _in_round_one(self, number: int) -> bool:
        return any(number in (p.near, p.far) for r in self.rounds[:1] for p in r.pairs) or number in self.rested

    @property
    def rested(self) -> frozenset[int]:
        """Players who were there in round 1 of a round robin and had no opponent."""
        return self.rounds[0].resting if self.rounds else frozenset()
