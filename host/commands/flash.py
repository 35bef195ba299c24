"""`allfronts flash`: put the firmware that this package carries on the microcontroller, and see that it runs."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from engine.failure import Failure

if TYPE_CHECKING:
    from host.boards.image import Image
    from host.link.health import Health

GREET_S = 8.0
"""How long the new firmware may take to answer; the link itself listens for 2 s and asks for 2 s."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", help="the board's port (default: the one USB serial device, or our controller)")
    parser.add_argument("--json", action="store_true", help="print one JSON object; progress goes to standard error")
    parser.add_argument("--check", action="store_true", help="only check the image and avrdude, write nothing")
    parser.add_argument("--force", action="store_true", help="write even if this very firmware runs already")


def run(args: argparse.Namespace) -> int:
    """0 written, verified and greeted (or already there); 1 written, but the board does not greet.

    Raises Failure for everything that stops it: no port, no rights, port busy, no avrdude, no boot loader.
    """
    from host.boards.flasher import avrdude_path, flash
    from host.boards.image import load_image

    image = load_image()
    avrdude = avrdude_path()
    if args.check:
        _tell(args, {"written": False, "image": image.version, "sha256": image.sha256, "avrdude": avrdude})
        return 0
    port, before = _port(args.port)
    if before is not None and before.firmware == image.version and not args.force:
        _tell(args, {"written": False, "port": port, "firmware": image.version, "reason": "runs already"})
        return 0
    _say(f"Firmware {image.version} ({image.size} bytes) for {port}.")
    try:
        done = flash(port, image.path, say=_say, progress=_progress, avrdude=avrdude)
    except Failure:
        if sys.stderr.isatty():
            sys.stderr.write("\n")  # below the progress
        raise
    _say("Written and verified. Waiting for the board's greeting.")
    after = _look(port)
    row = {
        "written": True,
        "port": port,
        "baud": done.baud,
        "image": image.version,
        "sha256": image.sha256,
        "firmware": after.firmware if after else None,
        "board": after.board if after else None,
    }
    _tell(args, row)
    return _verdict(image, after)


def _verdict(image: Image, after: Health | None) -> int:
    if after is None:
        sys.stderr.write(
            "allfronts flash: the board was written but does not greet. Plug it in anew, then: ./allfronts doctor\n"
        )
        return 1
    return 0 if after.firmware == image.version else 1


def _port(given: str | None) -> tuple[str, Health | None]:
    """Which port to write to, and what runs there if it is ours. Raises Failure with the ports to choose from."""
    from host.link.ports import LINE_FAULTS, describe, open_port, usb_ports, why_not
    from host.link.trouble import trouble

    if given is None:
        ports = usb_ports()
        if not ports:
            raise Failure(
                "no-device",
                "No USB serial device is plugged in.",
                "Plug the board in with a cable that carries data, or name its port: --port /dev/ttyUSB0",
            )
        if len(ports) > 1:
            found = _look(None)
            if found is None or found.port is None:
                names = "; ".join(describe(port) for port in ports)
                raise Failure("which-port", f"Several devices are there: {names}.", "Name the board's: --port …")
            return found.port, found
        given = ports[0].device
    if given.partition(":")[0] in ("virtual", "none"):
        raise Failure(
            "no-such-port", "There is no board to flash at that port.", "Name the board's: --port /dev/ttyUSB0"
        )
    if sys.platform != "win32" and not Path(given).exists():
        why = trouble("no-such-port", given)
        raise Failure(why.code, why.message, why.remedy)
    try:
        open_port(given).close()
    except LINE_FAULTS as fault:
        why = why_not(given, fault)
        raise Failure(why.code, why.message, why.remedy) from fault
    return given, _look(given)


def _look(port: str | None) -> Health | None:
    """Our controller's health, if one answers at `port` (or anywhere)."""
    from host.link.link import Link

    _say("Asking what runs there.")
    link = Link.start(port)
    try:
        end = time.monotonic() + GREET_S
        while time.monotonic() < end:
            health = link.health()
            if health.state == "up":
                return health
            if health.trouble is not None and health.trouble.code in (
                "old-firmware",
                "new-firmware",
                "not-ours",
                "silent",
            ):
                return None
            time.sleep(0.05)
        return None
    finally:
        link.close()


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def _progress(stage: str, percent: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{stage:10} {percent:3d} %" + ("\n" if percent >= 100 else ""))
        sys.stderr.flush()
    elif percent >= 100:
        _say(f"{stage} 100 %")


def _tell(args: argparse.Namespace, row: dict[str, object]) -> None:
    if args.json:
        sys.stdout.write(json.dumps(row) + "\n")
    elif row.get("reason"):
        sys.stdout.write(f"Firmware {row['firmware']} runs on {row['port']} already; --force writes it all the same.\n")
    elif row.get("written"):
        sys.stdout.write(f"{row['port']}: firmware {row['image']} written at {row['baud']} baud, verified; ")
        sys.stdout.write(f"the board says it runs {row['firmware']}.\n" if row["firmware"] else "no greeting yet.\n")
    else:
        sys.stdout.write(f"Image {row['image']} is whole (sha256 {row['sha256']}); avrdude is {row['avrdude']}.\n")
