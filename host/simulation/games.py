"""Games that never took place, for trying the referee: dealt, played, misplayed and misread by a random number
generator.

A rehearsal is a list of still tables, each with what truly happened since the one before. The watcher that looks at
them errs as often as it is told to. Tests and `bench` hold the referee against what was true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import permutations
from random import Random
from typing import Final

from engine.battle import destruction, play
from engine.cards import DESTROYERS
from engine.events import (
    Answer,
    BattleOver,
    Event,
    MoveMade,
    Notice,
    Revised,
    Undone,
    Unsure,
    Violation,
)
from engine.legality import legal_moves
from engine.moves import Move
from engine.names import CARDS, SEATS, THEATERS, EditionName, Face, Seat, other, parse_order
from engine.places import PLACES
from engine.referee.belief import Belief, canonical, faces, states
from engine.referee.hypothesis import Faces
from engine.referee.policy import Policy
from engine.sight import Sight
from engine.state import PILE_INDEX, SEAT_INDEX, Order, Result, State, start
from engine.war import LONGEST_TARGET, rotated
from host.session.memory_log import MemoryLog
from host.session.session import Rules, Session
from host.session.tracker import Pace, StillTableWatcher, Tracker
from host.simulation.mistakes import MISTAKES, TWICE, is_mistake, laid_anyway, seen_double
from host.simulation.observation_noise import Eyesight
from host.simulation.observation_noise import glance as eye_glance

LIES: Final = 4.0
"""Seconds that each table lies still."""
LIES_GONE: Final = 10.0
"""The same where a card was taken away: it may be one that is being read."""
STEP: Final = 0.25
"""Seconds between two ticks."""
LOOK_AGAIN: Final = 0.4
"""Seconds between two looks at one table."""
LOOKS_MOST: Final = 6
"""Fresh readings of one still table at most, after the first: as many as are taken at a real table."""


@dataclass(frozen=True, slots=True)
class Still:
    """One still table and the truth about it."""

    table: Faces
    order: Order
    truth: State
    """The full-information state of the last legal table."""
    moves: tuple[Move, ...]
    """All true moves of this battle so far, with what an onlooker can know of them; silent ones left out."""
    wrong: str | None = None
    """What is wrong with this table: a `ViolationCode`, or `seen-twice`."""
    twice: tuple[int, int, Face] | None = None
    """A card, by its stack and its place in it, that is read as another one which lies elsewhere."""
    turned: tuple[str, ...] = ()
    """Places of cards that lie the wrong way round."""
    battle: int = 1
    ended: bool = False
    knowable: bool = True
    """False at an end that nobody can see: the boards were cleared before the last move had lain still."""
    followable: bool = True
    """False once more than two silent moves have lain between two tables of this battle."""
    plain: bool = True
    """False once two have: then a visible line may explain the table as well as the true one, and be likelier."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How the simulated people play. All are probabilities a move."""

    wrong: float = 0.0
    undo: float = 0.0
    quick: float = 0.0
    """Two moves before the table lies still."""
    withdraw: float = 0.02
    unseen: float = 0.0
    """A move that leaves no trace is chosen where there is one, and Containment and Blockade are laid at once."""
    wasteful: float = 1.0
    """How often a play that only loses its card is chosen, next to one that does not. 1: players who do not look."""
    every: bool = False
    """A table for every move: one that changes nothing shows the same table again."""
    kinds: tuple[str, ...] = ()
    """Mistakes that they make (`mistakes.KINDS`); empty: all those that are made with the hands."""


def deal(rng: Random, edition: str, order: Order | None = None, first: Seat | None = None) -> State:
    """A fair deal, every card known."""
    cards = list(CARDS)
    rng.shuffle(cards)
    row = order or parse_order("".join(rng.choice(list(permutations(THEATERS)))))
    seat = first if first is not None else rng.choice(SEATS)
    return start(edition, row, seat, {"near": cards[:6], "far": cards[6:12]}, cards[12:])


