"""Games of one habit each, held against the referee as people's games are: what holds at the end, what was told, what
was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Final

from engine.events import BattleOver, Event, MoveMade, Reading, Revised, Undone, Unsure, Violation
from engine.moves import Move
from engine.names import EDITIONS
from engine.places import PLACES
from engine.sight import Note, Sight, sight_of
from host.bench.figure import Figure, Measured, Wish
from host.session.memory_log import MemoryLog
from host.session.session import Rules, Session
from host.session.tracker import Pace, StillTableWatcher, Tracker
from host.simulation.games import bare
from host.simulation.habit_games import HabitGame, HabitTable
from host.simulation.habits_between_battles import BETWEEN
from host.simulation.habits_of_accidents import ACCIDENTS
from host.simulation.habits_of_both import BOTH
from host.simulation.habits_of_disputes import DISPUTES
from host.simulation.habits_of_ends import ENDS
from host.simulation.habits_of_hands import HANDS
from host.simulation.habits_of_play import PLAY

GAMES: Final = 60
"""Of each habit."""
STEP: Final = 0.2
DRAWN_MOST: Final = 200
SILENT: Final = ("decline", "withdraw")
HABITS: Final[dict[str, Callable[[HabitGame], None]]] = {
    **HANDS,
    **ENDS,
    **BOTH,
    **PLAY,
    **BETWEEN,
    **ACCIDENTS,
    **DISPUTES,
}


def drawn(kind: str, seed: int) -> HabitGame:
    """A game in which that habit comes."""
    for again in range(DRAWN_MOST):
        game = HabitGame(Random(f"{kind} {seed} {again}"), EDITIONS[seed % len(EDITIONS)])
        HABITS[kind](game)
        if game.shown:
            return game
    raise LookupError(f"The habit {kind} does not come in {DRAWN_MOST} games.")


def ideal(lying: HabitTable) -> Sight:
    """The table as a perfect reader sees it."""
    sight = sight_of(dict(zip(PLACES, lying.table, strict=True)), lying.order)
    stacks = dict(sight.stacks)
    for at, nth in lying.round_cards:
        column = stacks[PLACES[at]]
        stacks[PLACES[at]] = (*column[:nth], replace(column[nth], wrong_way=True), *column[nth + 1 :])
    missing = (Note("board-missing", "A"),) if lying.order is None else ()
    notes = (*lying.notes, *missing)
    # As the reader has it: what it cannot read leaves a table in doubt (`vision.reader`).
    sure = not any(note.code in ("foreign", "board-missing") for note in notes)
    return Sight(lying.order, stacks, sure, notes)


def faults(game: HabitGame, say: Callable[[str], None] = lambda line: None) -> list[str]:
    """What the referee gets wrong in that game, in words; nothing where all is right."""
    session = Session(MemoryLog(observations_kept=0), Rules(game.edition, game.first, 12), lambda: 0.0, resume=False)
    tracker = Tracker(StillTableWatcher(ideal), session, pace=Pace(tick=STEP))
    t = 0.0
    wrong: list[str] = []
    seen: list[Event] = []
    allowed: frozenset[str] = frozenset()
    for lying in game.tables:
        here: list[Event] = []
        until = t + lying.seconds
        say(f"{t:6.1f} {_lies(lying)}")
        while t < until:
            now = tracker.frame(lying, t)
            for event in now:
                if not isinstance(event, Reading):
                    say(f"         {t:6.1f} {_words(event)}")
            here += now
            t += STEP
        t = until + lying.hands
        told = [event.code for event in here if isinstance(event, Violation)]
        if lying.must is not None and not told:
            wrong.append(f"not told at {until:.1f}: {sorted(lying.must)}")
        if lying.must and any(code not in lying.must | lying.may for code in told):
            wrong.append(f"told {told} for {sorted(lying.must)}")
        if lying.must is None:
            wrong += [f"told {code} at {until:.1f}" for code in told if code not in lying.may | allowed]
        allowed = lying.may if lying.must is None else lying.must | lying.may
        seen += here
    for event in (last := tracker.ended()):
        say(f"         end    {_words(event)}")
    seen += last
    held = [bare(m) for m in _held(seen) if m.do not in SILENT]
    if game.known and held != game.moves:
        wrong.append(f"{len(held)} moves for {len(game.moves)}")
    ends = _ends(seen)
    true = [(r.winner, r.points, r.why) for r in game.results]
    if ends != true:
        wrong.append(f"ends {ends} for {true}")
    asked = [event.question for event in seen if isinstance(event, Unsure)]
    if asked and not game.ask:
        wrong.append(f"asked {asked}")
    return wrong


def _lies(lying: HabitTable) -> str:
    cards = {p[0] + p[1][0]: " ".join(column) for p, column in zip(PLACES, lying.table, strict=True) if column}
    return f"{''.join(lying.order or ())} {cards}" + ("" if lying.must is None else f" wrong: {sorted(lying.must)}")


def _words(event: Event) -> str:
    if isinstance(event, MoveMade):
        return f"move {' '.join(str(x) for x in event.move if x is not None)}{' DESTROYED' if event.destroyed else ''}"
    if isinstance(event, Violation):
        return f"violation {event.code} {event.who} {dict(event.parts)} {[(m.code, dict(m.parts)) for m in event.mend]}"
    return str(event)[:150]


def _held(events: list[Event]) -> list[Move]:
    held: list[MoveMade] = []
    for event in events:
        if isinstance(event, MoveMade):
            held.append(event)
        elif isinstance(event, Undone | Revised):
            del held[len(held) - event.moves :]
    return [entry.move for entry in held if not entry.destroyed]


def _ends(events: list[Event]) -> list[tuple[str, int, str]]:
    """How the battles ended; a withdrawal that was taken back since is no end."""
    ends: list[tuple[str, int, str]] = []
    made: list[Move] = []
    for event in events:
        if isinstance(event, BattleOver):
            ends.append((event.winner, event.points, event.why))
        elif isinstance(event, MoveMade):
            made.append(event.move)
        elif isinstance(event, Undone | Revised):
            gone = made[len(made) - event.moves :]
            del made[len(made) - event.moves :]
            if ends and ends[-1][2] == "withdrew" and any(move.do == "withdraw" for move in gone):
                ends.pop()
    return ends


def _kinds(wish: Wish) -> Iterator[Measured]:
    games = wish.tables or max(2, round(GAMES * wish.scale))
    for kind in HABITS:
        right = sum(not faults(drawn(kind, seed)) for seed in range(games))
        yield Measured(right / games, games, kind)


FIGURES = (
    Figure(
        "referee.habits", "", "games of one habit each that the referee follows rightly, by habit", at_length=_kinds
    ),
)
