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
from engine.referee.belief import Belief, Settled, best_state
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
        elif entry.name == "boards":
            value = None if value is None else ["".join(value.order), value.since, value.moves, value.told]
        elif entry.name == "taken_up":
            value = (
                None
                if value is None
                else [[_hyp_to_json(hyp) for hyp in value.lines], value.since, value.more, value.soon]
            )
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
        values["settled"] = tuple(
            Settled(code, about, _faces_from_json(table), lasting) for code, about, table, lasting in data["settled"]
        )
        values["foreign"] = tuple(data["foreign"])
        undone = data["undone"]
        values["undone"] = _path(state_from_json(undone["from"]), undone["steps"]) if undone else ()
        values["misread"] = tuple((read, true) for read, true in data["misread"])
        for name in ("expected_order", "seen_order"):
            values[name] = _order_from_json(data[name])
        values["differences"] = differences_from_json(data["differences"], violation_from_json)
        boards = data["boards"]
        values["boards"] = boards and MovedBoards(parse_order(boards[0]), *boards[1:])
        taken = data["taken_up"]
        values["taken_up"] = taken and TakenUp(tuple(_hyp_from_json(hyp) for hyp in taken[0]), *taken[1:])
        for name in ("seen", "stale", "illegal", "remains", "begun"):
            values[name] = _faces_from_json(data[name])
        return Belief(**values)
    except (KeyError, TypeError, ValueError, AttributeError, BadInput, IllegalMove) as error:
        raise BadInput("bad-belief", f"This is no referee's belief: {error!r}.", "Start a new war.") from error
