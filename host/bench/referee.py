"""How well the referee follows simulated games: wrong moves, questions, mistakes found and invented, and how long it
thinks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import fields
from random import Random
from statistics import median

from engine.names import EDITIONS
from engine.observe.mistakes import MISTAKES
from engine.observe.rehearsal import Eyesight, Habits, Report, rehearse, war
from engine.verdict import Verdict, ViolationCode
from host.bench.figure import Figure, Measured

GAMES = 2000
MEASURED_ERROR = 0.001
"""Wrong readings a card: what the reader's own bench measures on pictures of ordinary light, rounded up."""
COMMON = {"wrong-theater", "second-card", "covered-flip", "move-without-effect", "return-without-effect"}
"""Mistakes that nearly every position allows."""
TURNED: ViolationCode = "wrong-way-round"
LEAST_CALL = 2e-5
"""Seconds; a tick that finds nothing to decide is no decision."""


def _clocked(taken: list[float]) -> Callable[[Callable[[], Verdict]], Verdict]:
    def clock(work: Callable[[], Verdict]) -> Verdict:
        started = time.perf_counter()
        verdict = work()
        spent = time.perf_counter() - started
        if spent > LEAST_CALL:
            taken.append(spent)
        return verdict

    return clock


def rehearsals(games: int, habits: Habits, error: float, seed: int = 0) -> tuple[Report, list[float]]:
    """Games of all editions in turn, one battle each; the sum of their reports and the times of all decisions, s."""
    total, taken = Report(), list[float]()
    for game in range(games):
        edition = EDITIONS[game % len(EDITIONS)]
        rng = Random(seed + game)
        stills = list(war(rng, edition, habits))
        report, _ = rehearse(
            iter(stills), rng, edition, Eyesight(error), first=stills[0].truth.first, clock=_clocked(taken)
        )
        for entry in fields(Report):
            if entry.name == "notes":
                continue
            setattr(total, entry.name, getattr(total, entry.name) + getattr(report, entry.name))
    return total, taken


def _games(scale: float) -> int:
    return max(int(GAMES * scale), 6)


def _reading(scale: float) -> Iterator[Measured]:
    games = _games(scale)
    for factor in (1, 5):
        report, _ = rehearsals(games, Habits(), MEASURED_ERROR * factor)
        part = f"error-x{factor}"
        yield Measured(report.invented, report.moves, f"{part}-wrong-moves")
        yield Measured(report.unknowable, report.moves, f"{part}-told-by-likelihood")
        yield Measured(report.missed, report.moves, f"{part}-tables-behind")
        yield Measured(report.false_alarms, report.tables, f"{part}-violations-invented")
        yield Measured(10 * report.questions / games, games, f"{part}-questions-in-10-games")
        yield Measured(report.endings / max(report.battles, 1), report.battles, f"{part}-ends-right")


def _mistakes(scale: float) -> Iterator[Measured]:
    games = max(_games(scale) // (2 * (len(MISTAKES) + 1)), 6)
    for kind in (*MISTAKES, TURNED):
        report, _ = rehearsals(
            games, Habits(wrong=0.3 if kind in COMMON else 0.9, kinds=(kind,)), MEASURED_ERROR, seed=10_000
        )
        yield Measured(report.found / max(report.planted, 1), report.planted, f"{kind}-found")
        yield Measured(report.false_alarms, report.tables, f"{kind}-invented")


def _minds(scale: float) -> Iterator[Measured]:
    games = max(_games(scale) // 4, 6)
    report, _ = rehearsals(games, Habits(undo=0.15), MEASURED_ERROR, seed=20_000)
    yield Measured(report.invented, report.moves, "undo-wrong-moves")
    report, _ = rehearsals(games, Habits(quick=0.25), MEASURED_ERROR, seed=30_000)
    yield Measured(report.invented, report.moves, "two-at-once-wrong-moves")
    yield Measured(report.false_alarms, report.tables, "two-at-once-violations-invented")


def _deciding(scale: float) -> Iterator[Measured]:
    games = max(_games(scale) // 8, 6)
    _, taken = rehearsals(games, Habits(wrong=0.1, undo=0.05, quick=0.2), 5 * MEASURED_ERROR, seed=40_000)
    yield Measured(1e3 * median(taken), len(taken), "median")
    yield Measured(1e3 * max(taken), len(taken), "worst")


FIGURES = (
    Figure("referee.follow", "count", "simulated games misread at the reader's rate, and five times it", _reading),
    Figure("referee.mistakes", "mixed", "planted mistakes of every kind: share found, and number invented", _mistakes),
    Figure("referee.minds", "count", "cards taken back, and two moves between still tables", _minds),
    Figure("referee.decide", "ms", "one decision, up to three visible changes away", _deciding),
)
