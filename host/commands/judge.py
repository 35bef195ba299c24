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
from typing import IO, TYPE_CHECKING, Any

from engine.failure import BadInput
from engine.names import SEATS
from host.messages.command_text import CommandRefusal, command_text, refusal_line
from host.settings import spoken_language

if TYPE_CHECKING:
    from engine.records.json_codec import UncheckedBattle
    from engine.records.replay import WarStep
    from engine.state import State
    from host.messages.battle_text import BattleText

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


class _Told:
    """What is said to people, in the language of the settings. Programs read English (docs/contracts.md)."""

    def __init__(self) -> None:
        # Imported here: with --json nothing is said.
        from host.messages.battle_text import battle_text

        self.language = spoken_language()
        self.text: BattleText = battle_text(self.language)

    def say(self, code: str, **parts: object) -> str:
        return command_text(self.language, "judge", code, parts)

    def title(self, number: int, state: State) -> str:
        first, edition = self.text.seat(state.first), self.text.edition(state.edition.name)
        return self.say("title", number=number, edition=edition, row="".join(state.order), first=first)

    def show(self, state: State, legal: bool) -> None:
        from engine.legality import legal_moves
        from engine.records.notation import write_move

        for line in ["", *self.text.view(state)]:
            _say(line)
        if legal and state.turn is not None:
            _say(f"  {self.say('legal', moves='; '.join(map(write_move, legal_moves(state))))}")


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
            language = spoken_language()
            where = {"file": self.args.file, "number": number, "told": refusal_line(bad, language)}
            line_told = command_text(language, "judge", "line", where)
            sys.stderr.write(f"allfronts judge: {line_told}\n")
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
        from engine.records.json_codec import ReplayStep, Stopped, replay

        told = _Told()
        _say(told.title(number, battle.start()))
        before: State | None = None
        for at, step in enumerate(replay(battle)):
            if isinstance(step, Stopped):
                why = told.text.refused(step.why, step.why.rule_in(step.edition))
                _say(f"\n{at}. {told.say('illegal')} {why}\n")
                return _ILLEGAL
            assert isinstance(step, ReplayStep)
            if before is not None and step.move is not None:
                _say(f"\n{at}. {told.text.move(before, step.move, step.state, step.destruction)}")
            told.show(step.state, self.args.legal)
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
        sys.stderr.write(f"allfronts judge: {args.file}: {refusal_line(bad, spoken_language())}\n")
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

    told = _Told()
    status = _DONE
    before: WarStep | None = None
    for turn in turns:
        if isinstance(turn, IllegalStep):
            why = told.text.refused(turn.why, turn.why.rule_in(turn.war.edition.name))
            _say(f"\n{turn.at + 1}. {told.say('illegal')} {why}")
            return _ILLEGAL
        if isinstance(turn, ResultDiffers):
            _say(f"\n{told.say('differs', written=turn.written)}")
            status = _ILLEGAL
            continue
        if isinstance(turn, SetupDiffers):
            found = told.text.seat(turn.found) if turn.found in SEATS else turn.found
            _say(f"\n{told.say(turn.code, found=found, expected=turn.expected)}")
            continue
        _tell(told, turn, before, legal)
        before = turn
        if turn.war.state.result is not None:
            _say(f"  {told.say('score', **turn.war.score)}")
            if turn.war.winner is not None:
                _say(f"  {told.say('wins', winner=told.text.seat(turn.war.winner))}")
    _say("")
    return status


def _tell(told: _Told, turn: WarStep, before: WarStep | None, legal: bool) -> None:
    from engine.moves import Move
    from engine.records.notation_format import Comment

    entry = turn.entry
    if entry is None:
        if turn.battle:
            _say("")
        _say(told.title(turn.battle + 1, turn.war.state))
    elif isinstance(entry.what, Comment):
        _say(f"\n# {entry.what.text}")
        return
    elif isinstance(entry.what, Move) and before is not None and turn.at is not None:
        move = told.text.move(before.war.state, entry.what, turn.war.state, turn.destruction)
        _say(f"\n{turn.at + 1}. {move}")
    elif turn.at is not None:
        _say(f"\n{turn.at + 1}. {told.say('correction')}")
    if entry is not None and entry.note:
        _say(f"  # {entry.note}")
    told.show(turn.war.state._replace(result=turn.war.result), legal)


def _no_battle(bad: BadInput) -> dict[str, Any]:
    return {"steps": [], "result": None, "error": {"at": None, "code": "bad-input", "message": str(bad)}}


def _write(answer: dict[str, Any]) -> None:
    _say(json.dumps(answer))
    # Whoever asks line by line gets each answer at once.
    sys.stdout.flush()


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
