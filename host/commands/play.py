"""`allfronts play`: the table itself, from a camera, a film or a stream to the lights and the page."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from engine.names import EDITIONS, SEATS, parse_edition, parse_seat
from host.app.shutdown import stopped_by_signal
from host.cli import EXIT_DONE
from host.file_there import is_there
from host.messages import say
from host.messages.command_text import CommandRefusal, command_text
from host.messages.message import MessagePart
from host.player_name import plain_name, same_names
from host.session.session import Rules
from host.settings import Settings, log_path
from host.web.page_state import Condition

if TYPE_CHECKING:
    from host.club.wire.join_code import JoinCode
    from host.session.session import Session


NAME_HELP = {"near": "who plays at the near seat", "far": "who plays at the far seat"}


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
    parser.add_argument("--edition", metavar="EDITION", help=f"rules: {', '.join(EDITIONS)} (default revised)")
    parser.add_argument("--first", metavar="SEAT", help=f"who is first: {' or '.join(SEATS)} (default: who lays first)")
    for seat in SEATS:
        parser.add_argument(f"--{seat}", metavar="NAME", help=NAME_HELP[seat])
    parser.add_argument("--lan", action="store_true", help="open the page to phones on the network, by invitation")
    parser.add_argument("--address", metavar="IP", help="as --lan, at this address of the machine (else it is found)")
    parser.add_argument("--target", type=int, metavar="POINTS", help="points that win the war (12; 3 for beginners)")
    parser.add_argument("--beginner", action="store_true", help="one point a battle, whatever the chart says")
    parser.add_argument("--log", metavar="FILE", help="the game log: where games are kept, and gone on with")
    parser.add_argument("--club", metavar="CODE", help="join a club night: its code, a picture of it, or: camera")
    parser.add_argument("--home-assistant", metavar="BROKER", help="show the table there: mqtt://user:password@host")
    parser.add_argument("--new", action="store_true", help="begin a new war; the unfinished one stays in the log")


def run(args: argparse.Namespace) -> int:
    """Runs until the film ends or it is stopped; raises `BadInput` with the remedy for whatever is missing."""
    from host.app.kept_empty_table import watcher_of
    from host.app.page_server import load_access, network_address, open_page, program_id, show_in_browser
    from host.app.table import assemble, press
    from host.archive.page import archive_pages
    from host.archive.war_archive import WarArchive
    from host.session.picture_store import pictures_of
    from host.session.session import Session
    from host.session.shared_log import HeldLog
    from host.session.sqlite_log import SqliteLog
    from host.settings import load_settings
    from host.setup_wizard.cameras import check_camera
    from host.sinks.light_targets import check_lights, open_lights
    from host.web.preferred_language import preferred_language
    from vision.profile import DeckProfile
    from vision.sources import open_source

    settings = load_settings()
    if args.http is not None and not 0 <= args.http <= 65535:
        raise CommandRefusal("usage", "not-a-port", port=args.http)
    rules = rules_of(args, settings)
    if args.serial is not None:
        check_port(args.serial)
    if args.lights is not None:
        check_lights(args.lights)
    home = args.home_assistant or settings.home_assistant
    if home:
        check_broker(home)
    profile = DeckProfile.load(Path(args.deck))
    club_code = find_club_code(args.club, args.camera) if args.club else None
    check_camera(args.camera)
    source = open_source(args.camera, as_live=True)
    address = network_address(args.address)
    access = load_access(args.lan or args.address is not None)

    def tell(line: str) -> None:
        sys.stderr.write(f"allfronts play: {line}\n")
        sys.stderr.flush()

    with stopped_by_signal(), ExitStack() as closing:
        log = SqliteLog(log_path(args.log), settings.readings)
        closing.callback(log.close)
        session = Session(log, rules, time.time, resume=not args.new)
        closing.callback(session.close)
        if session.resumed and played_already(session):
            score = {str(seat): points for seat, points in session.standing.score.items()}
            tell(command_text(settings.language, "terminal", "going-on", score))
            if any(rules.names) and rules.names != session.rules.names:
                tell(say(settings.language, "terminal", "names-stay"))
        watcher = watcher_of(profile, args.camera, log_path(args.log), session.resumed)
        pictures = pictures_of(log_path(args.log), settings.pictures_kept)
        table = assemble(session, watcher, access, program_id(), with_picture=settings.picture, pictures=pictures)
        other_rules = not_obeyed(session, rules) if session.resumed else None
        if other_rules is not None:
            table.page.set_resumed(session.war, other_rules)
            tell(say(settings.language, "condition", other_rules.code, other_rules.parts))
        if club_code is not None:
            from host.app.club_table import join_club

            folder = log_path(args.log).parent / "club-table"
            membership = join_club(session, table.page, club_code, rules, folder, tell)
            closing.callback(membership.leave)
        if home:
            from host.app.home_assistant import show_at_home

            show_at_home(session, home, settings.language)
        port = settings.port if args.http is None else args.http
        archive = WarArchive(HeldLog(log), pictures, lambda: session.war)
        language = preferred_language(settings.language)
        page = open_page(
            table.backend, access, port, settings.language, [lambda guard: archive_pages(archive, guard, language)],
            address=address,
        )  # fmt: skip
        closing.callback(page.close)
        closing.callback(table.page.broadcaster.close)
        sys.stdout.write(page.say(settings.language))
        sys.stdout.flush()
        link = open_lights(args.lights or args.serial, on_button=lambda event: press(session, event))
        runner = table.run(source, link, tell=tell)
        closing.callback(runner.close)
        runner.start()
        show_in_browser(page.address)
        runner.wait()
        # Only a film ends by itself; its last table stays to be looked at.
        sys.stdout.write(command_text(settings.language, "terminal", "film-ended", {}) + "\n")
        sys.stdout.flush()
        runner.wait_for_stop()
    return EXIT_DONE


def find_club_code(text: str, camera: str) -> JoinCode:
    """The code of the club to join; raises `BadInput` where it is none or the extra `club` is not installed."""
    check_installed("club", "paho", "cryptography")
    from host.app.club_table import find_code

    return find_code(text, camera)


def check_broker(address: str) -> None:
    """A broker's address that cannot be one is told at once; raises `BadInput`."""
    check_installed("club", "paho")
    from host.sinks.home_assistant.sink import parse_broker

    parse_broker(address)


