"""`allfronts club`: the desk of a club night: pairings, results and a screen for the room."""

from __future__ import annotations

import argparse
import sys
import threading
from typing import TYPE_CHECKING

from host.app.shutdown import stopped_by_signal, wait_for_signal
from host.cli import EXIT_DONE, EXIT_NO
from host.messages.command_text import CommandRefusal, command_text
from host.settings import spoken_language
from host.temporary_folder import temporary_folder

if TYPE_CHECKING:
    from host.app.club import RunningClub

MOST_TABLES = 2000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--club", default="club", metavar="NAME", help="the club's name on the broker (default club)")
    parser.add_argument("--tables", type=int, default=8, metavar="N", help="companions to make codes for (default 8)")
    parser.add_argument("--lan", action="store_true", help="open the desk to tables, phones and screens on the network")
    parser.add_argument("--http", type=int, metavar="PORT", help="port of the pages (default 8430)")
    parser.add_argument("--store", metavar="ADDRESS", help="a file, or postgresql://… for those who keep years")
    broker = parser.add_argument_group("the broker (Mosquitto is started unless one is named)")
    broker.add_argument("--broker", metavar="CODE", help="mqtts://desk:password@host/club of a broker that runs")
    broker.add_argument("--broker-port", type=int, default=8883, metavar="PORT", help="port to start it on")
    broker.add_argument("--bridge", metavar="CODE", help="pass this room's tables on to another room's broker")
    broker.add_argument(
        "--room",
        action="append",
        default=[],
        metavar="NAME",
        help="print a code for another room's --bridge, for a day",
    )
    broker.add_argument("--no-broker", action="store_true", help="no companions: every result is entered by hand")
    demo = parser.add_argument_group("trying it")
    demo.add_argument("--demo", action="store_true", help="eight simulated tables, three rounds, broker included")
    demo.add_argument("--until-end", action="store_true", help="play the demonstration quickly, check it, and end")


def run(args: argparse.Namespace) -> int:
    """Runs until it is stopped; a demonstration `--until-end` returns 1 where not all logs are equal in the end."""
    if not 1 <= args.tables <= MOST_TABLES:
        raise CommandRefusal("bad-tables", "bad-tables", tables=args.tables, most=MOST_TABLES)
    with stopped_by_signal():
        return _demo(args) if args.demo or args.until_end else _night(args)


def _night(args: argparse.Namespace) -> int:
    from host.app.club import HTTP_PORT, ClubOptions, RunningClub
    from host.club.wire.topics import parse_name
    from host.settings import data_folder, load_settings

    club = parse_name(args.club, "a club")
    options = ClubOptions(
        data_folder() / "clubs" / club,
        club,
        args.store,
        args.broker,
        args.bridge,
        tuple(args.room),
        not args.no_broker,
        args.broker_port,
        HTTP_PORT if args.http is None else args.http,
        args.tables,
        args.lan,
        load_settings().language,
    )
    night = RunningClub(options, _tell)
    try:
        sys.stdout.write(_introduction(night))
        sys.stdout.flush()
        stopped = threading.Event()
        while not stopped.wait(1.0):
            night.keep_up()
        return EXIT_DONE
    finally:
        night.close()


def _demo(args: argparse.Namespace) -> int:
    from host.app.club_demonstration import Demonstration

    with temporary_folder("allfronts-club-") as folder:
        port = args.http if args.http is not None else 0
        demonstration = Demonstration(folder, port, quick=args.until_end, store=args.store, tell=_tell)
        try:
            if not args.until_end:
                sys.stdout.write(_introduction(demonstration.night))
                sys.stdout.flush()
            report = demonstration.play()
            sys.stdout.write(report.text())
            sys.stdout.flush()
            if not args.until_end:
                sys.stdout.write(command_text(spoken_language(), "terminal", "club-played", {}) + "\n")
                sys.stdout.flush()
                wait_for_signal()
            return EXIT_DONE if report.right else EXIT_NO
        finally:
            demonstration.close()


def _introduction(night: RunningClub) -> str:
    parts = {"organiser": night.address, "screen": night.screen_address}
    language = spoken_language()
    lines = [command_text(language, "terminal", "club-pages", parts)]
    lines += [
        command_text(language, "terminal", "club-room", {"room": room, "code": code})
        for room, code in night.room_codes.items()
    ]
    return "\n".join(lines) + "\n"


def _tell(line: str) -> None:
    sys.stderr.write(f"allfronts club: {line}\n")
    sys.stderr.flush()
