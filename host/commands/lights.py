"""`allfronts lights`: test the lights and set them up by sight; what is found is kept in the controller."""

from __future__ import annotations

import argparse
import json
import struct
import sys
import time
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from host.messages.command_text import ENGLISH, CommandRefusal, command_text, link_text
from host.settings import spoken_language

if TYPE_CHECKING:
    from host.link.link import Link
    from host.link.messages import ControllerSettings

SECONDS_MOST = 86_400
LONGEST_NUMBER = 4
"""Digits of a light's number and of a count of lights."""
FIND_S = 12.0
"""Long enough to ask two rounds of unknown boards."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", help="the controller's port (default: found by asking); `virtual` for practice")
    parser.add_argument("--json", action="store_true", help="print one JSON object and ask nothing")
    parser.add_argument("--show", action="store_true", help="print what the controller has kept, change nothing")
    parser.add_argument(
        "--test",
        metavar="WHAT",
        help="show a pattern: walk, white, red, green, blue, bars, game, or the number of one light (0 first)",
    )
    parser.add_argument("--seconds", type=float, default=5.0, help="how long --test lasts (default 5)")
    parser.add_argument("--order", help="colour order of the strip: GRB, RGB, GBR, BRG, BGR or RBG")
    parser.add_argument("--count", type=int, help="lights in the chain, spares included (9 to 36)")
    parser.add_argument("--brightness", type=int, help="1 to 255; below 8 a tie looks much like a lead of one")
    parser.add_argument("--budget", type=int, metavar="MA", help="current that the lights may draw, 50 to 3000 mA")
    parser.add_argument(
        "--bars",
        metavar="L,M,R",
        help="first light of the left, middle and right bar in the chain; with r where it runs from far to near, "
        "such as 0,9r,18",
    )
    parser.add_argument("--buttons", choices=("straight", "swapped"), help="which button belongs to which seat")
    parser.add_argument("--try", dest="only_try", action="store_true", help="do not keep the settings without power")


def run(args: argparse.Namespace) -> int:
    """0 done; 1 no controller there (with the cause); raises BadInput for settings that cannot be."""
    from host.boards.setup import TESTS, walk_through
    from host.link.link import Link

    wishes = _wishes(args)
    if args.port == "none":
        raise CommandRefusal("no-lights", "no-lights")
    port = args.port or _chosen(args)
    link = Link.start(port)
    try:
        if not _found(link, args.json, named=port is not None):
            return 1
        board = _Board(link)
        settings = board.read()
        changed = _changed(settings, wishes)
        pattern = None if args.test is None else _pattern(args.test, changed)
        try:
            if changed != settings:
                board.settle(changed)
            if pattern is not None:
                board.test(*pattern)
                time.sleep(args.seconds)
                board.test(TESTS["game"])
            elif not (args.show or wishes or args.json):
                changed = walk_through(changed, board, _Terminal(), spoken_language())
        except (KeyboardInterrupt, EOFError) as stop:
            board.test(TESTS["game"])
            board.settle(settings)
            if isinstance(stop, KeyboardInterrupt):
                raise
            raise CommandRefusal("nobody-there", "nobody-there") from stop
        if changed != settings and not args.only_try:
            board.save()
        _print(link, changed, args.json)
        return 0
    finally:
        link.hold_frame(False)
        link.close()


def _chosen(args: argparse.Namespace) -> str | None:
    """The port that a person at the terminal chooses, where several may be the controller and none is known."""
    from host.boards.choose import choose
    from host.link.ports import PortMemory, state_folder, usb_ports

    ports = usb_ports()
    if args.json or not ports or not sys.stdin.isatty():
        return None
    choice = choose(ports, PortMemory(state_folder() / "port.json").recall(), _typed)
    return choice.port.device if choice.known else None


def _typed(question: str) -> str:
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline()


def _wishes(args: argparse.Namespace) -> dict[str, object]:
    """The settings that were asked for on the command line, by their names in `ControllerSettings`."""
    from host.link.messages import ORDERS

    wishes: dict[str, object] = {}
    if args.order is not None:
        if args.order.upper() not in ORDERS:
            raise CommandRefusal("bad-order", "bad-order", order=args.order, orders=", ".join(ORDERS))
        wishes["order"] = ORDERS.index(args.order.upper())
    for option, name in (("count", "chain"), ("brightness", "brightness"), ("budget", "budget_ma")):
        if getattr(args, option) is not None:
            wishes[name] = getattr(args, option)
    if args.buttons is not None:
        wishes["swapped"] = args.buttons == "swapped"
    if args.bars is not None:
        wishes["bars"] = _bars(args.bars)
    if not 0 <= args.seconds <= SECONDS_MOST:
        raise CommandRefusal("bad-seconds", "bad-seconds", seconds=f"{args.seconds:g}", most=SECONDS_MOST)
    return wishes


def _bars(text: str) -> tuple[tuple[int, bool], ...]:
    parts = [part.strip() for part in text.split(",")]
    numbers = [part.removesuffix("r") for part in parts]
    if len(parts) != 3 or not all(number.isdecimal() and len(number) <= LONGEST_NUMBER for number in numbers):
        raise CommandRefusal("bad-bars", "bad-bars", bars=text)
    return tuple((int(n), part.endswith("r")) for n, part in zip(numbers, parts, strict=True))


def _changed(settings: ControllerSettings, wishes: dict[str, object]) -> ControllerSettings:
    """`settings` with the wishes; raises BadInput where the controller would refuse them."""
    from host.link.messages import ControllerSettings

    try:
        changed = replace(settings, **wishes)  # type: ignore[arg-type]
        return ControllerSettings.unpack(changed.pack())
    except (ValueError, struct.error) as error:
        raise CommandRefusal("bad-settings", f"bad-lights-{_what(error)}") from error


def _what(error: Exception) -> str:
    """Which setting is out of range, as the texts of the refusals call it."""
    from host.link.messages import BadValue

    names = {1: "brightness", 2: "order", 3: "count", 4: "budget", 6: "left", 8: "middle", 10: "right"}
    return names.get(error.offset, "number") if isinstance(error, BadValue) else "number"


def _found(link: Link, quiet: bool, *, named: bool) -> bool:
    """Wait for the controller; say what is in the way if it does not come. A named port is asked once."""
    end = time.monotonic() + FIND_S
    told = ""
    while time.monotonic() < end:
        health = link.health()
        if health.state == "up":
            if not quiet:
                found = {"port": health.port, "board": health.board, "firmware": health.firmware}
                sys.stderr.write(command_text(spoken_language(), "lights", "found", found) + "\n")
            return True
        why = health.trouble
        final = why is not None and why.code in (
            "no-device",
            "no-such-port",
            "no-rights",
            "busy",
            "which-port",
            "not-known",
            *_VERSIONS,
            *_ASKED[named],
        )
        if why is not None and why.message != told and not quiet and not final:
            told = why.message
            sys.stderr.write(f"{link_text(why, spoken_language())[0]}\n")
        if final and health.down_for > 1.0:
            break
        time.sleep(0.05)
    why = link.health().trouble
    language = ENGLISH if quiet else spoken_language()
    text = " ".join(link_text(why, language)) if why else command_text(language, "lights", "no-answer", {})
    sys.stderr.write(f"allfronts lights: {text.strip()}\n")
    if quiet:
        sys.stdout.write(json.dumps({"found": False, "error": asdict(why) if why else None}) + "\n")
    return False


_VERSIONS = ("old-firmware", "new-firmware")
_ASKED = {False: (), True: ("silent", "not-ours")}


class _Board:
    """The controller, asked and waited for. Raises Failure where it does not answer or refuses."""

    def __init__(self, link: Link) -> None:
        self._link = link
        link.hold_frame(True)

    def _ask(self, type_: int, body: bytes = b"") -> bytes:
        from host.link.messages import ERRORS, Type

        try:
            reply = self._link.ask(type_, body).result(timeout=10)
        except FutureTimeout:
            reply = None  # the link is still asking who is there
        if reply is None:
            raise CommandRefusal("lost", "lost")
        if reply.type == Type.ERROR:
            code = ERRORS.get(reply.body[0], str(reply.body[0]))
            raise CommandRefusal(code, "controller-refused", reason=code)
        return reply.body

    def read(self) -> ControllerSettings:
        from host.link.messages import ControllerSettings, Type

        try:
            return ControllerSettings.unpack(self._ask(Type.SETTINGS_GET))
        except ValueError as error:
            raise CommandRefusal("unread-settings", "unread-settings") from error

    def settle(self, settings: ControllerSettings) -> None:
        from host.link.messages import Type

        self._ask(Type.SETTINGS_SET, settings.pack())

    def save(self) -> None:
        from host.link.messages import Type

        self._ask(Type.SETTINGS_SAVE)

    def test(self, pattern: int, index: int = 0) -> None:
        from host.link.messages import Type

        self._ask(Type.SELF_TEST, bytes((pattern, index)))


def _pattern(what: str, settings: ControllerSettings) -> tuple[int, int]:
    """The self-test that `--test` names: pattern and index. Raises BadInput."""
    from host.boards.setup import TESTS, WALK

    if what.isdecimal():
        if len(what) > LONGEST_NUMBER or int(what) >= settings.chain:
            raise CommandRefusal("bad-light", "bad-light", light=what, last=settings.chain - 1)
        return TESTS["walk"], int(what)
    if what in TESTS:
        return TESTS[what], WALK if what == "walk" else 0
    raise CommandRefusal("bad-test", "bad-test", test=repr(what), tests=", ".join(TESTS))


class _Terminal:
    """The person at the terminal."""

    def ask(self, question: str, answers: str) -> str:
        while True:
            sys.stderr.write(f"{question} ")
            sys.stderr.flush()
            line = sys.stdin.readline()
            if not line:
                sys.stderr.write("\n")
                raise EOFError
            answer = line.strip().lower()
            number = "#" in answers and answer.isdecimal() and len(answer) <= LONGEST_NUMBER
            if number or (len(answer) == 1 and answer in answers and answer != "#"):
                return answer
            code = "answer-number" if "#" in answers else "answer"
            letters = ", ".join(answers.replace("#", ""))
            sys.stderr.write(command_text(spoken_language(), "lights", code, {"letters": letters}) + "\n")

    def say(self, line: str) -> None:
        sys.stderr.write(line + "\n")


def _print(link: Link, settings: ControllerSettings, as_json: bool) -> None:
    from host.link.messages import ORDERS

    health = link.health()
    if as_json:
        row = {
            "found": True,
            "port": health.port,
            "board": health.board,
            "firmware": health.firmware,
            "settings": {**asdict(settings), "order": ORDERS[settings.order]},
            "limit": health.limit,
        }
        sys.stdout.write(json.dumps(row) + "\n")
        return
    language = spoken_language()
    back_text = command_text(language, "lights", "backwards", {})
    bars = ", ".join(f"{first} {back_text}" if back else str(first) for first, back in settings.bars)
    kept = {
        "n": settings.chain,
        "order": ORDERS[settings.order],
        "brightness": settings.brightness,
        "budget": settings.budget_ma,
        "bars": bars,
    }
    for code in ("settings", "bars", "swapped" if settings.swapped else "straight"):
        sys.stdout.write(command_text(language, "lights", code, kept) + "\n")
