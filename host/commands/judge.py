"""`allfronts judge`: apply the rules to written battles, one answer each (contracts, section 3.1)."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import IO

from engine.failure import BadInput


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help="battles as JSON lines, or a war in the notation; - reads standard input"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a battle")
    parser.add_argument("--legal", action="store_true", help="list the legal moves after each move")


def run(args: argparse.Namespace) -> int:
    """0 all legal, 1 an illegal move, 2 a line that is no battle."""
    if args.file == "-":
        return _judge(sys.stdin.buffer, args)
    try:
        with Path(args.file).open("rb") as file:
            return _judge(file, args)
    except OSError as error:
        raise BadInput("no-file", f"{args.file} cannot be read: {error.strerror}.", "Check the name.") from error


def _judge(lines: IO[bytes], args: argparse.Namespace) -> int:
    from engine.record import Stopped, battle_from_json, replay, result_to_json, step_to_json, stopped_to_json

    status = 0
    for number, line in enumerate(lines, 1):
        try:
            battle = battle_from_json(_parsed(line))
        except BadInput as bad:
            status = 2
            error = {"at": None, "code": "bad-input", "message": str(bad)}
            _write({"steps": [], "result": None, "error": error})
            sys.stderr.write(f"allfronts judge: {args.file}, line {number}: {bad}\n")
            continue
        steps = []
        answer = None
        result = None
        for step in replay(battle):
            if isinstance(step, Stopped):
                answer = stopped_to_json(step)
                status = max(status, 1)
            else:
                steps.append(step_to_json(step, args.legal))
                result = result_to_json(step.state.result)
        _write({"steps": steps, "result": result, "error": answer})
    return status


def _parsed(line: bytes) -> object:
    try:
        return json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadInput("not-json", f"The line is not JSON ({error}).", "Write one battle a line.") from error


def _write(answer: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
