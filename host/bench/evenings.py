"""Evenings of two careless players before the simulated camera, read by the real reader, followed by the referee.

Each table is drawn as often as the referee wants to look at it, with the camera's noise anew, and read as a picture. An
evening is a war in one room: another light, deck and camera each. What the players do and how often is
`host.simulation.careless_players.Rates`; nobody presses a button, and a question is answered rightly after two seconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Final

from engine.events import Answer, Event, Unsure, Violation
from engine.failure import Failure
from engine.names import EDITIONS, other
from engine.places import PLACES
from engine.sight import Sight
from engine.state import Result
from host.bench.drawn import DECKS, LOOKS, learnt
from host.bench.figure import Figure, Measured, Wish
from host.session.memory_log import MemoryLog
from host.session.session import Rules, Session
from host.session.tracker import Pace, StillTableWatcher, Tracker, Watcher
from host.simulation.careless_players import POLITE, TARGET, Evening, LyingTable, Rates

if TYPE_CHECKING:
    from vision.simulate import SimulatedCamera
    from vision.tracking.reader import Reader, TableReading

EVENINGS: Final = 100
STEP: Final = 0.25
"""Seconds between two pictures of a table."""
HANDS: Final = 1.5
"""Seconds of hands over the table between two still ones."""
ANSWERED_AFTER: Final = 2.0
"""Seconds until somebody answers a question."""
LOOKS_MOST: Final = 6
ROOMS: Final = ("day", "lamp", "messy", "hd720", "dim", "tilt")
REMEMBERED: Final = 2
"""Tables after a mistake at which it may still be told."""


@dataclass(slots=True)
class Count:
    """What came of some evenings."""

    evenings: int = 0
    tables: int = 0
    battles: int = 0
    right: int = 0
    """Battles scored as they were played."""
    questions: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    mistakes: int = 0
    told: int = 0
    """Mistakes of the players that were told."""
    alarms: Counter[str] = field(default_factory=Counter)
    """Violations told where there was none."""
    wrong: list[str] = field(default_factory=list)
    """Battles that were scored otherwise, in words."""


def drawn_and_read(camera: SimulatedCamera, reader: Reader) -> Callable[[LyingTable], Sight | None]:
    """What `reader` makes of a picture of each table; None where it finds no table."""
    last: TableReading | None = None

    def read(table: LyingTable) -> Sight | None:
        nonlocal last
        image = camera.still(dict(zip(PLACES, table.table, strict=True)), table.order)
        try:
            last = reader.read(image, last)
        except Failure:
            return None
        return last.sight

    return read


def evening(seed: int, rates: Rates, count: Count) -> None:
    """Plays, draws, reads and follows one evening, and adds what came of it to `count`."""
    from vision.simulate import SimulatedCamera, printed_deck
    from vision.tracking.reader import Reader

    look, number = LOOKS[seed % len(LOOKS)], seed // len(LOOKS) % DECKS
    camera = SimulatedCamera(seed=seed, condition=ROOMS[seed % len(ROOMS)], vary=True, deck=printed_deck(look, number))
    reader = Reader(learnt(look, number))
    follow(seed, rates, StillTableWatcher(drawn_and_read(camera, reader)), count)


def follow(seed: int, rates: Rates, watcher: Watcher[LyingTable], count: Count) -> None:
    """Plays one evening before that watcher."""
    edition = EDITIONS[seed % len(EDITIONS)]
    players = Evening(Random(seed), edition, rates)
    session = Session(MemoryLog(observations_kept=0), Rules(edition, players.first, TARGET), lambda: 0.0, resume=False)
    tracker = Tracker(watcher, session, pace=Pace(tick=STEP, look_again=0.4, looks_most=LOOKS_MOST))
    count.evenings += 1
    t = 0.0
    lately: list[LyingTable] = []
    for table in players.tables():
        count.tables += 1
        events: list[Event] = []
        until = t + table.seconds
        while t < until:
            events += tracker.frame(table, t)
            events += _answered(session, table, t)
            t += STEP
        t += HANDS
        _judged(count, table, lately, events)
        lately = [*lately, table][-REMEMBERED:]
    while session.belief.questions and t < until + 2 * HANDS + ANSWERED_AFTER:
        events = list(_answered(session, table, t + ANSWERED_AFTER))
        t += STEP
    tracker.ended()
    _scored(count, seed, players.results, session)


def _answered(session: Session, table: LyingTable, t: float) -> tuple[Event, ...]:
    """Somebody answers an open question about the end of a battle, if it has stood for a while."""
    belief = session.belief
    for asked in belief.questions:
        if t - belief.present.since < ANSWERED_AFTER:
            continue
        key = _end_answer(asked, table) if asked.question == "who-withdrew" else "yes"
        if key in [option.key for option in asked.options]:
            return session.apply(Answer(asked.id, key), {"by": "players"}) or ()
    return ()


def _end_answer(asked: Unsure, table: LyingTable) -> str:
    if not table.finished:
        return "nobody"
    result = table.finished[-1]
    if result.why == "played-out":
        return "played-out"
    keys = [option.key for option in asked.options]
    by = other(result.winner)
    return by if by in keys else f"{by}-{result.points}"


def _judged(count: Count, table: LyingTable, lately: Sequence[LyingTable], events: Sequence[Event]) -> None:
    told = [event.code for event in events if isinstance(event, Violation)]
    count.mistakes += bool(table.mistake)
    count.told += bool(table.mistake and told)
    allowed = {code for one in (*lately, table) for code in (one.mistake, *one.may)}
    if not any(one.mistake for one in (*lately, table)):
        count.alarms.update(code for code in told if code not in allowed)
    asked = [event.question for event in events if isinstance(event, Unsure)]
    count.questions += len(asked)
    count.asked.update(asked)


def _scored(count: Count, seed: int, true: Sequence[Result], session: Session) -> None:
    war = session.belief.current_war
    found = [one.result for one in war.fought]
    if war.state.result is not None:
        found.append(war.state.result)
    for nth, result in enumerate(true):
        count.battles += 1
        said = found[nth] if nth < len(found) else None
        if said == result:
            count.right += 1
        else:
            count.wrong.append(f"evening {seed}, battle {nth + 1}: {said} and not {result}")


def _evenings(wish: Wish) -> Iterator[Measured]:
    n = wish.tables or max(1, round(EVENINGS * wish.scale))
    for name, rates, evenings in (("careless", Rates(), n), ("polite", POLITE, max(1, n // 5))):
        count = Count()
        for nth in range(evenings):
            evening(wish.seed * 1000 + nth, rates, count)
        yield Measured(count.right / max(count.battles, 1), count.battles, f"{name}/battles-right")
        yield Measured(count.questions / count.evenings, count.evenings, f"{name}/questions-an-evening")
        yield Measured(sum(count.alarms.values()) / count.evenings, count.evenings, f"{name}/false-alarms-an-evening")
        yield Measured(count.told / max(count.mistakes, 1), count.mistakes, f"{name}/mistakes-told")
        yield Measured(count.tables / count.evenings, count.evenings, f"{name}/tables-an-evening")


FIGURES = (
    Figure(
        "referee.evenings",
        "",
        "evenings of careless and polite players, through simulated camera and real reader (--tables N: evenings)",
        at_length=_evenings,
    ),
)
