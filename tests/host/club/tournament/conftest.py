"""A tournament that is played out event by event."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from host.club.tournament.events import (
    CheckedIn,
    Dropped,
    Entered,
    EventUndone,
    Opened,
    Paired,
    Reported,
    TournamentEvent,
    event_from_json,
    event_to_json,
)
from host.club.tournament.pairing import pair_next
from host.club.tournament.rules import RecordedEvent, after_undo, apply, state_after
from host.club.tournament.state import Tournament


class Played:
    """Records events as the desk does, each written and read back, and keeps the state that they make."""

    def __init__(self, settings: Opened | None = None) -> None:
        self.records: list[RecordedEvent] = []
        self._state: Tournament | None = None
        self.happen(settings or Opened("Club night", rounds=5))

    @property
    def state(self) -> Tournament:
        assert self._state is not None
        return self._state

    def happen(self, event: TournamentEvent, by: str = "organiser") -> int:
        happened = RecordedEvent(len(self.records) + 1, 0.0, by, event_from_json(event_to_json(event)))
        if isinstance(event, EventUndone):
            self._state = after_undo(self.records, happened)
        else:
            self._state = apply(self._state, happened)
        self.records.append(happened)
        return happened.sequence

    def enter(self, *names: str) -> list[int]:
        """Enters players and checks them in; their numbers."""
        numbers = []
        for name in names:
            number = len(self.state.players) + 1
            self.happen(Entered(number, name, f"token-{number}"))
            self.happen(CheckedIn(number))
            numbers.append(number)
        return numbers

    def pair(self) -> Paired:
        event = pair_next(self.state)
        self.happen(event)
        return event

    def report(self, table: int, near: int, far: int, **more: object) -> int:
        assert self.state.current is not None
        return self.happen(Reported(self.state.current.number, table, near, far, **more))  # type: ignore[arg-type]

    def play_round(self, rng: random.Random | None = None) -> Paired:
        """Pairs a round and reports every match: the lower number wins 12 to 6, or as `rng` says."""
        event = self.pair()
        for pair in event.pairs:
            wins = pair.near < pair.far if rng is None else rng.random() < 0.5
            loser = 6 if rng is None else rng.randint(0, 12)
            self.report(pair.table, 12 if wins else loser, loser if wins else 12)
        return event

    def drop(self, number: int) -> None:
        self.happen(Dropped(number))

    def replayed(self) -> Tournament | None:
        return state_after(self.records)


@pytest.fixture
def played() -> Callable[..., Played]:
    return Played
