"""How well the referee follows simulated games: wrong moves, questions, mistakes found and invented, and how long it
thinks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import fields
from random import Random
from statistics import median
from typing import Final, TypeAlias

from engine.events import Event
from engine.names import EDITIONS
from host.bench.confusion import measured
from host.bench.figure import Figure, Measured
from host.simulation.games import GamesReport, Habits, rehearse, war
from host.simulation.mistakes import KINDS
from host.simulation.observation_noise import Eyesight

GAMES: Final = 2000
SOURCES: Final = ("photographs", "tables")
"""What the reader's mistakes were counted on: photographs of ordinary rooms; simulated tables, many of them hard."""
WASTEFUL: Final = 0.1
"""People who see Containment lie there seldom play a card only to lose it. With 1 they do not look at all."""
COMMON: Final = {"wrong-theater", "second-card", "covered-flip", "move-without-effect", "return-without-effect"}
"""Mistakes that nearly every position allows."""
LEAST_CALL: Final = 2e-5
"""Seconds; a tick that finds nothing to decide is no decision."""


Work: TypeAlias = Callable[[], tuple[Event, ...]]


def _clocked(taken: list[float]) -> Callable[[Work], tuple[Event, ...]]:
    def clock(work: Work) -> tuple[Event, ...]:
        # Of this process alone: other work on the machine is none of the referee's.
        started = time.process_time()
        told = work()
        spent = time.process_time() - started
        if spent > LEAST_CALL:
            taken.append(spent)
        return told

    return clock


def rehearsals(games: int, habits: Habits, eyesight: Eyesight, seed: int = 0) -> tuple[GamesReport, list[float]]:
    """Games of all editions in turn, one battle each; the sum of their reports and the times of all decisions, s."""
    total, taken = GamesReport(), list[float]()
    for game in range(games):
        edition = EDITIONS[game % len(EDITIONS)]
        rng = Random(seed + game)
        stills = list(war(rng, edition, habits))
        report, _ = rehearse(iter(stills), rng, edition, eyesight, first=stills[0].truth.first, clock=_clocked(taken))
        for entry in fields(GamesReport):
            if entry.name == "slowest":
                total.slowest = max(total.slowest, report.slowest)
            elif entry.name != "notes":
                setattr(total, entry.name, getattr(total, entry.name) + getattr(report, entry.name))
    return total, taken


def _games(scale: float) -> int:
    return max(int(GAMES * scale), 6)


def _follow(games: int, habits: Habits, eyesight: Eyesight, part: str) -> Iterator[Measured]:
    report, _ = rehearsals(games, habits, eyesight)
    yield Measured(report.invented, report.moves, f"{part}/wrong-moves")
    yield Measured(report.hasty, report.tables, f"{part}/wrong-moves-for-a-while")
    yield Measured(report.unknowable, report.moves, f"{part}/told-by-likelihood")
    yield Measured(report.missed, report.moves, f"{part}/tables-behind")
    yield Measured(report.false_alarms, report.tables, f"{part}/violations-invented")
    yield Measured(10 * report.questions / games, games, f"{part}/questions-in-10-games")
    yield Measured(report.battles - report.endings, report.battles, f"{part}/ends-wrong")
    yield Measured(report.lost, report.tables, f"{part}/true-state-lost")


def _reading(scale: float) -> Iterator[Measured]:
    games = _games(scale)
    for source in SOURCES:
        for times in (1, 5):
            eyesight = Eyesight(readings=measured(source), times=times)
            yield from _follow(games, Habits(wasteful=WASTEFUL), eyesight, f"{source}-x{times}")
    yield from _follow(games, Habits(), Eyesight(), "careless-players")


def _mistakes(scale: float) -> Iterator[Measured]:
    """By kind: the share found before the second still table, and what was invented beside them."""
    games = max(_games(scale) // 10, 6)
    for kind in KINDS:
        habits = Habits(wrong=0.3 if kind in COMMON else 0.9, wasteful=WASTEFUL, kinds=(kind,))
        report, _ = rehearsals(games, habits, Eyesight(), seed=10_000)
        yield Measured(report.found, report.planted, f"{kind}/found")
        yield Measured(report.false_alarms, report.tables, f"{kind}/invented")
        yield Measured(report.slowest, report.found, f"{kind}/slowest-s")


def _mistakes_misread(scale: float) -> Iterator[Measured]:
    games = _games(scale)
    for times in (1, 5):
        eyesight = Eyesight(readings=measured(), times=times)
        report, _ = rehearsals(games, Habits(wrong=0.15, wasteful=WASTEFUL), eyesight, seed=50_000)
        yield Measured(report.found, report.planted, f"photographs-x{times}/found")
        yield Measured(report.misnamed, report.planted, f"photographs-x{times}/named-otherwise")
        yield Measured(report.false_alarms, report.tables, f"photographs-x{times}/invented")
        yield Measured(report.invented, report.moves, f"photographs-x{times}/wrong-moves")


def _minds(scale: float) -> Iterator[Measured]:
    games = max(_games(scale) // 2, 6)
    yield from _follow(games, Habits(undo=0.15, wasteful=WASTEFUL), Eyesight(), "taken-back")
    yield from _follow(games, Habits(quick=0.25, wasteful=WASTEFUL), Eyesight(), "two-at-once")


def _deciding(scale: float) -> Iterator[Measured]:
    games = max(_games(scale) // 4, 6)
    habits = Habits(wrong=0.1, undo=0.05, quick=0.2)
    _, taken = rehearsals(games, habits, Eyesight(readings=measured(), times=5), seed=40_000)
    yield Measured(1e3 * median(taken), len(taken), "median")
    yield Measured(1e3 * max(taken), len(taken), "worst")


FIGURES = (
    Figure("referee.follow", "", "games misread as measured, and five times as often; and careless players", _reading),
    Figure("referee.mistakes", "", "planted mistakes by kind: found of n, invented, and how long it took", _mistakes),
    Figure("referee.mistakes-misread", "", "planted mistakes of all kinds, misread as measured", _mistakes_misread),
    Figure("referee.minds", "", "cards taken back, and two moves between still tables", _minds),
    Figure("referee.decide", "ms", "one decision, up to three visible changes away", _deciding),
)
