"""Each event as a line of `watch` (docs/contracts.md, section 3.4): a JSON object with an English sentence in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from engine.events import (
    BattleOver,
    Corrected,
    Event,
    Mended,
    MoveMade,
    Notice,
    Reading,
    Revised,
    Undone,
    Unsure,
    Violation,
)
from engine.names import SEATS, THEATERS
from engine.records.events_json import board_to_json
from engine.records.json_codec import ReplayStep, move_to_json, step_to_json
from engine.state import State, board
from host.messages.command_text import condition_text
from host.messages.message import EITHER, mend_message, message_of, option_message, rule_message
from host.messages.reader import MessageReader
from host.session.sinks import Change
from host.session.source_events import SourceEvent, SourceMended, SourceNotice, SourceTrouble
from host.session.standing import Standing

ENGLISH: Final = MessageReader("en")
"""For whom JSON is written: programs read it (docs/contracts.md)."""

EventLine = dict[str, Any]

UNSAID: Final = frozenset({"source-ended"})
"""Notices that are no event of `watch`: whoever reads it sees the end of the output."""


class EventLines:
    """A sink that hands every event of a session to `write` as a JSON object. `clock` is the source's, in seconds."""

    def __init__(
        self, write: Callable[[EventLine], None], clock: Callable[[], float], reader: MessageReader = ENGLISH
    ) -> None:
        self._write, self._reader = write, reader
        self._clock = clock

    def opened(self, war: str, history: Sequence[Change], standing: Standing) -> None:
        """What happened before it subscribed is not told again."""

    def changed(self, change: Change) -> None:
        for line in change_lines(change, self._clock(), self._reader):
            self._write(line)

    def close(self) -> None:
        """Nothing is held."""


def change_lines(change: Change, t: float, reader: MessageReader = ENGLISH) -> Iterator[EventLine]:
    """The events of one change as JSON objects, at `t` seconds, with sentences for `reader`."""
    for told in change.source:
        line = source_line(told, t, reader)
        if line is not None:
            yield line
    state = change.before
    for event in change.events:
        yield event_line(event, state, t, reader)
        if isinstance(event, MoveMade | Undone | Corrected):
            state = event.state


def source_line(event: SourceEvent, t: float, reader: MessageReader = ENGLISH) -> EventLine | None:
    """What the source tells of itself, or None for what `watch` does not print."""
    match event:
        case SourceTrouble(code=code, message=message, remedy=remedy, parts=parts):
            told = condition_text(reader.language, code, parts, f"{message} {remedy}")
            return _line(t, "notice", code=code, message=told)
        case SourceNotice(code=code) if code not in UNSAID:
            return _line(t, "notice", code=code, message=reader.say("condition", code))
        case SourceMended() | SourceNotice():
            return None


def event_line(event: Event, before: State, t: float, reader: MessageReader = ENGLISH) -> EventLine:
    """One event as docs/contracts.md, section 3.4 has it. `before` is the state it happened in."""
    said = message_of(event, board(event.state if isinstance(event, MoveMade) else before), before.pending)
    message = "" if said is None else reader.text(said)
    match event:
        case Reading():
            order = None if event.order is None else "".join(event.order)
            return _line(t, "reading", stacks=board_to_json(event.board), order=order)
        case MoveMade():
            after = _after(event.state)
            if event.destroyed:
                after |= {"destroyed": True, "by_card": event.by_card}
            return _line(t, "move", move=move_to_json(event.move), message=message, **after)
        case Violation():
            mends = [{"code": mend.code, **mend.parts} for mend in event.mend]
            steps = [reader.text(mend_message(mend, event)) for mend in event.mend]
            if event.code in EITHER:
                # One of them is enough.
                steps[1:] = [reader.say("view", "or", {"step": step}) for step in steps[1:]]
            return _line(
                t,
                "violation",
                code=event.code,
                rule=event.rule,
                who=event.who,
                message=f"{message.rstrip('.')}. {reader.text(rule_message(event))}",
                move=None if event.move is None else move_to_json(event.move),
                mend=" ".join(steps),
                mends=mends,
            )
        case Mended():
            return _line(t, "mended", code=event.code, message=message)
        case Undone():
            return _line(t, "undo", moves=event.moves, message=message, **_after(event.state))
        case Revised():
            return _line(t, "revised", moves=event.moves, message=message)
        case Corrected():
            state = step_to_json(ReplayStep(event.state, None, None))
            return _line(t, "correction", code=event.code, message=message, state=state)
        case Notice():
            return _line(t, "notice", code=event.code, message=message, **dict(event.parts))
        case Unsure():
            options = [{"key": o.key, "message": reader.text(option_message(event, o))} for o in event.options]
            return _line(t, "unsure", question=message, code=event.question, options=options)
        case BattleOver():
            score = {seat: event.score[seat] for seat in SEATS}
            return _line(
                t, "battle", winner=event.winner, points=event.points, why=event.why, score=score, message=message
            )


def _line(t: float, name: str, **rest: Any) -> EventLine:
    return {"t": round(t, 3), "event": name, **rest}


def _after(state: State) -> EventLine:
    """What a move leaves behind: nothing that a viewer could not know."""
    step = step_to_json(ReplayStep(state, None, None))
    return {key: step[key] for key in ("strength", "control", "turn", "pending", "hand")}


def plain(line: EventLine, reader: MessageReader = ENGLISH) -> str:
    """One line for people."""
    if line["event"] == "game":
        return reader.say("terminal", "game", {"id": str(line["id"])})
    minutes, seconds = divmod(line["t"], 60)
    text = line.get("message") or line.get("question") or ""
    if line["event"] == "reading":
        stacks = line["stacks"]
        lying = [
            f"{reader.say('theater', t)} {reader.say('seat', s)} {' '.join(stacks[t][s])}"
            for t in THEATERS
            for s in SEATS
            if stacks[t][s]
        ]
        text = reader.say("terminal", "table-lies" if lying else "table-empty", {"stacks": "; ".join(lying)})
    if line["event"] == "violation":
        text = f"{text} {line['mend']}"
    return f"{int(minutes):3d}:{seconds:04.1f}  {text}"