def seen_as(before: State, move: Move, after: State) -> Move | None:
    """A true move as an onlooker can tell it; None if it leaves no trace on the table."""
    if move.do != "withdraw" and faces(before) == faces(after):
        return None
    reveals = None
    if move.do == "flip" and move.at is not None and move.side is not None:
        top = after.piles[PILE_INDEX[move.at] + SEAT_INDEX[move.side]][-1]
        reveals = top.card if top.up else None
    return bare(canonical(before, move._replace(reveals=reveals)))


def bare(move: Move) -> Move:
    """A move without what came to light: that is told only where it was new."""
    return move._replace(reveals=None)


def public(state: State) -> tuple[object, ...]:
    """All of a state that an onlooker could know if nothing were silent."""
    hands = tuple(hand.size for hand in state.hands)
    where = tuple((e.name, e.card, e.owner, e.step) for e in state.queue)
    return (
        state.order, state.first, state.active, state.turn, state.pending, state.result, faces(state), hands,
        len(state.deck), where, state.permits, state.extra,
    )  # fmt: skip


# --- whole games -----------------------------------------------------------------------------------------------------


def battle(rng: Random, opening: State, habits: Habits, number: int = 1) -> Iterator[Still]:
    """The still tables of one battle, beginning with the empty one."""
    state = opening
    told: list[tuple[Move, State]] = []
    past: set[Faces] = {faces(state)}
    shown = faces(state)
    silent = most = 0
    shown_last = True

    def still(table: Faces | None = None, **more: object) -> Still:
        made = Still(
            table if table is not None else faces(state),
            opening.order,
            state,
            tuple(m for m, _ in told),
            battle=number,
            followable=most <= 2,
            plain=most <= 1,
        )
        return replace(made, **more)  # type: ignore[arg-type]

    yield still()
    while state.turn is not None:
        if not silent and rng.random() < habits.wrong:
            kind = rng.choice(habits.kinds or tuple(MISTAKES))
            if kind == TWICE and faces(state) == shown and (double := seen_double(state, rng)) is not None:
                yield still(wrong=TWICE, twice=double)
                yield still()
            maker = next((make for code, make in MISTAKES.items() if code == kind), None)
            made = maker(state, rng, past) if maker is not None else None
            if (
                made is not None
                and made not in past
                and made != shown
                and is_mistake(state, told[-1][1] if told else None, made)
                and faces(state) == shown
            ):
                yield still(made, wrong=kind)
                if kind == "should-be-destroyed":
                    # Put right by destroying it: the card was played.
                    lost = next(m for m in legal_moves(state) if laid_anyway(state, m) == made)
                    told.append((bare(canonical(state, lost)), state))
                    state = play(state, lost)
                    yield still()
                    continue
                if rng.random() < 0.6:
                    yield still()
        moves = legal_moves(state)
        move = rng.choice([m for m in moves if m.do != "withdraw"] or list(moves))
        laid = move.do in ("deploy", "improvise")
        if laid and destruction(state, move) is not None and rng.random() >= habits.wasteful:
            move = rng.choice([m for m in moves if m.do != "withdraw" and destruction(state, m) is None] or [move])
        assert state.turn is not None
        if any(m.do == "withdraw" for m in moves) and any(state.piles) and rng.random() < habits.withdraw:
            move = Move("withdraw", state.turn)
        if move.do != "withdraw" and habits.unseen and rng.random() < habits.unseen:
            traceless = [m for m in moves if m.do != "withdraw" and play(state, m).piles == state.piles]
            makers = [m for m in moves if m.do == "deploy" and m.card in DESTROYERS]
            move = rng.choice(makers or traceless or [move])
        before, state = state, play(state, move)
        seen = seen_as(before, move, state)
        if seen is not None:
            told.append((seen, before))
        if move.do == "withdraw":
            yield still(((),) * 6, ended=True, knowable=shown_last)
            return
        table = faces(state)
        if table == shown:
            silent += 1
            most = max(most, silent)
            if habits.every:
                yield still()
            continue
        was_silent, silent = silent, 0
        if "wrong-way-round" in habits.kinds and move.do in ("deploy", "improvise") and rng.random() < habits.wrong:
            assert move.to is not None
            nth = len(state.stack(move.to, move.by)) - 1
            yield still(wrong="wrong-way-round", turned=(f"{move.to}/{move.by}/{nth}",))
        may_hurry = state.turn is not None and shown_last
        if may_hurry and rng.random() < habits.quick:
            shown_last = False
            continue
        shown_last = True
        yield still()
        shown = table
        may_undo = move.do in ("deploy", "improvise") and state.turn is not None and sum(map(len, table)) > 1
        if may_undo and state.pending is None and faces(before) in past and rng.random() < habits.undo:
            state = before
            silent = was_silent
            told.pop()
            shown = faces(state)
            yield still()
            continue
        past.add(table)
    yield still(ended=True)
    yield still(((),) * 6, ended=True)


