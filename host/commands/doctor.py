"""`allfronts doctor`: look at everything the table needs, say what is wrong and what mends it."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.failure import Failure
from host.file_there import is_there
from host.messages.command_text import ENGLISH, command_text
from host.settings import spoken_language

if TYPE_CHECKING:
    from host.boards.examine import CheckResult

MEMORY_LEAST_MB: Final = 200
"""Free space below which the game log is in danger; a whole game writes a few megabytes."""

PACKAGES: Final = (("opencv-python-headless", "cv2"), ("numpy", "numpy"), ("flask", "flask"), ("pyserial", "serial"))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", help="the controller's port (default: found); `virtual`, `none`, or wled://HOST")
    parser.add_argument("--camera", metavar="SOURCE", help="also look through this camera, stream, film or picture")
    parser.add_argument("--deck", metavar="DIR", help="also read this deck's profile; with --camera find its boards")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, one line a finding")


def run(args: argparse.Namespace) -> int:
    """0 nothing needs mending; 1 at least one problem was found."""
    language = ENGLISH if args.json else spoken_language()
    marks = {grade: command_text(language, "doctor", grade, {}) for grade in ("good", "note", "problem")}
    wide = max(map(len, marks.values()))
    problems = 0
    for finding in findings(args.port, args.camera, args.deck):
        problems += finding.grade == "problem"
        message, remedy = finding.told(language)
        if args.json:
            row = {"check": finding.check, "grade": finding.grade, "message": message, "remedy": remedy}
            sys.stdout.write(json.dumps(row) + "\n")
        else:
            sys.stdout.write(f"{marks[finding.grade]:{wide}} {message}\n")
            if remedy:
                sys.stdout.write(f"{'':{wide}} → {remedy}\n")
        sys.stdout.flush()
    if not args.json:
        code = "to-mend" if problems else "nothing-to-mend"
        sys.stdout.write(command_text(language, "doctor", code, {"n": problems}) + "\n")
    return 1 if problems else 0


def findings(port: str | None, camera: str | None = None, deck: str | None = None) -> Iterator[CheckResult]:
    """Everything that is looked at, in the order in which it is worth mending."""
    from host.boards.examine import examine_controller, examine_flashing, examine_meddlers, examine_ports
    from host.link.ports import usb_ports
    from host.sinks.light_targets import open_lights

    yield from _python()
    yield from _settings()
    yield from _disk()
    yield from _page()
    yield from _cameras()
    if camera is not None or deck is not None:
        from host.commands.doctor_table import examine_table

        yield from examine_table(camera, deck)
    if port != "none":
        ports = usb_ports()
        if port is None:
            yield from examine_ports(ports)
            yield from examine_meddlers(ports)
        if port is not None or ports:
            yield from examine_controller(lambda: open_lights(port))
    yield from examine_flashing()


def _python() -> Iterator[CheckResult]:
    from host.boards.examine import CheckResult

    version = ".".join(map(str, sys.version_info[:3]))
    missing: list[str] = []
    there: list[str] = []
    for package, module in PACKAGES:
        try:
            __import__(module)
            there.append(f"{package} {metadata.version(package)}")
        except (ImportError, metadata.PackageNotFoundError):
            missing.append(package)
    if missing:
        yield CheckResult(
            "python",
            "problem",
            "python-lacks",
            {"version": version, "missing": ", ".join(missing)},
        )
    else:
        yield CheckResult("python", "good", "python", {"version": version, "packages": ", ".join(there)})


def _settings() -> Iterator[CheckResult]:
    from host.boards.examine import CheckResult
    from host.settings import load_settings, settings_path

    try:
        load_settings()
    except Failure as failure:
        yield CheckResult("settings", "problem", "cause", cause=failure)
    else:
        path = settings_path()
        code = "settings" if path.exists() else "settings-default"
        yield CheckResult("settings", "good", code, {"path": path})


def _disk() -> Iterator[CheckResult]:
    """The game log's folder: can be written, keeps a WAL log, has room."""
    from host.boards.examine import CheckResult
    from host.settings import data_folder, log_path

    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as trial:
            base = sqlite3.connect(Path(trial) / "trial.db")
            try:
                mode = base.execute("PRAGMA journal_mode=WAL").fetchone()[0]
                base.execute("CREATE TABLE trial (x)")
                base.execute("INSERT INTO trial VALUES (1)")
                base.commit()
            finally:
                base.close()
    except (OSError, sqlite3.Error) as error:
        yield CheckResult(
            "log",
            "problem",
            "log-folder",
            {"folder": folder, "error": error, "user": os.environ.get("USER", "YOU")},
        )
        return
    if mode != "wal":
        yield CheckResult("log", "problem", "log-disk", {"folder": folder})
        return
    yield from _log(log_path())
    free = shutil.disk_usage(folder).free // 1_000_000
    if free < MEMORY_LEAST_MB:
        yield CheckResult("disk", "problem", "disk-full", {"free": free, "folder": folder})
    else:
        yield CheckResult("log", "good", "log", {"folder": folder, "free": free // 1000})


def _log(path: Path) -> Iterator[CheckResult]:
    """Is the game log that is there whole?"""
    from host.boards.examine import CheckResult

    if not is_there(path):
        # Its folder's line says why, where it may not be read.
        return
    try:
        base = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=1)
        try:
            (verdict,) = base.execute("PRAGMA quick_check").fetchone()
        finally:
            base.close()
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            yield CheckResult("log", "problem", "log-unread", {"path": path, "error": error})
        else:
            yield CheckResult("log", "note", "log-held", {"path": path})
        return
    except sqlite3.DatabaseError as error:
        verdict = str(error)
    if verdict != "ok":
        yield CheckResult("log", "problem", "log-damaged", {"path": path, "verdict": verdict})


def _page() -> Iterator[CheckResult]:
    """Is the page's port free? If not, who has it."""
    from host.boards.examine import CheckResult
    from host.settings import load_settings

    try:
        port = load_settings().port
    except Failure:
        return  # told already
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", port))
        except OSError as error:
            yield CheckResult("page", "problem", "page-taken", {"port": port, "error": error.strerror})
            return
    yield CheckResult("page", "good", "page", {"port": port})


def _cameras() -> Iterator[CheckResult]:
    """Camera devices, where the system lists them as files."""
    from host.boards.examine import CheckResult
    from host.link.ports import rights_remedy, users_of

    if not sys.platform.startswith("linux"):
        yield CheckResult("camera", "note", "cameras-unlisted")
        return
    devices = sorted(Path("/dev").glob("video*"))
    if not devices:
        yield CheckResult("camera", "note", "no-camera")
    for device in devices:
        label = Path("/sys/class/video4linux") / device.name / "name"
        name = label.read_text(errors="replace").strip() if label.exists() else "camera"
        if not os.access(device, os.R_OK | os.W_OK):
            parts = {"device": device, "name": name, "remedy": rights_remedy(str(device))}
            yield CheckResult("camera", "problem", "camera-rights", parts)
            continue
        users = users_of(str(device))
        if users:
            parts = {"device": device, "name": name, "who": ", ".join(users)}
            yield CheckResult("camera", "note", "camera-busy", parts)
        else:
            yield CheckResult("camera", "good", "camera", {"device": device, "name": name})
