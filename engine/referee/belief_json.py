"""A belief as JSON and back, so that a program that was killed goes on where it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, cast

from engine.battle import play
from engine.failure import BadInput
from engine.names import Theater, parse_order
from engine.records.events_json import unsure_from_json, unsure_to_json, violation_from_json, violation_to_json
from engine.records.json_codec import move_from_json, move_to_json, state_from_json, state_to_json
from engine.records.sight_json import sight_from_json, sight_to_json
from engine.records.war_json import war_from_json, war_to_json
from engine.referee.belief import Belief
from engine.referee.belief_parts import (
    BattleEnd,
    LineQuestion,
    MisplacedCard,
    PresentTable,
    PreviousBattle,
    Settled,
    ToldMistake,
)
from engine.referee.differences import MovedBoards, differences_from_json, differences_to_json
from engine.referee.hypothesis import Faces, Hypothesis, TakenUp
from engine.referee.policy import Policy
from engine.referee.search import Step, StepKind
from engine.refusal import IllegalMove
from engine.state import State


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


def _fields_of(part: Belief | BattleEnd | LineQuestion | MisplacedCard | Policy | PresentTable) -> dict[str, Any]:
    """Not `dataclasses.asdict`, which copies all that lies deeper: it took a fifth of writing a belief."""
    return {entry.name: getattr(part, entry.name) for entry in fields(part)}


def _present_to_json(present: PresentTable) -> dict[str, Any]:
    return _fields_of(present) | {"looks": [sight_to_json(look) for look in present.looks]}


def _present_from_json(data: Mapping[str, Any]) -> PresentTable:
    return PresentTable(
        looks=tuple(sight_from_json(look) for look in data["looks"]),
        since=float(data["since"]),
        known=bool(data["known"]),
        passed_over=bool(data["passed_over"]),
        stale=_faces_from_json(data["stale"]),
        settled=tuple(
            Settled(code, about, _faces_from_json(table), lasting) for code, about, table, lasting in data["settled"]
        ),
        back=int(data.get("back", 0)),
        heap=_faces_from_json(data.get("heap")),
    )


def _misplaced_to_json(card: MisplacedCard) -> dict[str, Any]:
    return _fields_of(card) | {"violation": card.violation and violation_to_json(card.violation)}


def _misplaced_from_json(data: Mapping[str, Any]) -> MisplacedCard:
    violation = data["violation"]
    return MisplacedCard(**{**data, "violation": violation and violation_from_json(violation)})


def _mistake_to_json(mistake: ToldMistake) -> dict[str, Any]:
    return {
        "violation": None if mistake.violation is None else violation_to_json(mistake.violation),
        "illegal": mistake.illegal,
        "stands": None if mistake.stands is None else _hyp_to_json(mistake.stands),
        "rivals": [_hyp_to_json(hyp) for hyp in mistake.rivals],
        "in_rivals": None if mistake.in_rivals is None else violation_to_json(mistake.in_rivals),
    }


def _mistake_from_json(data: Mapping[str, Any]) -> ToldMistake:
    return ToldMistake(
        None if data["violation"] is None else violation_from_json(data["violation"]),
        _faces_from_json(data["illegal"]),
        None if data["stands"] is None else _hyp_from_json(data["stands"]),
        tuple(_hyp_from_json(hyp) for hyp in data["rivals"]),
        None if data.get("in_rivals") is None else violation_from_json(data["in_rivals"]),
    )


def belief_to_json(belief: Belief) -> dict[str, Any]:
    """The whole belief. `belief_from_json` gives the same one back."""
    data = _fields_of(belief)
    # What was seen a moment ago tells nothing after a stop.
    del data["glimpse"]
    boards, taken, previous, line = belief.boards, belief.taken_up, belief.previous, belief.line_question
    return data | {
        "war": war_to_json(belief.war),
        "policy": _fields_of(belief.policy),
        "expected_order": None if belief.expected_order is None else "".join(belief.expected_order),
        "hyps": [_hyp_to_json(hyp) for hyp in belief.hyps],
        "told": [move_to_json(move) for move in belief.told],
        "present": _present_to_json(belief.present),
        "mistake": _mistake_to_json(belief.mistake),
        "ending": _fields_of(belief.ending),
        "previous": None
        if previous is None
        else {
            "war": war_to_json(previous.war),
            "lines": [_hyp_to_json(hyp) for hyp in previous.lines],
            "over": previous.over,
        },
        "seen_order": None if belief.seen_order is None else "".join(belief.seen_order),
        "questions": [unsure_to_json(question) for question in belief.questions],
        "undone": belief.undone and _hyp_to_json(belief.undone),
        "undone_before": [_hyp_to_json(hyp) for hyp in belief.undone_before],
        "taken_back": belief.taken_back and _hyp_to_json(belief.taken_back),
        "taken_up": None
        if taken is None
        else [[_hyp_to_json(hyp) for hyp in taken.lines], taken.since, taken.more, taken.soon],
        "differences": differences_to_json(belief.differences, violation_to_json),
        "boards": None if boards is None else ["".join(boards.order), boards.since, boards.moves, boards.told],
        "misplaced": [_misplaced_to_json(one) for one in belief.misplaced],
        "line_question": None if line is None else _fields_of(line),
    }


def belief_from_json(data: Mapping[str, Any]) -> Belief:
    """The belief that `belief_to_json` wrote; raises `BadInput` (`bad-belief`) for anything else."""
    try:
        boards, taken, previous, line = data["boards"], data["taken_up"], data["previous"], data["line_question"]
        ending, undone, conceded = data["ending"], data["undone"], data["conceded"]
        values = dict(data) | {
            "war": war_from_json(data["war"]),
            "policy": Policy(**data["policy"]),
            "expected_order": _order_from_json(data["expected_order"]),
            "hyps": tuple(_hyp_from_json(hyp) for hyp in data["hyps"]),
            "told": tuple(move_from_json(move) for move in data["told"]),
            "present": _present_from_json(data["present"]),
            "mistake": _mistake_from_json(data["mistake"]),
            "ending": BattleEnd(
                ending["due"], *(_faces_from_json(ending.get(name)) for name in ("remains", "begun", "shown"))
            ),
            "previous": previous
            and PreviousBattle(
                war_from_json(previous["war"]),
                tuple(_hyp_from_json(hyp) for hyp in previous["lines"]),
                previous.get("over", 0.0),
            ),
            "seen": _faces_from_json(data["seen"]),
            "seen_order": _order_from_json(data["seen_order"]),
            "questions": tuple(unsure_from_json(question) for question in data["questions"]),
            "foreign": tuple(data["foreign"]),
            "undone": undone and _hyp_from_json(undone),
            "undone_before": tuple(_hyp_from_json(hyp) for hyp in data.get("undone_before", ())),
            "taken_back": data.get("taken_back") and _hyp_from_json(data["taken_back"]),
            "conceded": conceded and (int(conceded[0]), int(conceded[1])),
            "misread": tuple((read, true) for read, true in data["misread"]),
            "taken_up": taken and TakenUp(tuple(_hyp_from_json(hyp) for hyp in taken[0]), *taken[1:]),
            "differences": differences_from_json(data["differences"], violation_from_json),
            "boards": boards and MovedBoards(parse_order(boards[0]), *boards[1:]),
            "misplaced": tuple(_misplaced_from_json(one) for one in data.get("misplaced", ())),
            "line_question": line and LineQuestion(**line),
        }
        return Belief(**values)
    except (KeyError, TypeError, ValueError, AttributeError, BadInput, IllegalMove) as error:
        raise BadInput("bad-belief", f"This is no referee's belief: {error!r}.", "Start a new war.") from error
