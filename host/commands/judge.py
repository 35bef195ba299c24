"""`allfronts judge`: apply the rules to written battles, one answer each (contracts.md 3.1; docs/engine.md).

Takes battles as JSON lines, or a war in the notation (docs/notation.md). Without `--json` it draws the table after each
move.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from engine.failure import BadInput
from host.messages.command_text import CommandRefusal

if TYPE_CHECKING:
    from engine.records.json_codec import UncheckedBattle
    from engine.records.replay import WarStep
    from engine.state import State

_DONE, _ILLEGAL, _BAD = 0, 1, 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help="battles as JSON lines, or a war in the notation; - is standard input"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a battle")
    parser.add_argument("--legal", action="store_true", help="list the legal moves after each move")


def run(args: argparse.Namespace) -> int:
    """0 all legal, 1 an illegal move, 2 a line that is no battle."""
    if sys.stdout is None or (sys.stdin is None and args.file == "-"):
        raise CommandRefusal("closed", "closed")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A comment in a record may hold letters that the terminal does not know.
        sys.stdout.reconfigure(errors="replace")
    try:
        status = _open_and_judge(args)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        # What is still held back cannot be written either: let the interpreter's last flush go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise CommandRefusal("cannot-write", "cannot-write", error=error.strerror) from error
    return status


def _open_and_judge(args: argparse.Namespace) -> int:
    if args.file == "-":
        return _judge(sys.stdin.buffer, args)
    try:
        file = Path(args.file).open("rb")  # noqa: SIM115 - closed below; only opening it may fail like this
    except OSError as error:
        raise CommandRefusal("no-file", "no-file", file=args.file, error=error.strerror) from error
    with file:
        try:
            return _judge(file, args)
        except IsADirectoryError as error:
            raise CommandRefusal("no-file", "is-folder", file=args.file) from error


def _judge(file: IO[bytes], args: argparse.Namespace) -> int:
    from engine.records.notation_format import is_notation

    seen: list[bytes] = []
    for line in file:
        seen.append(line)
        if line.strip():
            break
    if seen and is_notation(seen[-1].decode("utf-8", "replace")):
        return _judge_war(b"".join(chain(seen, file)), args)
    answers = _Answers(args)
    for number, line in enumerate(chain(seen, file), 1):
        answers.battle(number, line)
    return answers.status


_SETUP: Final = {
    "boards-not-rotated": "The boards were not rotated: they lie {found}, not {expected}. Played as they lie.",
    "commander-cards-not-exchanged": "The commander cards were not exchanged: {found} is first again.",
}


class _Answers:
    """Answers JSON lines one by one, and remembers the worst of them for the exit status."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.status = _DONE

    def battle(self, number: int, line: bytes) -> None:
        from engine.records.json_codec import battle_from_json
        from engine.records.json_line import parse_line

        try:
            battle = battle_from_json(parse_line(line))
        except BadInput as bad:
            self.status = _BAD
            if self.args.json:
                _write(_no_battle(bad))
            sys.stderr.write(f"allfronts judge: {self.args.file}, line {number}: {bad}\n")
            return
        status = self._json(battle) if self.args.json else self._text(number, battle)
        self.status = max(self.status, status)

    def _json(self, battle: UncheckedBattle) -> int:
        from engine.records.json_codec import Stopped, replay, result_to_json, step_to_json, stopped_to_json

        steps = []
        result = error = None
        for step in replay(battle):
            if isinstance(step, Stopped):
                error = stopped_to_json(step)
            else:
                steps.append(step_to_json(step, self.args.legal))
                result = result_to_json(step.state.result)
        _write({"steps": steps, "result": result, "error": error})
        return _ILLEGAL if error else _DONE

    def _text(self, number: int, battle: UncheckedBattle) -> int:
        from engine.records.drawing import move_line
        from engine.records.json_codec import ReplayStep, Stopped, replay

        _say(_title(number, battle.start()))
        before: State | None = None
        for at, step in enumerate(replay(battle)):
            if isinstance(step, Stopped):
                rule = step.why.rule_in(step.edition)
                _say(f"\n{at}. ILLEGAL ({step.why.code}, {rule}): {step.why.message} {step.why.mend}\n")
                return _ILLEGAL
            assert isinstance(step, ReplayStep)
            if before is not None and step.move is not None:
                _say(f"\n{at}. {move_line(before, step.move, step.destruction)}")
            _show(step.state, self.args.legal)
            before = step.state
        _say("")
        return _DONE


def _judge_war(data: bytes, args: argparse.Namespace) -> int:
    from engine.records.notation import read
    from engine.records.notation_format import NotationError
    from engine.records.replay import replay_war

    try:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            column = error.start - data.rfind(b"\n", 0, error.start)
            raise NotationError("not-text", line, column, "This is not UTF-8.", "Save it as UTF-8.") from error
        record = read(text)
        return _war_json(replay_war(record), args.legal) if args.json else _war_text(replay_war(record), args.legal)
    except BadInput as bad:
        if args.json:
            _write(_no_battle(bad))
        sys.stderr.write(f"allfronts judge: {args.file}: {bad}\n")
        return _BAD