def war(rng: Random, edition: str, habits: Habits, battles: int = 1) -> Iterator[Still]:
    """The still tables of several battles, boards rotated and commander cards exchanged between them."""
    opening = deal(rng, edition)
    for number in range(1, battles + 1):
        yield from battle(rng, opening, habits, number)
        opening = deal(rng, edition, rotated(opening.order), other(opening.first))


def glance(rng: Random, still: Still, eyesight: Eyesight) -> Sight:
    """One reading of a still table by a reader that errs."""
    table = still.table
    if still.twice is not None:
        at, nth, face = still.twice
        column = (*table[at][:nth], face, *table[at][nth + 1 :])
        table = (*table[:at], column, *table[at + 1 :])
    return eye_glance(rng, table, still.order, still.turned, eyesight)


@dataclass(slots=True)
class GamesReport:
    """What the referee made of a rehearsal."""

    tables: int = 0
    moves: int = 0
    """True moves that left a trace."""
    missed: int = 0
    invented: int = 0
    """Moves told that were not made."""
    hasty: int = 0
    """Tables at which a wrong move was told, even if it was revised at the same table."""
    unknowable: int = 0
    """The same where another line shows the very same table, or after two silent moves: told by likelihood."""
    planted: int = 0
    found: int = 0
    misnamed: int = 0
    slowest: float = 0.0
    """Seconds that the last found mistake had lain there when it was told, at most."""
    false_alarms: int = 0
    questions: int = 0
    revisions: int = 0
    battles: int = 0
    endings: int = 0
    """Battles whose end was told rightly."""
    lost: int = 0
    """Still tables after which the set of states lacked the true one."""
    notes: list[str] = field(default_factory=list)


def rehearse(
    stills: Iterator[Still],
    rng: Random,
    edition: EditionName,
    eyesight: Eyesight,
    *,
    policy: Policy | None = None,
    first: Seat | None = None,
    clock: Callable[[Callable[[], tuple[Event, ...]]], tuple[Event, ...]] = lambda work: work(),
) -> tuple[GamesReport, Belief]:
    """Shows the tables one after another to a session, through the tracker that every source goes through.

    `clock` wraps each step, so that a bench can time it.
    """
    report = GamesReport()
    log = MemoryLog(observations_kept=0)
    session = Session(log, Rules(edition, first, LONGEST_TARGET), lambda: 0.0, resume=False, policy=policy)
    pace = Pace(tick=STEP, look_again=LOOK_AGAIN, looks_most=LOOKS_MOST)
    tracker = Tracker(StillTableWatcher(partial(glance, rng, eyesight=eyesight)), session, pace=pace)
    t = 0.0
    for still in stills:
        report.tables += 1
        events: list[Event] = []
        begun, late = t, 0.0
        until = t + (LIES_GONE if still.wrong == "return-without-effect" else LIES)
        while t < until:
            told = clock(partial(tracker.frame, still, t))
            events += told
            if late == 0.0 and any(map(_accuses, told)):
                late = t - begun
            t += STEP
            if session.belief.questions and t >= until - 1.0:
                events += _answered(session, still)
        t += 1.0
        _judge(report, still, events, session.belief, max(late, report.slowest))
    tracker.ended()
    return report, session.belief


def _accuses(event: Event) -> bool:
    return isinstance(event, Violation) or (isinstance(event, Notice) and event.code == TWICE)


