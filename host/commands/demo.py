"""`allfronts demo`: a simulated game at a simulated table, read, refereed, lit and shown by the real program."""

from __future__ import annotations

import argparse
import sys

from engine.names import EDITIONS, parse_edition
from host.app.shutdown import stopped_by_signal
from host.cli import EXIT_DONE, EXIT_NO
from host.messages.command_text import command_text

DEFAULT_SEED = 7


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--until-end", action="store_true", help="play one battle without waiting, check it, and end")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED, help=f"which game (default {DEFAULT_SEED})")
    parser.add_argument("--edition", metavar="EDITION", help=f"rules: {', '.join(EDITIONS)} (default revised)")
    parser.add_argument("--http", type=int, metavar="PORT", help="port of the page (default 8420)")
    parser.add_argument("--lan", action="store_true", help="open the page to phones on the network, by invitation")
    parser.add_argument("--address", metavar="IP", help="as --lan, at this address of the machine (else it is found)")
    parser.add_argument(
        "--controller",
        choices=("virtual", "avr", "pico"),
        default="virtual",
        help="lights on the virtual controller, or on the real firmware of the Nano or the Pico in an emulator",
    )


def run(args: argparse.Namespace) -> int:
    """Runs until stopped; with `--until-end` returns 1 if anything was not as it was played."""
    from host.app.page_server import load_access, network_address, open_page, program_id, show_in_browser
    from host.app.switched_backend import SwitchedBackend
    from host.archive.page import archive_pages
    from host.archive.war_archive import WarArchive, demonstration_games
    from host.session.shared_log import HeldLog
    from host.settings import load_settings
    from host.web.preferred_language import preferred_language

    settings = load_settings()
    edition = parse_edition(args.edition or settings.edition)
    port = args.http if args.http is not None else 0 if args.until_end else settings.port
    with stopped_by_signal(), demonstration_games() as kept:
        address = network_address(args.address)
        access, startup = load_access(args.lan or args.address is not None), SwitchedBackend()
        # The newest wars can be watched again in the archive until the program ends.
        archive = WarArchive(HeldLog(kept.log), kept.pictures)
        language = preferred_language(settings.language)
        # The page first: the first start learns the cards, which takes some seconds, and a page says so.
        page = open_page(
            startup, access, port, settings.language, [lambda guard: archive_pages(archive, guard, language)],
            address=address,
        )  # fmt: skip
        try:
            if not args.until_end:
                sys.stdout.write(page.say(settings.language))
                sys.stdout.flush()
                show_in_browser(page.address)
            elif sys.stderr.isatty():
                sys.stderr.write(command_text(settings.language, "terminal", "playing-one", {}) + "\n")
            # Imported here: the reader and its libraries are most of the time that a start takes.
            from host.demo.show import DemoShow

            show = DemoShow(
                edition,
                args.seed,
                access,
                program_id(),
                one_battle=args.until_end,
                log=kept.log,
                pictures=kept.pictures,
            )
            try:
                startup.enter(show.table.backend)
                show.start(args.controller)
                show.wait()
                if args.until_end:
                    report = show.report()
                    sys.stdout.write(report.text(settings.language))
                    return EXIT_DONE if report.right else EXIT_NO
                return EXIT_DONE
            finally:
                show.close()
        finally:
            startup.close()
            page.close()