def check_installed(extra: str, *modules: str) -> None:
    """Raises `BadInput` (`not-installed`) where the packages of an extra are missing."""
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing:
        raise CommandRefusal("not-installed", "not-installed", missing=", ".join(missing), extra=extra)


def rules_of(args: argparse.Namespace, settings: Settings) -> Rules:
    """The rules that the command line asks for, else those of the settings; raises `BadInput`."""
    beginner = args.beginner or settings.beginner
    target = args.target if args.target is not None else None if beginner else settings.target
    rules = Rules(
        parse_edition(args.edition or settings.edition),
        None if args.first is None else parse_seat(args.first),
        target,
        beginner,
        names_of(args),
    )
    rules.belief()
    return rules


def names_of(args: argparse.Namespace) -> tuple[str, str]:
    """Who plays at near and at far, as the command line names them; raises `BadInput` where both have one name."""
    near, far = (plain_name(getattr(args, seat) or "") for seat in SEATS)
    if same_names({"near": near, "far": far}):
        raise CommandRefusal("usage", "same-names", name=near)
    return near, far


def played_already(session: Session) -> bool:
    """Whether anything of the war was played that goes on: a war that no card was laid in is as good as a new one."""
    return session.standing.begun or session.standing.battle > 1


def not_obeyed(session: Session, wanted: Rules) -> Condition | None:
    """That an unfinished war goes on by rules of its own, where others were asked for; None where they agree."""
    running, target = session.rules, session.standing.target
    asked = wanted.belief().war.target
    if (running.edition, running.beginner, target) == (wanted.edition, wanted.beginner, asked):
        return None
    if (running.edition, target) == (wanted.edition, asked):
        return Condition(False, "own-rules-beginner" if running.beginner else "own-rules-full", {})
    parts: dict[str, MessagePart] = {"edition": running.edition, "n": target, "asked": wanted.edition, "m": asked}
    return Condition(False, "own-rules", parts)


def check_port(port: str) -> None:
    """A port that was named and cannot be used is told at once; raises `BadInput`. One that is not there may come."""
    from host.link.ports import rights_remedy

    if is_there(port) and not os.access(port, os.R_OK | os.W_OK):
        raise CommandRefusal("no-rights", "no-rights", port=port, remedy=rights_remedy(port))
