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
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.failure import Failure

if TYPE_CHECKING:
    from host.boards.examine import CheckResult

MEMORY_LEAST_MB: Final = 200
"""Free space below which the game log is in danger; a whole game writes a few megabytes."""

PACKAGES: Final = (("opencv-python-headless", "cv2"), ("numpy", "numpy"), ("flask", "flask"), ("pyserial", "serial"))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", help="the controller's port (default: found); `virtual`, `none`, or wled://HOST")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, one line a finding")


def run(args: argparse.Namespace) -> int:
    """0 nothing needs mending; 1 at least one problem was found."""
    problems = 0
    for finding in findings(args.port):
        problems += finding.grade == "problem"
        if args.json:
            sys.stdout.write(json.dumps(asdict(finding)) + "\n")
        else:
            mark = {"good": "  ok    ", "note": "  note  ", "problem": "PROBLEM "}[finding.grade]
            sys.stdout.write(f"{mark}{finding.message}\n")
            if finding.remedy:
                sys.stdout.write(f"        → {finding.remedy}\n")
        sys.stdout.flush()
    if not args.json:
        sys.stdout.write("Nothing needs mending.\n" if not problems else f"{problems} to mend.\n")
    return 1 if problems else 0


def findings(port: str | None) -> Iterator[CheckResult]:
    """Everything that is looked at, in the order in which it is worth mending."""
    from host.boards.examine import examine_controller, examine_flashing, examine_meddlers, examine_ports
    from host.link.ports import usb_ports
    from host.sinks.light_targets import open_lights

    yield from _python()
    yield from _settings()
    yield from _disk()
    yield from _page()
    yield from _cameras()
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
            f"Python {version} lacks {', '.join(missing)}.",
            "Start the program as ./allfronts, which installs them; or: pip install 'allfronts[table]'",
        )
    else:
        yield CheckResult("python", "good", f"Python {version} with {', '.join(there)}.")


def _settings() -> Iterator[CheckResult]:
    from host.boards.examine import CheckResult
    from host.settings import load_settings, settings_path

    try:
        load_settings()
    except Failure as failure:
        yield CheckResult("settings", "problem", failure.message, failure.remedy)
    else:
        path = settings_path()
        yield CheckResult("settings", "good", f"Settings: {path if path.exists() else 'all as they come'}.")


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
            f"The game log cannot be kept in {folder}: {error}.",
            f"Make the folder yours: sudo chown -R {os.environ.get('USER', 'YOU')} {folder}   or set XDG_DATA_HOME.",
        )
        return
    if mode != "wal":
        yield CheckResult(
            "log",
            "problem",
            f"The disk under {folder} does not carry SQLite's WAL mode (a network disk?).",
            "Set XDG_DATA_HOME to a folder on this machine's own disk.",
        )
        return
    yield from _log(log_path())
    free = shutil.disk_usage(folder).free // 1_000_000
    if free < MEMORY_LEAST_MB:
        yield CheckResult("disk", "problem", f"Only {free} MB are free under {folder}.", "Make room before a game.")
    else:
        yield CheckResult("log", "good", f"The game log can be kept in {folder}; {free // 1000} GB are free.")


def _log(path: Path) -> Iterator[CheckResult]:
    """Is the game log that is there whole?"""
    from host.boards.examine import CheckResult

    if not path.exists():
        return
    try:
        base = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=1)
        try:
            (verdict,) = base.execute("PRAGMA quick_check").fetchone()
        finally:
            base.close()
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            yield CheckResult("log", "problem", f"{path} cannot be read: {error}.", "Whose file is it? ls -l shows it.")
        else:
            yield CheckResult("log", "note", f"A table runs now and holds {path}.")
        return
    except sqlite3.DatabaseError as error:
        verdict = str(error)
    if verdict != "ok":
        yield CheckResult("log", "problem", f"{path} is damaged: {verdict}.", f"Put it aside: mv {path} {path}.damaged")


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
            yield CheckResult(
                "page",
                "problem",
                f"Port {port} of the page cannot be used: {error.strerror}.",
                "Is the table running already? Else choose another: port = 8421 in settings.toml, or --port 8421.",
            )
            return
    yield CheckResult("page", "good", f"Port {port} is free for the page.")


def _cameras() -> Iterator[CheckResult]:
    """Camera devices, where the system lists them as files."""
    from host.boards.examine import CheckResult
    from host.link.ports import rights_remedy, users_of

    if not sys.platform.startswith("linux"):
        yield CheckResult("camera", "note", "Cameras are not listed on this system.", "./allfronts camera tries them.")
        return
    devices = sorted(Path("/dev").glob("video*"))
    if not devices:
        yield CheckResult(
            "camera",
            "note",
            "No camera is plugged in.",
            "A webcam, or a phone as camera by its stream address, is needed to play; the demo and films need none.",
        )
    for device in devices:
        label = Path("/sys/class/video4linux") / device.name / "name"
        name = label.read_text(errors="replace").strip() if label.exists() else "camera"
        if not os.access(device, os.R_OK | os.W_OK):
            remedy = rights_remedy(str(device))
            yield CheckResult("camera", "problem", f"{device} ({name}): you have no right to use it.", remedy)
            continue
        users = users_of(str(device))
        if users:
            yield CheckResult(
                "camera", "note", f"{device} ({name}) is in use by {', '.join(users)}.", "Close that first."
            )
        else:
            yield CheckResult("camera", "good", f"{device} ({name}) can be used.")
