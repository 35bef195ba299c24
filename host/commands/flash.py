"""`allfronts flash`: put the firmware that this package carries on the microcontroller, and see that it runs."""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.failure import Failure
from host.file_there import is_there
from host.messages.command_text import CommandRefusal, LinkFailure, command_text
from host.settings import spoken_language

if TYPE_CHECKING:
    from host.boards.image import FirmwareImage
    from host.link.health import LinkHealth

GREET_S = 8.0
"""How long the new firmware may take to answer; the link itself listens for 2 s and asks for 2 s."""
PICO_USB = "2e8a:"
"""Raspberry Pi's vendor number."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", help="the board's port (default: our controller, or the only board there is)")
    parser.add_argument("--board", help="which board it is: atmega328p or rp2040 (default: found out)")
    parser.add_argument("--json", action="store_true", help="print one JSON object; progress goes to standard error")
    parser.add_argument("--check", action="store_true", help="only check the images and avrdude, write nothing")
    parser.add_argument("--force", action="store_true", help="write even if this very firmware runs already")
    parser.add_argument("--yes", action="store_true", help="write also over a program that is not ours, without asking")


def run(args: argparse.Namespace) -> int:
    """0 written, verified and greeted (or already there); 1 written, but the board does not greet.

    Raises Failure for everything that stops it: no port, no rights, port busy, no avrdude, no boot loader, or nobody
    who agrees that what runs there is overwritten (`not-agreed`).
    """
    from host.boards.drive import the_drive
    from host.boards.flasher import avrdude_path
    from host.boards.image import load_images

    images = load_images()
    if args.board is not None and args.board not in images:
        raise CommandRefusal("no-image", "no-image", board=args.board, boards=", ".join(images))
    if args.check:
        return _check(args, images)
    drive = the_drive() if args.port is None and args.board in (None, "rp2040") else None
    if drive is not None:
        _agree(args, "agree-drive", drive=drive)
        return _by_drive(args, images["rp2040"], drive)
    if args.board != "rp2040" and not _a_pico_is_there():
        avrdude_path()  # before anything is opened: without it nothing can be written
    port, before = _port(args)
    image = _image_for(args, images, port, before)
    if before is not None and before.firmware == image.version and not args.force:
        _tell(args, {"written": False, "port": port, "firmware": image.version, "reason": "runs already"})
        return 0
    if before is None:
        _agree(args, "agree-foreign", port=port)
    if image.writer == "uf2":
        return _by_touch(args, image, port)
    return _by_avrdude(args, image, port)


def _check(args: argparse.Namespace, images: dict[str, FirmwareImage]) -> int:
    from host.boards.flasher import avrdude_path

    image = next(iter(images.values()))
    shas = {name: image.sha256 for name, image in images.items()}
    row = {"written": False, "image": image.version, "sha256": image.sha256, "images": shas, "avrdude": avrdude_path()}
    _tell(args, row)
    return 0


def _a_pico_is_there() -> bool:
    from host.link.ports import usb_ports

    return any(port.usb.startswith(PICO_USB) for port in usb_ports())


def _image_for(
    args: argparse.Namespace, images: dict[str, FirmwareImage], port: str, before: LinkHealth | None
) -> FirmwareImage:
    """The image that belongs on the board at `port`: as told, as the board says, or by its USB chip."""
    from host.link.messages import BOARDS
    from host.link.ports import usb_ports

    if args.board is not None:
        return images[args.board]
    if before is not None and before.board is not None:
        for image in images.values():
            if before.board == BOARDS.get(image.number, f"board {image.number}"):
                return image
        raise CommandRefusal("no-image", "no-image-sketch", port=port, board=before.board)
    pico = any(p.device == port and p.usb.startswith(PICO_USB) for p in usb_ports())
    return images["rp2040" if pico else "atmega328p"]


def _by_avrdude(args: argparse.Namespace, image: FirmwareImage, port: str) -> int:
    from host.boards.flasher import avrdude_path, flash

    avrdude = avrdude_path()
    _say("writes", version=image.version, size=image.size, place=port)
    try:
        done = flash(port, image.path, say=_say, progress=_progress, avrdude=avrdude)
    except Failure:
        if sys.stderr.isatty():
            sys.stderr.write("\n")  # below the progress
        raise
    _say("verified")
    return _done(args, image, port, {"baud": done.baud})


def _by_touch(args: argparse.Namespace, image: FirmwareImage, port: str) -> int:
    from host.boards.drive import ask_for_boot_loader, await_drive

    _say("boot-loader", port=port)
    ask_for_boot_loader(port)
    return _by_drive(args, image, await_drive())


def _by_drive(args: argparse.Namespace, image: FirmwareImage, drive: Path) -> int:
    from host.boards.drive import write

    _say("writes", version=image.version, size=image.size, place=drive)
    write(image.path, drive, lambda percent: _progress("writing", percent))
    _say("written")
    return _done(args, image, _new_port(), {"drive": str(drive)})


def _new_port(limit_s: float = 15.0) -> str | None:
    """The port of a board that calls itself ours, once it has restarted."""
    from host.link.ports import says_it_is_ours, usb_ports

    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        ours = [port.device for port in usb_ports() if says_it_is_ours(port)]
        if ours:
            return ours[0]
        time.sleep(0.2)
    return None


def _done(args: argparse.Namespace, image: FirmwareImage, port: str | None, more: dict[str, object]) -> int:
    after = _look(port) if port is not None else None
    row = {
        "written": True,
        "port": port,
        "image": image.version,
        "sha256": image.sha256,
        "firmware": after.firmware if after else None,
        "board": after.board if after else None,
        **more,
    }
    _tell(args, row)
    if after is None:
        told = command_text(spoken_language(), "flash", "no-greeting", {})
        sys.stderr.write(f"allfronts flash: {told}\n")
        return 1
    return 0 if after.firmware == image.version else 1


def _agree(args: argparse.Namespace, code: str, **parts: object) -> None:
    """Ask before a program that is not ours is overwritten. Raises Failure (`not-agreed`)."""
    if args.yes:
        return
    question = command_text(spoken_language(), "flash", code, parts)
    if sys.stdin.isatty():
        sys.stderr.write(f"{question} y/n ")
        sys.stderr.flush()
        if sys.stdin.readline().strip().lower() in ("y", "yes"):
            return
    raise CommandRefusal("not-agreed", "not-agreed", question=question)


def _port(args: argparse.Namespace) -> tuple[str, LinkHealth | None]:
    """Which port to write to, and what runs there if it is ours. Raises Failure with the ports to choose from."""
    from host.boards.choose import choose
    from host.link.ports import (
        LINE_FAULTS,
        PortMemory,
        describe,
        open_port,
        state_folder,
        usb_ports,
        users_of,
        why_not,
    )
    from host.link.trouble import trouble

    given: str | None = args.port
    if given is None:
        kept = PortMemory(state_folder() / "port.json").recall()
        choice = choose(usb_ports(), kept, _typed if sys.stdin.isatty() else None)
        given = choice.port.device
        if not choice.known:
            _agree(args, "agree-port", device=describe(choice.port))
    if given.partition(":")[0] in ("virtual", "none"):
        raise CommandRefusal("no-such-port", "no-board-there")
    if sys.platform != "win32" and not is_there(given):
        why = trouble("no-such-port", given)
        raise LinkFailure(why)
    holders = users_of(given)
    if holders:
        why = trouble("busy", given, who=", ".join(holders))
        raise LinkFailure(why)
    try:
        open_port(given).close()
    except LINE_FAULTS as fault:
        why = why_not(given, fault)
        raise LinkFailure(why) from fault
    return given, _look(given)


def _typed(question: str) -> str:
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline()


def _look(port: str) -> LinkHealth | None:
    """Our controller's health, if one answers at `port`."""
    from host.link.link import Link

    _say("asking")
    link = Link.start(port)
    try:
        end = time.monotonic() + GREET_S
        while time.monotonic() < end:
            health = link.health()
            if health.state == "up":
                return health
            code = health.trouble.code if health.trouble is not None else ""
            if code in ("old-firmware", "new-firmware") and health.trouble is not None:
                # Ours, though of another protocol: nobody is asked before it is updated.
                return replace(health, firmware=dict(health.trouble.parts)["firmware"])
            if code in ("not-ours", "silent"):
                return None
            time.sleep(0.05)
        return None
    finally:
        link.close()


def _say(code: str, **parts: object) -> None:
    """Says how far it is, by the texts of the group `flash`."""
    sys.stderr.write(command_text(spoken_language(), "flash", code, parts) + "\n")
    sys.stderr.flush()


def _progress(stage: str, percent: int) -> None:
    if not sys.stderr.isatty() and percent < 100:
        return
    told = command_text(spoken_language(), "flash", f"stage-{stage}", {})
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{told:10} {percent:3d} %" + ("\n" if percent >= 100 else ""))
    else:
        sys.stderr.write(f"{told} 100 %\n")
    sys.stderr.flush()


def _tell(args: argparse.Namespace, row: dict[str, object]) -> None:
    if args.json:
        sys.stdout.write(json.dumps(row) + "\n")
        return
    if row.get("reason"):
        codes = ["runs-already"]
    elif row.get("written"):
        codes = ["done-drive" if "drive" in row else "done-baud", "greets" if row["firmware"] else "greets-not"]
    else:
        codes = ["image"]
    language = spoken_language()
    parts = row | {"place": row.get("port") or command_text(language, "flash", "the-board", {})}
    sys.stdout.write(" ".join(command_text(language, "flash", code, parts) for code in codes) + "\n")
