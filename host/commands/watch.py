"""`allfronts watch`: follow a game and print what happens as it becomes certain (docs/contracts.md, section 3.4)."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine.names import EDITIONS, SEATS
from host.cli import EXIT_DONE
from host.commands.empty_picture import add_empty, learn_empty_picture
from host.messages.command_text import CommandRefusal
from host.messages.reader import MessageReader
from host.session.memory_log import MemoryLog
from host.session.readings_source import GameLine, ReadingLine, StillTable, follow_table, read_lines, readings_watcher
from host.session.session import Rules, Session
from host.session.tracker import Tracker, Watcher
from host.settings import load_settings
from host.sinks.event_lines import ENGLISH, EventLine, EventLines, plain

if TYPE_CHECKING:
    from vision.sources import SourceItem
    from vision.types import Picture

READINGS: Final = ".jsonl"
"""How the name of a file of readings ends."""

Write = Callable[[EventLine], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source", metavar="SOURCE", help="a camera's number, a film, a stream address, or a file of readings (.jsonl)"
    )
    parser.add_argument("--deck", metavar="DIR", help="the deck's profile, made by enrol; readings need none")
    add_empty(parser)
    parser.add_argument("--edition", choices=EDITIONS, default="revised", help="which rules (revised)")
    parser.add_argument("--first", choices=SEATS, help="who is first; else the seat that lays the first card")
    parser.add_argument("--target", type=int, metavar="POINTS", help="points that win the war (12; 3 for beginners)")
    parser.add_argument("--beginner", action="store_true", help="one point a battle, whatever the chart says")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace) -> int:
    """Follows the source to its end. Raises `BadInput` for a missing deck or source."""
    rules = Rules(args.edition, args.first, args.target, args.beginner)
    rules.belief()

    # Programs read English (docs/contracts.md), people their own language.
    reader = ENGLISH if args.json else MessageReader(load_settings().language)

    def write(line: dict[str, Any]) -> None:
        _print(json.dumps(line, ensure_ascii=False) if args.json else plain(line, reader))

    try:
        if args.source.lower().endswith(READINGS):
            watch_readings(read_lines(Path(args.source)), rules, write, reader)
        else:
            _watch_pictures(args, rules, write, reader)
    except KeyboardInterrupt:
        return EXIT_DONE
    return EXIT_DONE


def _watch_pictures(args: argparse.Namespace, rules: Rules, write: Write, reader: MessageReader) -> None:
    from host.camera_setup.lenses import known_lens
    from host.setup_wizard.cameras import check_camera
    from vision.profile import DeckProfile
    from vision.sources import open_source
    from vision.tracking.reader import Reader
    from vision.tracking.table_watcher import TableWatcher

    if args.deck is None:
        raise CommandRefusal("no-deck", "no-deck-given")
    profile, lens = DeckProfile.load(args.deck), known_lens(args.source)
    reading_table = Reader(profile, lens=lens)
    if args.empty is not None:
        learn_empty_picture(reading_table, args.empty)
    watcher = TableWatcher(profile, reader=reading_table, lens=lens)
    check_camera(args.source)
    with closing(open_source(args.source)) as source:
        watch_pictures(source, watcher, rules, write, reader)


def watch_pictures(
    items: Iterable[SourceItem], watcher: Watcher[Picture], rules: Rules, write: Write, reader: MessageReader = ENGLISH
) -> None:
    """Writes the events of a source until it ends."""
    from host.session.picture_source import follow_pictures

    session, tracker = _watched(watcher, rules, write, reader)
    follow_pictures(tracker, items)
    session.close()


def watch_readings(lines: Iterable[ReadingLine], rules: Rules, write: Write, reader: MessageReader = ENGLISH) -> None:
    """Writes the events of each game in a file of readings. Raises `BadInput` that names a bad line."""
    tracker: Tracker[StillTable] | None = None
    for line in lines:
        if isinstance(line, GameLine):
            if tracker is not None:
                tracker.ended()
            write({"event": "game", "id": line.id})
            played = Rules(line.edition, line.first, rules.target, rules.beginner)
            _, tracker = _watched(readings_watcher(), played, write, reader)
        else:
            if tracker is None:
                _, tracker = _watched(readings_watcher(), rules, write, reader)
            follow_table(tracker, line)
    if tracker is not None:
        tracker.ended()


def _watched(watcher: Watcher[Any], rules: Rules, write: Write, reader: MessageReader) -> tuple[Session, Tracker[Any]]:
    session = Session(MemoryLog(), rules, time.time, resume=False)
    tracker: Tracker[Any] = Tracker(watcher, session)
    session.subscribe(EventLines(write, lambda: tracker.t, reader))
    return session, tracker


def _print(line: str) -> None:
    # Whoever reads line by line gets each event at once.
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