def _war_json(turns: Iterable[Any], legal: bool) -> int:
    from engine.moves import Move
    from engine.records.json_codec import ReplayStep, Stopped, result_to_json, step_to_json, stopped_to_json
    from engine.records.notation_format import Comment
    from engine.records.replay import IllegalStep, ResultDiffers, SetupDiffers

    status = _DONE
    for told in _by_battle(turns):
        steps: list[dict[str, Any]] = []
        answer: dict[str, Any] = {"steps": steps, "result": None, "error": None}
        for turn in told:
            answer["result"] = result_to_json(turn.war.result)
            answer["score"] = turn.war.score
            if isinstance(turn, IllegalStep):
                answer["error"] = stopped_to_json(Stopped(turn.at, turn.why, turn.war.edition.name))
                status = _ILLEGAL
            elif isinstance(turn, ResultDiffers):
                answer["differs"] = turn.written
                status = _ILLEGAL
            elif isinstance(turn, SetupDiffers):
                note = {"code": turn.code, "found": turn.found, "expected": turn.expected}
                answer.setdefault("notes", []).append(note)
            elif turn.entry is None or not isinstance(turn.entry.what, Comment):
                move = turn.entry.what if turn.entry is not None and isinstance(turn.entry.what, Move) else None
                step = step_to_json(ReplayStep(turn.war.state, move, turn.destruction), legal)
                if turn.entry is not None and move is None:
                    step["correction"] = True
                steps.append(step)
        _write(answer)
    return status


def _by_battle(turns: Iterable[Any]) -> Iterator[list[Any]]:
    told: list[Any] = []
    try:
        for turn in turns:
            if told and turn.battle != told[0].battle:
                yield told
                told = []
            told.append(turn)
    except BadInput:
        # The next battle cannot begin; this one has been told.
        if told:
            yield told
        raise
    if told:
        yield told


def _war_text(turns: Iterable[Any], legal: bool) -> int:
    from engine.records.replay import IllegalStep, ResultDiffers, SetupDiffers

    status = _DONE
    before: WarStep | None = None
    for turn in turns:
        if isinstance(turn, IllegalStep):
            rule = turn.why.rule_in(turn.war.edition.name)
            _say(f"\n{turn.at + 1}. ILLEGAL ({turn.why.code}, {rule}): {turn.why.message} {turn.why.mend}")
            return _ILLEGAL
        if isinstance(turn, ResultDiffers):
            _say(f"\nThe record says {turn.written}, and its moves give another result.")
            status = _ILLEGAL
            continue
        if isinstance(turn, SetupDiffers):
            _say(f"\n{_SETUP[turn.code].format(found=turn.found, expected=turn.expected)}")
            continue
        _tell(turn, before, legal)
        before = turn
        result = turn.war.state.result
        if result is not None:
            score = turn.war.score
            _say(f"  Score: near {score['near']}, far {score['far']}.")
            if turn.war.winner is not None:
                _say(f"  {turn.war.winner} wins the war.")
    _say("")
    return status


def _tell(turn: WarStep, before: WarStep | None, legal: bool) -> None:
    from engine.moves import Move
    from engine.records.drawing import move_line
    from engine.records.notation_format import Comment

    entry = turn.entry
    if entry is None:
        state = turn.war.state
        if turn.battle:
            _say("")
        _say(_title(turn.battle + 1, state))
    elif isinstance(entry.what, Comment):
        _say(f"\n# {entry.what.text}")
        return
    elif isinstance(entry.what, Move) and before is not None and turn.at is not None:
        _say(f"\n{turn.at + 1}. {move_line(before.war.state, entry.what, turn.destruction)}")
    elif turn.at is not None:
        _say(f"\n{turn.at + 1}. A correction.")
    if entry is not None and entry.note:
        _say(f"  # {entry.note}")
    _show(turn.war.state._replace(result=turn.war.result), legal)


def _title(number: int, state: State) -> str:
    row = "".join(state.order)
    return f"Battle {number}: {state.edition.name} edition, boards {row}, {state.first} is the 1st player"


def _show(state: State, legal: bool) -> None:
    from engine.legality import legal_moves
    from engine.records.drawing import view
    from engine.records.notation import write_move

    for line in ["", *view(state)]:
        _say(line)
    if legal and state.turn is not None:
        _say(f"  legal: {'; '.join(map(write_move, legal_moves(state)))}")


def _no_battle(bad: BadInput) -> dict[str, Any]:
    return {"steps": [], "result": None, "error": {"at": None, "code": "bad-input", "message": str(bad)}}


def _write(answer: dict[str, Any]) -> None:
    _say(json.dumps(answer))
    # Whoever asks line by line gets each answer at once.
    sys.stdout.flush()


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
