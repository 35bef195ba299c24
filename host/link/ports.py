"""Serial ports: which there are, which may be used, and who uses the others. Nothing here trusts a port's name."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Protocol

from host.file_there import is_there
from host.kept_file import write_bytes
from host.link.trouble import LinkTrouble, trouble

BAUD: Final = 115200

if sys.platform == "win32":
    LINE_FAULTS: tuple[type[Exception], ...] = (OSError,)
else:
    import grp
    import pwd
    import termios

    # pyserial lets termios.error through from flush and from buffer resets, and it is not an OSError.
    LINE_FAULTS = (OSError, termios.error)
"""Everything a serial line throws when the device goes away, is taken, or was never there."""


class SerialLike(Protocol):
    """What the link needs of a line: pyserial has it, and so have the controllers without hardware."""

    @property
    def in_waiting(self) -> int: ...

    def read(self, size: int = 1, /) -> bytes: ...

    def write(self, data: bytes, /) -> int | None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Port:
    """A serial port as the system describes it.

    `usb` is `vendor:product:serial number`, empty where not USB; `place` is the socket where it is plugged in.
    """

    device: str
    description: str = ""
    usb: str = ""
    place: str = ""

    @property
    def stable_id(self) -> str:
        """What tells this device from all others wherever it is plugged in; "" where its chip has no serial number."""
        return self.usb if self.usb.count(":") == 2 and not self.usb.endswith(":") else ""


def describe(port: Port) -> str:
    """One line for a person: the name and what the system says is plugged in there."""
    return f"{port.device} ({port.description})" if port.description else port.device


def usb_ports() -> list[Port]:
    """Every USB serial port of this machine. Built-in ports are left out: nobody wires a Nano to one, and asking
    at a port that other things hang on does harm; such a port can still be named by hand."""
    from serial.tools import list_ports

    found = [
        Port(p.device, p.description or "", f"{p.vid:04x}:{p.pid or 0:04x}:{p.serial_number or ''}", p.location or "")
        for p in list_ports.comports()
        if p.vid is not None
    ]
    return sorted(found, key=lambda port: port.device)


OUR_PRODUCT: Final = "All Fronts"
"""How a board with USB of its own calls itself: it may be opened without asking anybody."""
BOARD_CHIPS: Final = (
    "1a86:7523",  # CH340, most Nanos
    "1a86:55d4",  # CH9102
    "0403:6001",  # FT232R, older Nanos
    "2341:0043",  # Uno
    "2341:0001",
    "2341:0243",
    "2a03:0043",
    "10c4:ea60",  # CP2102
    "067b:2303",  # PL2303
    "2e8a:000a",  # a program on a Pico
)
"""Serial chips that our boards carry. Printers, radio sticks and receivers carry them, too."""
OTHER_THINGS: Final = (
    "zigbee", "z-wave", "zwave", "thread", "sonoff", "conbee", "skyconnect", "gps", "gnss", "u-blox", "modem",
    "printer", "prusa", "marlin", "klipper", "cnc", "grbl", "meter", "ups",
)  # fmt: skip
"""Words by which a device says that it is something else."""


def says_it_is_ours(port: Port) -> bool:
    return OUR_PRODUCT in port.description


def may_be_ours(port: Port) -> bool:
    """Could one of our boards look like this, and does the device not call itself something else?"""
    words = port.description.lower()
    return port.usb[:9] in BOARD_CHIPS and not any(word in words for word in OTHER_THINGS)


def open_port(device: str) -> SerialLike:
    """Open a port for this process alone, without waiting reads. Raises one of `LINE_FAULTS`.

    Opening resets many boards, which is taken as normal. DTR and RTS stay as they come: lowering them spares no board
    on Linux, where the kernel raises them in between, and boards with USB of their own fall silent without DTR.
    """
    import serial

    line = serial.Serial()
    line.port = device
    line.baudrate = BAUD
    line.timeout = 0
    line.write_timeout = 0.5
    line.exclusive = True
    line.open()
    return line


def why_not(device: str, fault: Exception) -> LinkTrouble:
    """What stands behind a refusal to open `device`."""
    number = getattr(fault, "errno", None)
    if number is None and fault.args and isinstance(fault.args[0], int):
        number = fault.args[0]
    there = is_there(device)
    if number in (errno.EACCES, errno.EPERM) or (there and not os.access(device, os.R_OK | os.W_OK)):
        return trouble("no-rights", device, remedy=rights_remedy(device))
    if number in (errno.EAGAIN, errno.EBUSY) or "lock" in str(fault):
        return trouble("busy", device, who=", ".join(users_of(device)) or "another program")
    if (
        there
        and not Path(device).is_char_device()
        and number not in (errno.EAGAIN, errno.EBUSY, errno.EACCES, errno.EPERM)
    ):
        return trouble("no-such-port", device)  # a file or a folder
    if not there:
        return trouble("no-device") if number is None else trouble("lost", device)
    return trouble("silent", device)


def rights_remedy(device: str) -> str:
    """The exact line to type, so that this user may use `device`."""
    if sys.platform == "win32":
        return "Close programs that use the port and start again."
    try:
        about = Path(device).stat()
        group = grp.getgrgid(about.st_gid).gr_name
        user = pwd.getpwuid(os.getuid()).pw_name
        members = grp.getgrnam(group).gr_mem
    except (OSError, KeyError):
        return f"Type: sudo chmod a+rw {device}"
    if group == "root" or about.st_mode & 0o060 != 0o060:
        return f"Type: sudo chmod a+rw {device}   (until it is unplugged; docs/lights.md has the udev rule for good)"
    if user in members:
        return f"You are in the group {group}, but this session is not yet: log out and in again."
    return f"Type: sudo usermod -aG {group} {user}   then log out and in again."


def users_of(device: str, proc: Path = Path("/proc"), locks: Path = Path("/run/lock")) -> list[str]:
    """Who has `device` open, as `name (pid)`.

    Of other users' programs only those are seen that leave the customary lock file (Filesystem Hierarchy Standard,
    5.9), as minicom, picocom and fax programs do.
    """
    wanted = os.path.realpath(device)
    found: list[str] = []
    for entry in sorted(proc.glob("[0-9]*")):
        if entry.name == str(os.getpid()):
            continue
        try:
            if any(os.path.realpath(fd) == wanted for fd in (entry / "fd").iterdir()):
                found.append(_program(entry))
        except OSError:
            continue  # the process has ended, or is not ours to look at
    locked = _lock_holder(wanted, proc, locks)
    return found if locked is None or locked in found else [*found, locked]


def _program(entry: Path) -> str:
    return f"{(entry / 'comm').read_text(errors='replace').strip()} ({entry.name})"


def _lock_holder(device: str, proc: Path, locks: Path) -> str | None:
    """Whose lock file lies on the device; None without one, and for one that a program left behind."""
    try:
        pid = (locks / f"LCK..{Path(device).name}").read_text(encoding="ascii").split()[0]
        return _program(proc / pid) if pid.isdecimal() and pid != str(os.getpid()) else None
    except (OSError, ValueError, IndexError):
        return None


class PortMemory:
    """Which device answered last, kept in a small file: by what it is, and by name only where it has no more."""

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def recall(self) -> Port | None:
        if self._path is None:
            return None
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
            return Port(str(kept["device"]), str(kept["description"]), str(kept["usb"]), str(kept.get("place", "")))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None  # nothing kept, or not by us

    def keep(self, port: Port) -> None:
        """Written whole or not at all. A disk that refuses costs only time at the next start, so it is let pass."""
        if self._path is None or self.recall() == port:
            return
        try:
            write_bytes(self._path, json.dumps(asdict(port)).encode())
        except OSError:
            return


def state_folder() -> Path:
    """Where this program keeps what it learns about the machine (XDG base directory specification)."""
    base = os.environ.get("XDG_STATE_HOME", "")
    # The specification wants a relative path ignored.
    return (Path(base) if base.startswith("/") else Path.home() / ".local" / "state") / "allfronts"


def remembered(ports: Sequence[Port], kept: Port | None) -> list[Port]:
    """The remembered device among `ports`, wherever it is plugged in now.

    Boards whose chip has no serial number look alike, and like printers with the same chip: such a one is known again
    only in its old socket, or by its old name where the system tells no sockets.
    """
    if kept is None:
        return []
    if kept.stable_id:
        same = [p for p in ports if p.stable_id == kept.stable_id]
    else:
        same = [
            p
            for p in ports
            if p.usb == kept.usb and (p.place == kept.place if kept.place and p.place else p.device == kept.device)
        ]
    return sorted(same, key=lambda port: port.device != kept.device)
