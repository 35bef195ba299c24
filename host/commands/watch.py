"""`allfronts watch`: follow a game and print what happens as it becomes certain (contracts, section 3.4)."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

from engine.names import EDITIONS, SEATS, THEATERS
from engine.records.json_codec import move_to_json, step_to_json
from engine.referee import Belief, best_state, new_belief, observe, tell
from engine.referee.events import (
    BattleOver,
    Closed,
    Corrected,
    Event,
    Mended,
    MoveMade,
    Notice,
    Reading,
    Revised,
    Tick,
    Undone,
    Unsure,
    Violation,
)
from engine.referee.update import Verdict
from engine.sight import Board
from engine.state import State, board
from host.cli import EXIT_DONE

if TYPE_CHECKING:
    from vision.sources import Item
    from vision.tracking.table_watcher import TableWatcher

LOOK_AGAIN: Final = 0.4
"""Seconds between fresh readings of one still table that the referee asks for."""
LOOKS_MOST: Final = 2
"""Fresh readings of one still table at most: beyond that nothing new is learnt from the same picture."""
STRANGE: Final = 2
"""Stacks with something that is no card of the deck, and none with a card, which makes it another deck."""
LANGUAGE: Final = "en"

Json = dict[str, Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="SOURCE", help="a camera's number, a film or a stream address")
    parser.add_argument("--deck", required=True, metavar="DIR", help="the deck's profile, made by enrol")
    parser.add_argument("--edition", choices=EDITIONS, default="revised", help="which rules (revised)")
    parser.add_argument("--first", choices=SEATS, help="who is first; else the seat that lays the first card")
    parser.add_argument("--target", type=int, default=12, metavar="POINTS", help="points that win the war (12)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace) -> int:
    """Follows the source to its end. Raises `BadInput` for a missing deck or source."""
    from vision.profile import DeckProfile
    from vision.sources import open_source
    from vision.tracking.table_watcher import TableWatcher

    belief = new_belief(args.edition, args.first, target=args.target)
    eye = TableWatcher(DeckProfile.load(args.deck))
    with closing(open_source(args.source)) as source:
        try:
            for line in follow(source, eye, belief):
                _print(json.dumps(line, ensure_ascii=False) if args.json else plain(line))
        except KeyboardInterrupt:
            return EXIT_DONE
    return EXIT_DONE


def follow(items: Iterable[Item], eye: TableWatcher, belief: Belief) -> Iterator[Json]:
    """The events of a source, as JSON objects, until it ends."""
    from vision.sources import Frame, Trouble

    t = 0.0
    again, looks = 0.0, 0
    known = False
    for item in items:
        if isinstance(item, Trouble):
            yield _line(item.t, "notice", code=item.code, message=f"{item.message} {item.remedy}")
        if not isinstance(item, Frame):
            continue
        t = item.t
        sight = eye.see(item.image, t)
        for notice in eye.notices():
            yield _line(t, "notice", code=notice.code, message=_EYE[notice.code])
        if sight is not None and not known:
            # Nothing on this table was ever a card of the deck: silence would not tell that.
            known = any(sight.board.values())
            if not known and sum(note.code == "foreign" for note in sight.notes) >= STRANGE:
                known = True
                yield _line(t, "notice", code="wrong-deck", message=_EYE["wrong-deck"])
        verdict = observe(belief, sight, t) if sight is not None else tell(belief, Tick(), t)
        if not belief.looks or not eye.state.still:
            looks = 0
        yield from lines(verdict, best_state(belief), t)
        belief = verdict.belief
        if verdict.look_again and eye.state.still and t >= again and looks < LOOKS_MOST:
            again, looks = t + LOOK_AGAIN, looks + 1
            eye.forget()
    yield from lines(tell(belief, Closed(), t), best_state(belief), t)


_EYE: Final = {
    "camera-moved": "The camera or the mat was moved.",
    "no-table": "No table is to be seen: no corner tag and no board.",
    "table-found": "The table is to be seen again.",
    "wrong-deck": "The cards on the table are not of this deck. Give the profile of the deck that lies there: --deck.",
}


def lines(verdict: Verdict, state: State, t: float) -> Iterator[Json]:
    """The events of one verdict as JSON objects. `state` is the likeliest one before it."""
    for event in verdict.events:
        yield event_to_json(event, state, t)
        if isinstance(event, MoveMade | Undone | Corrected):
            state = event.state


def event_to_json(event: Event, before: State, t: float) -> Json:
    """One event as contracts, section 3.4 has it. `before` is the state it happened in."""
    from host.messages.message import mend_message, message_of, option_message, rule_message

    said = message_of(event, board(event.state if isinstance(event, MoveMade) else before), before.pending)
    message = "" if said is None else said.text(LANGUAGE)
    match event:
        case Reading():
            order = None if event.order is None else "".join(event.order)
            return _line(t, "reading", stacks=_stacks(event.board), order=order)
        case MoveMade():
            after = _after(event.state)
            if event.destroyed:
                after["destroyed"] = True
            return _line(t, "move", move=move_to_json(event.move), message=message, **after)
        case Violation():
            mends = [{"code": mend.code, **mend.parts} for mend in event.mend]
            told = " ".join(mend_message(mend, event).text(LANGUAGE) for mend in event.mend)
            return _line(
                t,
                "violation",
                code=event.code,
                rule=event.rule,
                who=event.who,
                message=f"{message.rstrip('.')}. {rule_message(event).text(LANGUAGE)}",
                move=None if event.move is None else move_to_json(event.move),
                mend=told,
                mends=mends,
            )
        case Mended():
            return _line(t, "mended", code=event.code, message=message)
        case Undone():
            return _line(t, "undo", moves=event.moves, message=message, **_after(event.state))
        case Revised():
            return _line(t, "revised", moves=event.moves, message=message)
        case Corrected():
            return _line(t, "correction", code=event.code, message=message, state=_step(event.state))
        case Notice():
            return _line(t, "notice", code=event.code, message=message, **dict(event.parts))
        case Unsure():
            options = [{"key": o.key, "message": option_message(event, o).text(LANGUAGE)} for o in event.options]
            return _line(t, "unsure", question=message, code=event.question, options=options)
        case BattleOver():
            score = {seat: event.score[seat] for seat in SEATS}
            return _line(
                t, "battle", winner=event.winner, points=event.points, why=event.why, score=score, message=message
            )


def _line(t: float, name: str, **rest: Any) -> Json:
    return {"t": round(t, 3), "event": name, **rest}


def _stacks(seen: Board) -> Json:
    return {theater: {seat: list(seen[theater, seat]) for seat in SEATS} for theater in THEATERS}


def _step(state: State) -> Json:
    from engine.records.json_codec import Step

    return step_to_json(Step(state, None, None))


def _after(state: State) -> Json:
    """What a move leaves behind: nothing that a viewer could not know."""
    step = _step(state)
    return {key: step[key] for key in ("strength", "control", "turn", "pending", "hand")}


def plain(line: Json) -> str:
    """One event for people."""
    minutes, seconds = divmod(line["t"], 60)
    text = line.get("message") or line.get("question") or ""
    if line["event"] == "reading":
        stacks = line["stacks"]
        lying = [f"{t} {s} {' '.join(stacks[t][s])}" for t in THEATERS for s in SEATS if stacks[t][s]]
        text = f"On the table: {'; '.join(lying)}." if lying else "The table is empty."
    if line["event"] == "violation":
        text = f"{text} {line['mend']}"
    return f"{int(minutes):3d}:{seconds:04.1f}  {text}"


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
