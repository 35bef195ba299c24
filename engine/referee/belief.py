"""What the referee believes: an immutable value with everything that decides what it says next.

A belief goes to JSON and back, so that a program that was killed goes on where it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from engine.battle import play
from engine.events import Assumption, Unsure, Violation
from engine.failure import BadInput
from engine.moves import Move
from engine.names import SEATS, EditionName, Face, Seat, Theater, parse_edition, parse_order, parse_seat
from engine.records.events_json import unsure_from_json, unsure_to_json, violation_from_json, violation_to_json
from engine.records.json_codec import move_from_json, move_to_json, state_from_json, state_to_json
from engine.records.sight_json import sight_from_json, sight_to_json
from engine.records.war_json import war_from_json, war_to_json
from engine.referee.differences import Difference, differences_from_json, differences_to_json
from engine.referee.hypothesis import Faces, Hypothesis, TakenUp
from engine.referee.observation import faces_of
from engine.referee.policy import Policy
from engine.referee.search import Step, StepKind, closure
from engine.refusal import IllegalMove
from engine.sight import Sight
from engine.state import PILE_INDEX, SEAT_INDEX, State, start
from engine.war import War

Phase: TypeAlias = Literal["setup", "battle", "over", "won"]
"""setup: no card of this battle has been laid. battle. over: ended, the table not yet cleared. won: the war is over."""


@dataclass(frozen=True, slots=True)
class Belief:
    """All that the referee knows and remembers. Make one with `new_belief`; it never changes."""

    war: War
    """The war at the opening of this battle: it alone knows target, rotation, first player and score."""
    policy: Policy
    phase: Phase
    first: Seat | None
    """None in the first battle until somebody lays a card."""
    expected_order: tuple[Theater, Theater, Theater] | None
    hyps: tuple[Hypothesis, ...]
    """Likeliest first."""
    told: tuple[Move, ...] = ()
    """Moves of this battle that were told and hold."""
    before: tuple[Hypothesis, ...] = ()
    """The lines of the battle before, while it may still be taken back."""
    war_before: War | None = None
    """The war at the opening of that battle."""
    looks: tuple[Sight, ...] = ()
    """Readings of the table that lies there and is not yet explained."""
    since: float = 0.0
    """When that table was first seen."""
    known: bool = False
    """What these looks show is told: a mistake, or moves while a card may have been overlooked in another stack."""
    first_assumed: bool = False
    """Nobody said who is first in this battle: it is the seat that laid the first card."""
    passed_over: bool = False
    """A table lay there that was never understood, before the one that lies there now."""
    seen: Faces | None = None
    """The last table that was told as a reading."""
    seen_order: tuple[Theater, Theater, Theater] | None = None
    stale: Faces | None = None
    """A table that a person has taken back by word and that still lies there."""
    violation: Violation | None = None
    illegal: Faces | None = None
    """The illegal table that was told."""
    stands: Hypothesis | None = None
    """What letting it stand would make of it."""
    rivals: tuple[Hypothesis, ...] = ()
    """Legal lines, less likely than the mistake that was told, that also explain the illegal table."""
    questions: tuple[Unsure, ...] = ()
    settled: tuple[str, ...] = ()
    """Questions and notices about this table that need not come again."""
    next_id: int = 1
    foreign: tuple[str, ...] = ()
    """Stacks at which the last understood table had something that is no card."""
    undone: tuple[Step, ...] = ()
    """The moves of the last undo, for a redo."""
    misread: tuple[tuple[Face, Face], ...] = ()
    """Readings that a person has said are another card, in this battle."""
    end_due: float | None = None
    """When the end of this battle is told, unless the table says otherwise before; None where it was told."""
    remains: Faces | None = None
    """After a battle: what lies there of its cards, once some were taken up."""
    begun: Faces | None = None
    """After a battle: the cards of the next one that lie among them already."""
    taken_up: TakenUp | None = None
    """The lines before cards were taken up, while that may have been the beginning of gathering in."""
    differences: tuple[Difference, ...] = ()
    """What lies there otherwise than the state has it, and is known."""
    touched: bool = False
    """A hand was over the table since the last move and left it as it was."""
    line_due: float | None = None
    """When the players are asked which of two lines was played, if no table has told by then."""
    much_unseen: bool = False
    """That question is about much that must have been unseen."""
    complete: bool = True
    """False once lines had to be dropped: the set of states may lack the true one, and the state says `unsure`."""
    time: float = 0.0

    @property
    def edition(self) -> EditionName:
        return self.war.edition.name

    @property
    def number(self) -> int:
        """Which battle of the war this is, from 1."""
        return len(self.war.fought) + 1

    @property
    def current_war(self) -> War:
        """The war with the likeliest line of this battle in it."""
        best = self.hyps[0]
        return self.war.with_line(
            best.base, [step.state if step.move is None else step.move for step in best.path], best.state
        )

    @property
    def score(self) -> dict[Seat, int]:
        """Points so far; those of this battle count once its end was told."""
        return (self.current_war if self.phase in ("over", "won") else self.war).score


class TellableMove(NamedTuple):
    """A move that can be told, with the state after it."""

    move: Move
    state: State
    destroyed: bool


class Preview(NamedTuple):
    """What an undo or redo would do."""

    moves: tuple[Move, ...]
    state: State
    reveals: bool
    """Taking these moves back goes beyond something that came to light."""


def fresh(edition: EditionName, order: tuple[Theater, ...] | None, first: Seat | None) -> tuple[Hypothesis, ...]:
    """The lines at the start of a battle: one for each seat that could be first."""
    row = order or ("A", "L", "S")
    seats = (first,) if first is not None else SEATS
    return tuple(Hypothesis(0.0, start(edition, row, seat)) for seat in seats)


def new_belief(
    edition: str = "revised",
    first: str | None = None,
    order: str | None = None,
    *,
    target: int | None = None,
    beginner: bool = False,
    policy: Policy | None = None,
) -> Belief:
    """A war before its first card. What is None the table will show or the rules say; raises `BadInput`."""
    name = parse_edition(edition)
    seat = parse_seat(first) if first is not None else None
    row = parse_order(order) if order is not None else None
    return Belief(
        war=War.begin(name, row or "ALS", seat or "near", target=target, beginner=beginner),
        policy=policy or Policy(),
        phase="setup",
        first=seat,
        expected_order=row,
        hyps=fresh(name, row, seat),
    )


def best_state(belief: Belief) -> State:
    """The likeliest state: what page and lights show."""
    return belief.hyps[0].state


def states(belief: Belief) -> frozenset[State]:
    """All states that agree with everything seen, silent moves since the last table included.

    The true state is one of them, unless `unsure` says otherwise.
    """
    return frozenset(state for hyp in belief.hyps + belief.rivals for _, state in closure(hyp.state))


def unsure(belief: Belief) -> bool:
    """Whether more may have happened than could be followed, so that the true state may not be among `states`."""
    return not belief.complete


def score(belief: Belief) -> dict[Seat, int]:
    return belief.score


def war_winner(belief: Belief) -> Seat | None:
    """The seat that has won the war, or None while it goes on."""
    return belief.current_war.winner if belief.phase in ("over", "won") else belief.war.winner


def questions(belief: Belief) -> tuple[Unsure, ...]:
    return belief.questions


def told_moves(belief: Belief) -> tuple[Move, ...]:
    return belief.told


def assumptions(belief: Belief) -> tuple[Assumption, ...]:
    """Silent things that the likeliest line takes for granted and nobody has confirmed."""
    found: list[Assumption] = []
    best = belief.hyps[0]
    if belief.first is None:
        found.append(Assumption("first", best.base.first))
    if unsure(belief):
        found.append(Assumption("unsure", best.state.turn or best.base.first))
    state = best.base
    for step in best.path:
        if step.kind == "silent" and step.move is not None:
            if step.move.do == "decline":
                found.append(Assumption("declined", step.move.by, {"effect": state.pending or ""}))
            elif step.move.do == "withdraw":
                found.append(Assumption("withdrew", step.move.by))
            else:
                found.append(Assumption("destroyed-unseen", step.move.by))
        state = step.state
    return tuple(found)


def canonical(state: State, move: Move) -> Move:
    """`move` as it is told: no hidden card, and the lowest of a run of equal visible cards."""
    if move.do in ("improvise", "reinforce"):
        return move._replace(card=None)
    place = move.origin if move.do == "move" else move.at
    if move.nth is None or place is None:
        return move
    faces = faces_of(state.piles[PILE_INDEX[place] + SEAT_INDEX[move.by]])
    nth = move.nth
    while nth > 0 and faces[nth - 1] == faces[nth]:
        nth -= 1
    return move._replace(nth=nth)


def tellable(hyp: Hypothesis) -> list[TellableMove]:
    """The moves of a line that can be told: all that left a trace, and what was declined before one of them."""
    found: list[TellableMove] = []
    waiting: list[TellableMove] = []
    state = hyp.base
    for step in hyp.path:
        if step.move is not None:
            told = TellableMove(
                canonical(state, step.move), step.state, step.kind == "seen" and step.state.piles == state.piles
            )
            if step.kind == "silent":
                if step.move.do == "decline":
                    waiting.append(told)
            else:
                found += [*waiting, told]
                waiting.clear()
        state = step.state
    return found


def faces(state: State) -> Faces:
    """The table of a state as the camera would see it."""
    return tuple(faces_of(pile) for pile in state.piles)


def earlier(hyp: Hypothesis) -> Iterator[tuple[int, State]]:
    """The states before the present one, latest first, each with the number of steps that led to it."""
    for length in range(len(hyp.path) - 1, -1, -1):
        yield length, hyp.path[length - 1].state if length else hyp.base


def revealing(steps: tuple[Step, ...]) -> bool:
    """Whether taking these moves back goes beyond information that came to light.

    A card turned up, a card drawn from the deck, or an answer face up of the other seat.
    """
    seats = set()
    for step in steps:
        if step.move is None:
            continue
        if step.move.reveals is not None or step.move.do == "reinforce":
            return True
        if step.move.do == "deploy":
            seats.add(step.move.by)
    return len(seats) > 1


# --- JSON ------------------------------------------------------------------------------------------------------------


def _step_to_json(step: Step) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": step.kind}
    if step.move is None:
        data["state"] = state_to_json(step.state)
    else:
        data["move"] = move_to_json(step.move)
    return data


def _hyp_to_json(hyp: Hypothesis) -> dict[str, Any]:
    return {"cost": hyp.cost, "base": state_to_json(hyp.base), "path": [_step_to_json(step) for step in hyp.path]}


def _hyp_from_json(data: Mapping[str, Any]) -> Hypothesis:
    base = state_from_json(data["base"])
    return Hypothesis(float(data["cost"]), base, _path(base, data["path"]))


def _path(state: State, data: list[Mapping[str, Any]]) -> tuple[Step, ...]:
    steps: list[Step] = []
    for entry in data:
        kind = cast(StepKind, entry["kind"])
        if "state" in entry:
            state = state_from_json(entry["state"])
            steps.append(Step(None, kind, state))
        else:
            move = move_from_json(entry["move"])
            state = play(state, move)
            steps.append(Step(move, kind, state))
    return tuple(steps)


def _faces_from_json(data: Any) -> Faces | None:
    return None if data is None else tuple(tuple(column) for column in data)


def _order_from_json(data: Any) -> tuple[Theater, Theater, Theater] | None:
    return None if data is None else parse_order(data)


def belief_to_json(belief: Belief) -> dict[str, Any]:
    """The whole belief. `belief_from_json` gives the same one back."""
    data: dict[str, Any] = {}
    for entry in fields(Belief):
        value = getattr(belief, entry.name)
        if entry.name == "policy":
            value = belief.policy.to_json()
        elif entry.name in ("hyps", "before", "rivals"):
            value = [_hyp_to_json(hyp) for hyp in value]
        elif entry.name == "differences":
            value = differences_to_json(value, violation_to_json)
        elif entry.name == "taken_up":
            value = None if value is None else [[_hyp_to_json(hyp) for hyp in value.lines], value.since, value.more]
        elif entry.name == "stands":
            value = None if value is None else _hyp_to_json(value)
        elif entry.name == "told":
            value = [move_to_json(move) for move in value]
        elif entry.name in ("war", "war_before"):
            value = None if value is None else war_to_json(value)
        elif entry.name == "looks":
            value = [sight_to_json(look) for look in value]
        elif entry.name == "violation":
            value = None if value is None else violation_to_json(value)
        elif entry.name == "questions":
            value = [unsure_to_json(question) for question in value]
        elif entry.name == "undone":
            origin = best_state(belief)
            value = {"from": state_to_json(origin), "steps": [_step_to_json(step) for step in value]} if value else None
        elif entry.name in ("expected_order", "seen_order"):
            value = None if value is None else "".join(value)
        data[entry.name] = value
    return data


def belief_from_json(data: Mapping[str, Any]) -> Belief:
    """The belief that `belief_to_json` wrote; raises `BadInput` (`bad-belief`) for anything else."""
    try:
        values = dict(data)
        values["war"] = war_from_json(data["war"])
        values["war_before"] = None if data["war_before"] is None else war_from_json(data["war_before"])
        values["policy"] = Policy(**data["policy"])
        values["hyps"] = tuple(_hyp_from_json(hyp) for hyp in data["hyps"])
        values["before"] = tuple(_hyp_from_json(hyp) for hyp in data["before"])
        values["rivals"] = tuple(_hyp_from_json(hyp) for hyp in data.get("rivals", ()))
        values["stands"] = None if data["stands"] is None else _hyp_from_json(data["stands"])
        values["told"] = tuple(move_from_json(move) for move in data["told"])
        values["looks"] = tuple(sight_from_json(look) for look in data["looks"])
        values["violation"] = None if data["violation"] is None else violation_from_json(data["violation"])
        values["questions"] = tuple(unsure_from_json(question) for question in data["questions"])
        values["settled"] = tuple(data["settled"])
        values["foreign"] = tuple(data["foreign"])
        undone = data["undone"]
        values["undone"] = _path(state_from_json(undone["from"]), undone["steps"]) if undone else ()
        values["misread"] = tuple((read, true) for read, true in data["misread"])
        for name in ("expected_order", "seen_order"):
            values[name] = _order_from_json(data[name])
        values["differences"] = differences_from_json(data["differences"], violation_from_json)
        taken = data["taken_up"]
        values["taken_up"] = taken and TakenUp(tuple(_hyp_from_json(hyp) for hyp in taken[0]), taken[1], taken[2])
        for name in ("seen", "stale", "illegal", "remains", "begun"):
            values[name] = _faces_from_json(data[name])
        return Belief(**values)
    except (KeyError, TypeError, ValueError, AttributeError, BadInput, IllegalMove) as error:
        raise BadInput("bad-belief", f"This is no referee's belief: {error!r}.", "Start a new war.") from error
