"""`allfronts games`: the wars that the game log keeps: listed, shown, exported, followed again, deleted, rescued."""

from __future__ import annotations

import argparse
import json
import sys
import time
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engine.failure import BadInput
from host.cli import EXIT_DONE, EXIT_NO
from host.messages import say
from host.messages.command_text import CommandRefusal
from host.messages.reader import reader_of
from host.session.archive import battles_of, follow_again, json_lines_of, notation_of, war_named
from host.session.game_log import GameLog, WarInfo
from host.session.picture_store import pictures_of
from host.session.session import GAME, Rules, replayed
from host.session.sqlite_log import SqliteLog
from host.session.sqlite_rescue import rescue
from host.settings import load_settings, log_path

LISTED = 30
WAR_HELP = "its number in the list (1 is the newest) or its id; with rescue the damaged FILE"
DOING = ("list", "show", "export", "replay", "delete", "rescue")

SHOWN_ON_PAGE = ("list", "show", "export")
"""What the archive's page of a running table does as well."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("do", nargs="?", choices=DOING, default="list", help="what to do (list)")
    parser.add_argument("war", nargs="?", metavar="WAR", help=WAR_HELP)
    parser.add_argument("--log", metavar="FILE", help="the game log (default: this person's own)")
    parser.add_argument("--as", dest="form", choices=("notation", "json"), default="notation", help="how to export")
    parser.add_argument("--output", metavar="FILE", help="where to write an export (default: standard output)")
    parser.add_argument("--all", action="store_true", help=f"list every war, not the newest {LISTED} only")
    parser.add_argument("--yes", action="store_true", help="delete without asking")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace) -> int:
    """0 done; 1 if another referee comes to another state (replay). Raises `BadInput` for what is not there."""
    path = log_path(args.log)
    if args.do == "rescue":
        return _rescue(path, args)
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError) as fault:
        raise CommandRefusal("no-log", "no-log", path=path) from fault
    except OSError as fault:
        why = f"The game log {path} cannot be opened: {fault.strerror}."
        raise BadInput("no-log", why, "Name another file with --log.") from fault
    if args.do != "list" and args.war is None:
        raise CommandRefusal("usage", "no-war-named", do=args.do)
    with closing(_opened(path, args.do)) as log:
        if args.do == "list":
            return _list(log, args)
        war = war_named(log, args.war)
        return {"show": _show, "export": _export, "replay": _replay, "delete": _delete}[args.do](log, war, args)


def _opened(path: Path, do: str) -> SqliteLog:
    """The log; where a table has it, says where that table shows its games."""
    try:
        return SqliteLog(path)
    except BadInput as refused:
        if refused.code == "log-busy" and do in SHOWN_ON_PAGE:
            raise CommandRefusal("log-busy", "log-of-a-table", path=path) from refused
        raise


def _list(log: GameLog, args: argparse.Namespace) -> int:
    wars = [war for war in log.wars() if war.game == GAME]
    language = load_settings().language
    for number, war in enumerate(wars if args.all else wars[:LISTED], 1):
        row = _row(log, war) | {"number": number}
        _print(json.dumps(row, ensure_ascii=False) if args.json else _line(row, language))
    if not wars and not args.json:
        _print(say(language, "terminal", "games-none"))
    return EXIT_DONE


def _row(log: GameLog, war: WarInfo) -> dict[str, Any]:
    rules = Rules.from_json(war.options)
    row: dict[str, Any] = {
        "id": war.id,
        "began": war.began,
        "last": war.last,
        "edition": rules.edition,
        "beginner": rules.beginner,
        "names": list(rules.names),
        "entries": war.entries,
    }
    try:
        last = battles_of(log, war)[-1]
    except BadInput as damaged:
        return row | {"damaged": damaged.message}
    return row | {
        "battles": len(last.fought) + (last.state.result is not None),
        "target": last.target,
        "score": last.score,
        "winner": last.winner,
    }


def _line(row: dict[str, Any], language: str) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(row["began"]))
    reader = reader_of(language, tuple(row["names"]))
    given = [name for name in row["names"] if name]
    names = " ".join(given)
    if len(given) != 1:
        code, parts = ("games-and", {"a": given[0], "b": given[1]}) if given else ("games-seats", {})
        told = reader.say("terminal", code, parts)
        names = told if given else _within(told)
    start = f"{row['number']:3d}  {when}  {row['edition']}  {names}"
    if "damaged" in row:
        return f"{start}: " + _within(reader.say("terminal", "games-damaged", {"why": row["damaged"]}))
    code = "games-won" if row["winner"] else "games-open"
    end = reader.say("terminal", code, {"n": row["battles"], "winner": row["winner"], "target": row["target"]})
    return f"{start}: {row['score']['near']} : {row['score']['far']} {_within(end)}"


def _within(text: str) -> str:
    """A text that goes on inside a line."""
    return text[:1].lower() + text[1:]


def _show(log: GameLog, war: WarInfo, args: argparse.Namespace) -> int:
    from host.session.sinks import Change
    from host.session.standing import standing_of
    from host.sinks.event_lines import ENGLISH, change_lines, plain

    rules = Rules.from_json(war.options)
    reader = ENGLISH if args.json else reader_of(load_settings().language, rules.names)
    state = rules.timeline().shown
    standing = standing_of(rules.belief())
    for entry, events, timeline in replayed(log, war.id, rules):
        for line in change_lines(Change(war.id, standing, state, events, entry=entry), entry.t, reader):
            _print(json.dumps(line, ensure_ascii=False) if args.json else plain(line, reader))
        state = timeline.shown
    return EXIT_DONE


def _export(log: GameLog, war: WarInfo, args: argparse.Namespace) -> int:
    if args.form == "json":
        text = json_lines_of(log, war)
    else:
        text = notation_of(log, war)
    if args.output is None:
        sys.stdout.write(text)
        return EXIT_DONE
    try:
        Path(args.output).write_text(text, "utf-8")
    except OSError as error:
        raise CommandRefusal("not-written", "not-written", path=args.output, error=error.strerror) from error
    return EXIT_DONE


def _replay(log: GameLog, war: WarInfo, args: argparse.Namespace) -> int:
    found = follow_again(log, war)
    if args.json:
        _print(json.dumps({"war": war.id, "same": found.same, "events": len(found.told)}))
    else:
        _print(say(load_settings().language, "terminal", "games-same" if found.same else "games-other"))
    return EXIT_DONE if found.same else EXIT_NO


def _delete(log: GameLog, war: WarInfo, args: argparse.Namespace) -> int:
    if not args.yes:
        if not sys.stdin.isatty():
            raise CommandRefusal("not-certain", "not-certain")
        language = load_settings().language
        # As `list` numbers it.
        number = 1 + [known.id for known in log.wars() if known.game == GAME].index(war.id)
        line = _line(_row(log, war) | {"number": number}, language).strip()
        sys.stderr.write(f"{line}\n{say(language, 'terminal', 'games-delete')} ")
        sys.stderr.flush()
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            return EXIT_NO
    log.delete(war.id)
    pictures_of(log_path(args.log)).delete(war.id)
    return EXIT_DONE


def _rescue(path: Path, args: argparse.Namespace) -> int:
    damaged = Path(args.war) if args.war else path
    found = rescue(damaged)
    row = asdict(found) | {"kept": str(found.kept)}
    if args.json:
        _print(json.dumps(row))
        return EXIT_DONE
    language = load_settings().language
    _print(say(language, "terminal", "games-rescued", row))
    if found.unread:
        _print(say(language, "terminal", "games-unread"))
    if found.unread or found.lost:
        _print(say(language, "terminal", "games-keep", {"path": damaged}))
    return EXIT_DONE


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
