"""`allfronts` alone: opens a page that leads from the camera to the first card, and plays there."""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from engine.names import SEATS, EditionName
from host.cli import EXIT_DONE
from host.commands.demo import DEFAULT_SEED
from host.messages.command_text import command_text
from host.settings import spoken_language

if TYPE_CHECKING:
    from host.demo.show import DemoShow
    from host.session.session import Session


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--http", type=int, metavar="PORT", help="port of the page (default 8420)")
    parser.add_argument("--lan", action="store_true", help="open the page to phones on the network, by invitation")
    parser.add_argument("--address", metavar="IP", help="as --lan, at this address of the machine (else it is found)")
    parser.add_argument("--serial", metavar="PORT", help="port of the lights; found by asking if left out")
    parser.add_argument("--log", metavar="FILE", help="the game log: where games are kept, and gone on with")


def run(args: argparse.Namespace) -> int:
    """Serves the page until Ctrl-C; raises `BadInput` where its port cannot be had."""
    if sys.stderr.isatty():
        # What is loaded below takes some seconds, and longer on a busy machine.
        sys.stderr.write(command_text(spoken_language(), "terminal", "starting", {}) + "\n")
        sys.stderr.flush()

    from host.app.page_server import load_access, network_address, open_page, program_id, show_in_browser
    from host.app.shutdown import stopped_by_signal, wait_for_signal
    from host.app.switched_backend import SwitchedBackend
    from host.app.table_game import TableGame
    from host.archive.page import archive_pages
    from host.archive.war_archive import DemonstrationGames, WarArchive, demonstration_games
    from host.commands.play import check_broker
    from host.session.picture_store import pictures_of
    from host.session.shared_log import SharedLog
    from host.settings import data_folder, load_settings, log_path
    from host.setup_wizard.choices import choices_path
    from host.setup_wizard.decks import DeckLibrary
    from host.setup_wizard.lights import LightsFinder
    from host.setup_wizard.page import setup_pages
    from host.setup_wizard.wizard import SetupWizard
    from host.web.preferred_language import preferred_language

    settings = load_settings()
    if settings.home_assistant:
        check_broker(settings.home_assistant)

    def tell(line: str) -> None:
        sys.stderr.write(f"allfronts: {line}\n")
        sys.stderr.flush()

    address = network_address(args.address)
    access, backend = load_access(args.lan or args.address is not None), SwitchedBackend()
    log = SharedLog(log_path(args.log), settings.readings)
    pictures = pictures_of(log.path, settings.pictures_kept)
    program = program_id()

    demonstrated: list[DemonstrationGames] = []
    closing = ExitStack()
    newest = closing.enter_context(ExitStack())

    def demonstration(edition: EditionName) -> DemoShow:
        # Imported here: the simulated camera is needed for nothing else, and takes a moment to load.
        from host.demo.show import DemoShow

        # Kept apart: it is none of the games that were played here.
        newest.close()
        kept = newest.enter_context(demonstration_games())
        demonstrated[:] = [kept]
        return DemoShow(edition, DEFAULT_SEED, access, program, log=kept.log, pictures=kept.pictures)

    def at_home(session: Session) -> None:
        if settings.home_assistant:
            from host.app.home_assistant import show_at_home

            show_at_home(session, settings.home_assistant, settings.language)

    game = TableGame(
        backend, access, program, log, demonstration,
        serial=args.serial, with_picture=settings.picture, pictures=pictures,
        at_home=at_home, tell=tell,
    )  # fmt: skip
    wizard = SetupWizard(
        game,
        DeckLibrary(data_folder() / "decks", (Path.cwd(),), time.time),
        LightsFinder(args.serial),
        choices_path(),
        lambda: SEATS[secrets.randbelow(2)],
    )
    language = preferred_language(settings.language)
    archive = WarArchive(
        log, pictures, game.war, lambda: demonstrated[0] if demonstrated else None, game.look_for_unfinished
    )
    page = open_page(
        backend,
        access,
        settings.port if args.http is None else args.http,
        settings.language,
        [
            lambda guard: setup_pages(wizard, guard, language),
            lambda guard: archive_pages(archive, guard, language),
        ],
        address=address,
    )
    with stopped_by_signal(), closing:
        try:
            sys.stdout.write(page.say(settings.language))
            sys.stdout.flush()
            show_in_browser(page.address)
            wait_for_signal()
        except KeyboardInterrupt:
            sys.stdout.write("\n" + command_text(settings.language, "terminal", "stopped", {}) + "\n")
            return EXIT_DONE
        finally:
            wizard.close()
            game.end()
            backend.close()
            page.close()
