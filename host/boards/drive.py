"""Puts firmware on a board whose boot loader is a USB drive: the file is copied, and the board restarts with it.

Needs nothing installed. The drive is known by its INFO_UF2.TXT, never by its name alone.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from engine.failure import Failure
from host.link.ports import LINE_FAULTS

BOARD_ID: Final = "RPI-RP2"
"""What a Pico's boot loader writes behind `Board-ID:`, and the drive's label."""
TOUCH_BAUD: Final = 1200
"""Opening the port at this speed and closing it asks the program for the boot loader."""
LABELS: Final = Path("/dev/disk/by-label")
COPIED_NAME: Final = "ALLFRONT.UF2"
CHUNK: Final = 512 * 8


def mount_points() -> list[Path]:
    """Where drives are mounted on this machine."""
    if sys.platform == "win32":
        return [Path(f"{letter}:/") for letter in "DEFGHIJKLMNOPQRSTUVWXYZ" if Path(f"{letter}:/").exists()]
    if sys.platform == "darwin":
        return sorted(Path("/Volumes").iterdir())
    try:
        rows = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    # Blanks stand as \\040 in this file.
    return [Path(row.split(" ")[1].replace("\\040", " ")) for row in rows if row.startswith("/dev/")]


def drives(places: Iterable[Path]) -> list[Path]:
    """Those of the places that are a Pico's boot loader."""
    found: list[Path] = []
    for place in places:
        try:
            about = (place / "INFO_UF2.TXT").read_text(encoding="ascii", errors="replace")
        except OSError:
            continue  # no such file, so another drive
        if any(line.startswith("Board-ID:") and BOARD_ID in line for line in about.splitlines()):
            found.append(place)
    return found


def the_drive(places: Sequence[Path] | None = None, labels: Path = LABELS) -> Path | None:
    """The one boot loader's drive; None where there is none.

    Raises Failure: `drive-not-mounted` where it is plugged in and not mounted, `which-drive` where there are several.
    """
    found = drives(mount_points() if places is None else places)
    if len(found) > 1:
        raise Failure(
            "which-drive",
            f"Several boards wait for a program: {', '.join(map(str, found))}.",
            "Unplug all but the one that shall be the controller.",
        )
    if found:
        return found[0]
    if (labels / BOARD_ID).exists():
        raise Failure(
            "drive-not-mounted",
            f"The board's drive {BOARD_ID} is plugged in but not mounted.",
            f"Open it in the file manager, or type: udisksctl mount -b {labels / BOARD_ID}",
        )
    return None


def ask_for_boot_loader(port: str) -> None:
    """Ask the program on `port` to restart into its boot loader. Raises Failure (`no-loader`) where that cannot be."""
    import serial

    try:
        line = serial.Serial(port, TOUCH_BAUD, timeout=0, exclusive=True)
        try:
            line.dtr = False
        finally:
            line.close()
    except LINE_FAULTS as fault:
        raise Failure(
            "no-loader",
            f"The board on {port} cannot be asked for its boot loader ({fault}).",
            "Hold its BOOTSEL button while you plug it in, then try again.",
        ) from fault


def await_drive(
    places: Callable[[], Sequence[Path]] = mount_points,
    *,
    limit_s: float = 20.0,
    sleep: Callable[[float], None] = time.sleep,
) -> Path:
    """The boot loader's drive, as soon as it is mounted. Raises Failure: `no-drive` when it does not come."""
    unmounted: Failure | None = None
    for _ in range(round(limit_s / 0.25)):
        try:
            found = the_drive(places())
        except Failure as failure:
            if failure.code != "drive-not-mounted":
                raise
            unmounted = failure
        else:
            if found is not None:
                return found
        sleep(0.25)
    raise unmounted or Failure(
        "no-drive",
        "The board's drive did not appear.",
        "Hold its BOOTSEL button while you plug it in, then try again.",
    )


def write(image: Path, drive: Path, progress: Callable[[int], None]) -> None:
    """Copy the image to the drive. The board restarts by itself as soon as it has all, and the drive goes away.

    Raises Failure (`flash-failed`) when the copying stops before the end.
    """
    data = image.read_bytes()
    written = 0
    try:
        with (drive / COPIED_NAME).open("wb") as file:
            while written < len(data):
                written += file.write(data[written : written + CHUNK])
                progress(written * 100 // len(data))
            file.flush()
            os.fsync(file.fileno())
    except OSError as fault:
        # It restarts with the last block, often before the drive has said that it is written.
        if written < len(data):
            raise Failure(
                "flash-failed", f"Writing stopped: {fault.strerror}.", "Plug the board in anew and try again."
            ) from fault
