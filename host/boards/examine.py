"""What `allfronts doctor` finds out about serial ports: each finding with what to do about it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias

from engine.failure import Failure
from host.boards.image import load_images
from host.link.health import LinkHealth
from host.link.messages import BOARDS
from host.link.ports import Port, describe, rights_remedy, usb_ports, users_of
from host.link.trouble import LinkTrouble, trouble
from host.messages import known, say
from host.messages.command_text import ENGLISH, command_text, link_text, refusal_text

Grade: TypeAlias = Literal["good", "note", "problem"]

UDEV_RULES: Final = tuple(
    Path(folder) / "udev" / "rules.d" for folder in ("/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib")
)


class Lights(Protocol):
    """What is asked of lights here."""

    def health(self) -> LinkHealth: ...

    def close(self) -> None: ...


FRAMES_A_BROKEN_BYTE: Final = 1000
"""More than one broken byte in so many frames is a fault of the line."""
SUPPLY_LEAST_MV: Final = 4400
"""USB's own limit at the end of a cable."""
SUPPLY_BAD_MV: Final = 4000


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One thing looked at."""

    check: str
    grade: Grade
    code: str
    """The text of `group` (`host.messages`), and of the group of that name with `-mend`, which may be without one."""
    parts: Mapping[str, object] = field(default_factory=dict)
    cause: Failure | LinkTrouble | None = None
    """What was found, where it has its own words; they are the parts `message` and `remedy` of the texts."""
    group: str = "doctor"

    def told(self, language: str) -> tuple[str, str]:
        """What was found and what to do about it; the second is empty where nothing is to be done."""
        if self.group != "doctor":
            mend = f"{self.group}-mend"
            remedy = say(language, mend, self.code, self.parts) if known(mend, self.code) else ""
            return say(language, self.group, self.code, self.parts), remedy
        parts = dict(self.parts)
        match self.cause:
            case Failure():
                parts["message"], parts["remedy"] = refusal_text(self.cause, language)
            case LinkTrouble():
                parts["message"], parts["remedy"] = link_text(self.cause, language)
            case None:
                pass
        message, remedy = (command_text(language, group, self.code, parts) for group in ("doctor", "doctor-mend"))
        return message, remedy

    @property
    def message(self) -> str:
        return self.told(ENGLISH)[0]

    @property
    def remedy(self) -> str:
        return self.told(ENGLISH)[1]


def running(names: Sequence[str], proc: Path = Path("/proc")) -> list[str]:
    """Which of these programs run now, by /proc."""
    found: set[str] = set()
    for entry in proc.glob("[0-9]*"):
        try:
            found.add((entry / "comm").read_text().strip())
        except OSError:
            continue  # it has ended
    return [name for name in names if name[:15] in found]


def rules_about(words: Sequence[str], folders: Sequence[Path] = UDEV_RULES) -> list[Path]:
    """udev rules with an uncommented line that holds all `words`."""
    found: list[Path] = []
    for folder in folders:
        for path in sorted(folder.glob("*.rules")) if folder.is_dir() else ():
            try:
                lines = path.read_text(errors="replace").splitlines()
            except OSError:
                continue  # a rule that only root may read is not one of a distribution's
            if any(all(word in line for word in words) for line in lines if not line.lstrip().startswith("#")):
                found.append(path)
    return found


def examine_ports(
    ports: Sequence[Port] | None = None,
    holders: Callable[[str], Sequence[str]] = users_of,
    allowed: Callable[[str], bool] = lambda device: os.access(device, os.R_OK | os.W_OK),
) -> Iterator[CheckResult]:
    """Every USB serial device: there, allowed, free. None is opened: that would reset boards that are not ours."""
    found = usb_ports() if ports is None else ports
    if not found:
        yield CheckResult("serial", "note", "serial-none")
    for port in found:
        users = holders(port.device)
        if sys.platform != "win32" and not allowed(port.device):
            parts = {"device": describe(port), "port": port.device, "remedy": rights_remedy(port.device)}
            yield CheckResult("serial", "problem", "serial-rights", parts)
        elif users:
            why = trouble("busy", port.device, who=", ".join(users))
            yield CheckResult("serial", "note", "serial-busy", {"device": describe(port)}, why)
        else:
            yield CheckResult("serial", "good", "serial-free", {"device": describe(port)})


def examine_meddlers(
    ports: Sequence[Port], proc: Path = Path("/proc"), rules: Sequence[Path] = UDEV_RULES
) -> Iterator[CheckResult]:
    """Programs of the system that grab serial devices: ModemManager asks every new one, brltty takes CH340 chips."""
    if not sys.platform.startswith("linux"):
        return
    ours = any("allfronts" in path.name for path in rules_about(["ID_MM_DEVICE_IGNORE"], rules))
    if running(["ModemManager"], proc) and not ours:
        yield CheckResult("modemmanager", "note", "modemmanager")
    taken = any(port.usb.startswith("1a86:7523") for port in ports)
    brltty = [p for p in rules_about(["1a86", "7523", "brltty"], rules) if "brltty" in p.name]
    if brltty or running(["brltty"], proc):
        yield CheckResult("brltty", "note" if taken else "problem", "brltty")


def examine_controller(start: Callable[[], Lights], wait_s: float = 10.0) -> Iterator[CheckResult]:
    """Ask who is there: the firmware's version, its health, and its own counts."""
    link = start()
    try:
        end = time.monotonic() + wait_s
        while time.monotonic() < end and not link.health().board_counts:
            if link.health().state == "up" and not _runs_our_firmware(link.health()):
                break
            why = link.health().trouble
            if why is not None and link.health().down_for > 5.0:
                break
            time.sleep(0.05)
        health = link.health()
    finally:
        link.close()
    yield from controller_findings(health)


