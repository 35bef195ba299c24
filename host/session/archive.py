"""What a game log can give back: wars as records in the notation, and their readings for another referee."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from engine.events import Event, Tick
from engine.failure import BadInput
from engine.records.inputs_json import input_from_json
from engine.records.notation import write
from engine.records.notation_format import Header
from engine.records.replay import record_of
from engine.records.sight_json import sight_from_json
from engine.records.timeline import Timeline
from engine.referee import Belief, Verdict, best_state, observe, score, tell
from engine.state import State
from engine.war import War
from host.session.game_log import GameLog, Observation, WarInfo
from host.session.session import GAME, Rules, replayed

REMEDY: Final = "allfronts games lists the wars that are kept."
LONGEST_NUMBER: Final = 9
"""Digits of a war's number in the list."""
TICK: Final = 0.2
"""Seconds between two looks at whether the referee's patience has run out."""
WAITED_AT_MOST: Final = 60.0
"""Of a longer pause, this many seconds are walked through: nothing new comes of the rest."""


def war_named(log: GameLog, name: str) -> WarInfo:
    """The war by its number in the list (1 is the newest), its id or the beginning of one; raises `BadInput`."""
    wars = [war for war in log.wars() if war.game == GAME]
    number = int(name) if name.isdecimal() and len(name) <= LONGEST_NUMBER else 0
    if 1 <= number <= len(wars):
        return wars[number - 1]
    # Nothing is the beginning of every id.
    found = [war for war in wars if name and war.id.startswith(name)]
    if len(found) != 1:
        which = "no war" if not found else "more than one war"
        raise BadInput("no-war", f"There is {which} {name!r} in the log.", REMEDY)
    return found[0]


def battles_of(log: GameLog, war: WarInfo) -> list[War]:
    """The war at the end of each of its battles, the last of which may still go on; raises `BadInput` for damage."""
    rules = Rules.from_json(war.options)
    return battles_in(rules, [timeline for _, _, timeline in replayed(log, war.id, rules)])


def battles_in(rules: Rules, timelines: Sequence[Timeline]) -> list[War]:
    """As `battles_of`, from the timelines after each of the war's entries."""
    found: dict[int, War] = {0: rules.timeline().war}
    last = 0
    for timeline in timelines:
        last = len(timeline.before.fought)
        found[last] = timeline.war
        if timeline.previous is not None:
            found[last - 1] = timeline.previous.war
    return [found[number] for number in range(last + 1) if number in found]


def notation_of(log: GameLog, war: WarInfo) -> str:
    """The war in the project's notation; `judge` plays it. Raises `BadInput` for damage."""
    names = zip(("Near", "Far"), Rules.from_json(war.options).names, strict=True)
    headers = tuple(Header(seat, who.strip()) for seat, who in names if who.strip())
    return write(record_of(battles_of(log, war), headers))


def json_lines_of(log: GameLog, war: WarInfo) -> str:
    """A war's entries as the log holds them, one JSON object a line; raises `BadInput` for damage."""
    head = {"war": war.id, "table": log.table, "game": war.game, "began": war.began, "options": dict(war.options)}
    return "".join(json.dumps(row) + "\n" for row in (head, *(entry.to_json() for entry in log.entries(war.id))))


@dataclass(frozen=True, slots=True)
class Comparison:
    """A war followed again from its readings by the referee of today."""

    told: tuple[Event, ...]
    before: State
    """The state that was shown at the war's last entry."""
    again: State
    """The state that today's referee comes to."""
    same: bool
    """Both come to the same state and score."""


def follow_again(log: GameLog, war: WarInfo) -> Comparison:
    """Gives today's referee the readings and inputs that the log still keeps of a war.

    Time passes between them as it did, but for the hands over the table, which nobody wrote down. Raises `BadInput`
    (`no-readings`) where the beginning of the war was dropped, and for damage.
    """
    rules = Rules.from_json(war.options)
    kept = list(log.observations(war.id))
    shown, first = rules.timeline(), 0
    for entry, _, timeline in replayed(log, war.id, rules):
        # What the source tells of itself comes of no reading.
        first = first or (0 if entry.cause.get("by") == "source" else entry.sequence)
        shown = timeline
    if not kept or (first and kept[0].after >= first):
        raise BadInput("no-readings", "The readings of this war are not kept any more.", "Newer wars can be followed.")
    belief, told = rules.belief(), list[Event]()
    for verdict in _verdicts(belief, kept):
        belief = verdict.belief
        told += verdict.events
    again = best_state(belief)
    same = again == shown.shown and score(belief) == shown.war.score
    return Comparison(tuple(told), shown.shown, again, same)


def _verdicts(belief: Belief, kept: Sequence[Observation]) -> Iterator[Verdict]:
    for observation, following in zip_longest(kept, kept[1:]):
        if observation.kind == "reading":
            verdict = observe(belief, sight_from_json(observation.data), observation.t)
        else:
            verdict = tell(belief, input_from_json(observation.data), observation.t)
        yield verdict
        belief, t = verdict.belief, observation.t + TICK
        while following is not None and t < min(following.t, observation.t + WAITED_AT_MOST):
            verdict = tell(belief, Tick(), t)
            yield verdict
            belief, t = verdict.belief, t + TICK
