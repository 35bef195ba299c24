"""`allfronts play`: the table itself, from a camera, a film or a stream to the lights and the page."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from engine.failure import BadInput
from engine.names import EDITIONS, SEATS, parse_edition, parse_seat
from host.cli import EXIT_DONE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--camera", required=True, metavar="SOURCE", help="camera number, film or stream address")
    parser.add_argument("--deck", required=True, metavar="DIR", help="the deck's profile (see enrol)")
    parser.add_argument(
        "--serial", metavar="PORT", help="port of the lights; found by itself if left out; none: no lights"
    )
    parser.add_argument(
        "--lights", metavar="WHERE", help="lights that are not our board: wled://HOST or adalight:///dev/ttyUSB0"
    )
    parser.add_argument("--http", type=int, metavar="PORT", help="port of the page (default 8420)")
    parser.add_argument("--edition", metavar="E", help=f"rules: {', '.join(EDITIONS)} (default revised)")
    parser.add_argument("--first", metavar="SEAT", help=f"who is first: {' or '.join(SEATS)} (default: who lays first)")
    parser.add_argument("--lan", action="store_true", help="open the page to phones on the network, by invitation")
    parser.add_argument("--journal", metavar="FILE", help="where the game is written down, and gone on with")


def run(args: argparse.Namespace) -> int:
    """Runs until the film ends or it is stopped; raises `BadInput` with the remedy for whatever is missing."""
    from host.app.page_server import keys, open_page, program_id, show_in_browser
    from host.app.runner import House
    from host.commands.demo import stopped_kindly
    from host.session.game_log import Journal
    from host.session.session import Rules, Table
    from host.settings import data_folder, load_settings
    from host.sinks.light_targets import check_lights, open_lights
    from vision.profile import DeckProfile
    from vision.sources import open_source
    from vision.tracking.table_watcher import TableWatcher

    settings = load_settings()
    rules = Rules(
        parse_edition(args.edition or settings.edition),
        None if args.first is None else parse_seat(args.first),
        settings.target,
        settings.beginner,
    )
    if args.serial is not None:
        check_port(args.serial)
    if args.lights is not None:
        check_lights(args.lights)
    profile = DeckProfile.load(Path(args.deck))
    source = open_source(args.camera, as_live=True)
    journal = Journal(Path(args.journal) if args.journal else data_folder() / "journal.db")
    access = keys(args.lan)
    table = Table(journal, rules, time.time)

    def tell(line: str) -> None:
        sys.stderr.write(f"allfronts play: {line}\n")
        sys.stderr.flush()

    house = House(table, TableWatcher(profile), source, access, program_id(), with_picture=settings.picture, tell=tell)
    with stopped_kindly():
        try:
            page = open_page(house, access, settings.port if args.http is None else args.http, settings.language)
            try:
                if table.resumed:
                    sys.stdout.write("Going on with the game in the journal.\n")
                sys.stdout.write(page.say())
                sys.stdout.flush()
                house.start(open_lights(args.lights or args.serial, on_button=house.pressed))
                show_in_browser(page.address)
                house.wait()
                # Only a film ends by itself; its last table stays to be looked at.
                sys.stdout.write("The film has ended; the page stays up until Ctrl-C.\n")
                sys.stdout.flush()
                house.wait_for_stop()
                return EXIT_DONE
            finally:
                house.broadcaster.close()
                page.server.close()
        finally:
            house.close()
            journal.close()


def check_port(port: str) -> None:
    """A port that was named and cannot be used is told at once; raises `BadInput`. One that is not there may come."""
    from host.link.ports import rights_remedy

    path = Path(port)
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        raise BadInput("no-rights", f"{port} is there, but you have no right to use it.", rights_remedy(port))