def _answered(session: Session, still: Still) -> tuple[Event, ...]:
    """Somebody at the table answers the first question that they can answer."""
    result = still.truth.result
    for asked in session.belief.questions:
        key = ""
        if asked.question == "who-withdrew" and result is not None:
            key = _how_it_ended(asked, result)
        elif asked.question == "undo":
            key = "yes"
        elif asked.question in ("which-card", "different-card"):
            theater, seat, nth = str(asked.parts["at"]).split("/")
            at = next(i for i, place in enumerate(PLACES) if place == (theater, seat))
            face = still.table[at][int(nth)] if int(nth) < len(still.table[at]) else ""
            key = face if face in [option.key for option in asked.options] else ""
        if key in [option.key for option in asked.options]:
            return session.apply(Answer(asked.id, key), {"by": "players"}) or ()
    return ()


def _how_it_ended(asked: Unsure, result: Result) -> str:
    """What the players answer when they are asked how the battle ended."""
    if result.why == "played-out":
        return "played-out"
    keys = [option.key for option in asked.options]
    by = other(result.winner)
    return by if by in keys else f"{by}-{result.points}"


def _judge(report: GamesReport, still: Still, events: list[Event], belief: Belief, late: float) -> None:
    told = [event for event in events if isinstance(event, Violation)]
    if still.wrong is not None:
        report.planted += 1
        codes: list[str] = [event.code for event in told]
        codes += [event.code for event in events if isinstance(event, Notice) and event.code == TWICE]
        if still.wrong in codes:
            report.found += 1
            report.slowest = late
        elif codes:
            report.misnamed += 1
            report.notes.append(f"{still.wrong} told as {codes} {_short(still)}")
        else:
            report.notes.append(f"{still.wrong} not told {_short(still)}")
        report.false_alarms += max(len(codes) - 1, 0)
    elif told:
        report.false_alarms += len(told)
        report.notes.append(f"invented {[event.code for event in told]} {_short(still)}")
    report.questions += sum(isinstance(event, Unsure) for event in events)
    report.revisions += sum(isinstance(event, Revised) for event in events)
    if still.knowable and any(isinstance(event, BattleOver) for event in events):
        report.battles += 1
        over = next(event for event in events if isinstance(event, BattleOver))
        result = still.truth.result
        if result is not None and (over.winner, over.points, over.why) == tuple(result):
            report.endings += 1
        else:
            report.notes.append(f"end told as {over} not {result}")
    if still.ended and not any(still.table):
        return
    true = list(still.moves)
    known = [bare(move) for move in belief.told if move.do != "decline"]
    made = [bare(event.move) for event in events if isinstance(event, MoveMade) and event.move.do != "decline"]
    new = len(made)
    if still.plain and any(move not in true for move in made if move.do != "withdraw"):
        # Told, whether or not it was taken back before the table changed.
        report.hasty += 1
        report.notes.append(f"hasty {_words(made)} {_short(still)}")
    undone = sum(event.moves for event in events if isinstance(event, Undone))
    if still.wrong is None:
        report.moves += max(new - undone, 0)
    if known != true and still.wrong is None:
        same = 0
        while same < min(len(known), len(true)) and known[same] == true[same]:
            same += 1
        if not still.plain or public(still.truth) in {public(state) for state in states(belief)}:
            report.unknowable += 1
        elif len(known) > same:
            report.invented += 1
        else:
            report.missed += 1
        report.notes.append(f"told {_words(known[same:])} true {_words(true[same:])} {_short(still)}")
    if still.wrong is not None or still.truth.result is not None or not still.followable:
        return
    if public(still.truth) not in {public(state) for state in states(belief)}:
        report.lost += 1
        report.notes.append(f"lost {_short(still)}")


def _words(moves: list[Move]) -> str:
    return "; ".join(" ".join(str(x) for x in m if x is not None) for m in moves[:4])


def _short(still: Still) -> str:
    table = " ".join(f"{t}{s[0]}:{','.join(col)}" for (t, s), col in zip(PLACES, still.table, strict=True) if col)
    return f"[{table}] turn {still.truth.turn} pending {still.truth.pending}"
