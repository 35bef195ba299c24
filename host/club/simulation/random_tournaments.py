"""Random tournaments with late entries, drops and returns, in which every breach of a promise is counted."""

from __future__ import annotations

import random
from collections import Counter
from typing import Final

from host.club.tournament.events import CheckedIn, Dropped, Entered, Opened, Reported, Returned, TournamentEvent
from host.club.tournament.pairing import complete_pairing_exists, pair_next
from host.club.tournament.rules import RecordedEvent, apply, state_after
from host.club.tournament.standings import standings
from host.club.tournament.state import Tournament, TournamentRefused

BREACHES: Final = (
    "left-out",
    "rematch",
    "second-bye",
    "bye-not-credited",
    "bye-too-high",
    "refused-wrongly",
    "not-replayed",
)


class _Evening:
    """One random tournament and the events that made it."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.records: list[RecordedEvent] = []
        self.state: Tournament = self.happen(Opened(f"Random {seed}", rounds=self.rng.randint(3, 7)))
        for _ in range(self.rng.randint(2, 21)):
            self.enter()

    def happen(self, event: TournamentEvent) -> Tournament:
        happened = RecordedEvent(len(self.records) + 1, 0.0, "organiser", event)
        self.state = apply(self.state if self.records else None, happened)
        self.records.append(happened)
        return self.state

    def enter(self) -> None:
        number = len(self.state.players) + 1
        self.happen(Entered(number, f"Player {number}", str(number)))
        self.happen(CheckedIn(number))

    def come_and_go(self, found: Counter[str]) -> None:
        if self.rng.random() < 0.3:
            self.enter()
            found["late"] += 1
        playing = [n for n, p in self.state.players.items() if p.plays]
        away = [n for n, p in self.state.players.items() if p.dropped]
        if len(playing) > 2 and self.rng.random() < 0.3:
            self.happen(Dropped(self.rng.choice(playing)))
            found["dropped"] += 1
        elif away and self.rng.random() < 0.4:
            self.happen(Returned(self.rng.choice(away)))
            found["returned"] += 1

    def play(self) -> None:
        round_ = self.state.rounds[-1]
        for pair in round_.pairs:
            points = (12, self.rng.randint(0, 12))
            near, far = points if self.rng.random() < 0.5 else points[::-1]
            self.happen(Reported(round_.number, pair.table, near, far))


def tournament(seed: int) -> Counter[str]:
    """Plays one random tournament; counts what happened and each breach by its name in `BREACHES`."""
    evening, found = _Evening(seed), Counter[str]()
    for number in range(1, evening.state.settings.rounds + 1):
        if number > 1:
            evening.come_and_go(found)
        state = evening.state
        playing = [n for n, p in state.players.items() if p.plays]
        met, had_bye = state.met, state.had_bye
        before = {row.player: row.halves for row in standings(state)}
        try:
            event = pair_next(state)
        except TournamentRefused:
            found["refused"] += 1
            found["refused-wrongly"] += complete_pairing_exists(playing, met, had_bye)
            break
        found["rounds"] += 1
        evening.happen(event)
        evening.play()
        paired = [n for p in event.pairs for n in (p.near, p.far)] + ([event.bye] if event.bye is not None else [])
        found["left-out"] += sorted(paired) != sorted(playing)
        found["rematch"] += any(frozenset((p.near, p.far)) in met for p in event.pairs)
        if event.bye is not None:
            bye = event.bye
            found["byes"] += 1
            found["second-bye"] += bye in had_bye
            after = {row.player: row.halves for row in standings(evening.state)}
            found["bye-not-credited"] += after[bye] != before[bye] + 2
            # Somebody with fewer points and no bye yet should have had it, if the others could then be paired.
            lower = [n for n in playing if before[n] < before[bye] and n not in had_bye]
            found["bye-too-high"] += any(complete_pairing_exists([m for m in playing if m != n], met) for n in lower)
    found["not-replayed"] += state_after(evening.records) != evening.state
    return found
