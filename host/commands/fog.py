"""`allfronts fog`: an aid for Fog of War, another game of the same family; no camera is needed."""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from host.app.shutdown import stopped_by_signal, wait_for_signal
from host.cli import EXIT_DONE
from host.messages.command_text import CommandRefusal
from host.settings import data_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--board", metavar="FILE", help="your board's file; kept for you if left out (docs/fog.md)")
    parser.add_argument("--small-map", action="store_true", help="begin on the small fictional map")
    parser.add_argument("--demo", action="store_true", help="watch a scripted game of five years that plays by itself")
    parser.add_argument(
        "--report", action="store_true", help="with --demo: print the whole game as text, in English, and end"
    )
    parser.add_argument("--log", metavar="FILE", help="where the game is kept, and gone on with")
    parser.add_argument("--new", action="store_true", help="begin a new game; the old one stays in the log")
    parser.add_argument("--http", type=int, metavar="PORT", help="port of the page (default 8420)")
    parser.add_argument("--lan", action="store_true", help="open the page to phones on the network, by invitation")
    parser.add_argument("--serial", metavar="PORT", help="port of the lights; none without it; virtual: simulated ones")


def run(args: argparse.Namespace) -> int:
    """Runs until it is stopped; raises `BadInput` with the remedy for whatever is missing."""
    if args.report:
        if not args.demo:
            raise CommandRefusal("usage", "report-of-demo")
        return report()
    from engine.fog.board_file import built_in
    from host.app.page_server import load_access, open_page, program_id, show_in_browser
    from host.fog.backend import HOME, FogBackend
    from host.fog.demo import FogDemo
    from host.fog.lights import FogLights
    from host.fog.table import FogTable, load_board, save_board
    from host.link.link import Link
    from host.messages.command_text import command_text
    from host.session.memory_log import MemoryLog
    from host.session.sqlite_log import SqliteLog
    from host.settings import load_settings

    settings = load_settings()
    path = Path(args.board) if args.board else data_folder() / "fog-board.toml"
    own = load_board(path)
    if args.board and own is None:
        # A name may be mistyped, and one that is new is right: it is written once the board is typed in.
        told = command_text(settings.language, "terminal", "fog-no-board", {"path": path})
        sys.stderr.write(f"allfronts fog: {told}\n")
    with stopped_by_signal(), ExitStack() as closing:
        log = MemoryLog() if args.demo else SqliteLog(Path(args.log) if args.log else data_folder() / "fog.db")
        closing.callback(log.close)
        begin_on = built_in("demo") if args.small_map else own or built_in("memo") if args.new else None
        table = FogTable(log, time.time, board=own, save=lambda board: save_board(path, board), begin_on=begin_on)
        if table.resumed:
            if own is not None:
                table.follow_file(path.stat().st_mtime)
            sys.stdout.write(command_text(settings.language, "terminal", "fog-going-on", {}) + "\n")
        demo = FogDemo(table) if args.demo else None
        access = load_access(args.lan)
        backend = FogBackend(table, access, program_id(), demo=demo)
        port = settings.port if args.http is None else args.http
        page = open_page(backend, access, port, settings.language, home=HOME)
        closing.callback(page.close)
        closing.callback(backend.broadcaster.close)
        sys.stdout.write(page.say(settings.language))
        sys.stdout.flush()
        show_in_browser(page.address)
        if args.serial not in (None, "none"):
            lights = FogLights(Link.start(args.serial), backend.set_lights)
            closing.callback(lights.close)
            table.listen(lights.show)
            lights.show(table.change)
        if demo is not None:
            closing.callback(demo.close)
            demo.start()
        return wait_for_signal()


def report() -> int:
    """Prints the demonstration's game, from the set-up to the end."""
    from random import Random

    from engine.fog.board_file import built_in
    from engine.fog.report import report as game_report
    from engine.fog.simulation import simulate
    from engine.fog.state import start
    from host.fog.demo import SEED

    game = start(built_in("demo"))
    sys.stdout.write(game_report(game, simulate(game, Random(SEED))))
    return EXIT_DONE