def _runs_our_firmware(health: LinkHealth) -> bool:
    """A WLED controller and an Adalight board run their own, which counts nothing for us."""
    return health.protocol is not None


def controller_findings(health: LinkHealth) -> Iterator[CheckResult]:
    """What a link's health says about the controller."""
    if health.state != "up":
        why = health.trouble
        if why is None:
            yield CheckResult("controller", "problem", "no-controller")
        elif why.code != "no-device":
            yield CheckResult("controller", "problem", "cause", cause=why)
        return
    if health.board is not None and not _runs_our_firmware(health):
        code = "other-version" if health.firmware else "other-controller"
        told = {"port": health.port, "board": health.board, "firmware": health.firmware}
        yield CheckResult("controller", "good", code, told)
        return
    reset = health.reset_cause
    told = {"port": health.port, "board": health.board, "firmware": health.firmware, "reset": reset}
    if reset == "brown-out":
        yield CheckResult("controller", "problem", "controller-sagged", told)
    elif reset in ("watchdog", "watchdog (hardware)"):
        yield CheckResult("controller", "problem", "controller-hung", told)
    else:
        yield CheckResult("controller", "good", "controller", told)
    try:
        images = {BOARDS.get(image.number): image.version for image in load_images().values()}
    except Failure:
        images = {}  # examine_flashing tells of a damaged image
    # A board that somebody else wrote, or a sketch, has no image here and a version of its own.
    carried = images.get(health.board, health.firmware)
    if health.firmware != carried:
        yield CheckResult("firmware", "note", "firmware", {"runs": health.firmware, "carried": carried})
    counts = health.board_counts
    lost = {name: counts.get(name, 0) for name in ("uart_overrun", "ring_full", "events_dropped")}
    # The first byte after the plug went in is often broken: only a rate tells of the line.
    if counts.get("uart_framing", 0) * FRAMES_A_BROKEN_BYTE > max(counts.get("frames_good", 0), FRAMES_A_BROKEN_BYTE):
        lost["uart_framing"] = counts["uart_framing"]
    supply = counts.get("supply_mv", 0)
    if 0 < supply < SUPPLY_LEAST_MV:
        yield CheckResult(
            "supply",
            "problem" if supply < SUPPLY_BAD_MV else "note",
            "supply",
            {"volts": f"{supply / 1000:.1f}"},
        )
    if any(lost.values()):
        counted = ", ".join(f"{name} {count}" for name, count in lost.items() if count)
        yield CheckResult("line", "problem", "line", {"counts": counted})
    if health.limit < 255:
        yield CheckResult("current", "note", "current", {"percent": (health.limit + 1) * 100 // 256})


def examine_flashing() -> Iterator[CheckResult]:
    """Can `flash` work here: the image is whole, avrdude is there."""
    from host.boards.flasher import avrdude_path

    try:
        images = load_images()
        version = next(iter(images.values())).version
        yield CheckResult("image", "good", "images", {"version": version, "names": ", ".join(images)})
    except Failure as failure:
        yield CheckResult("image", "problem", "cause", cause=failure)
    try:
        yield CheckResult("avrdude", "good", "avrdude", {"path": avrdude_path()})
    except Failure as failure:
        yield CheckResult("avrdude", "note", "avrdude-none", cause=failure)
