"""Mosquitto, started with a generated configuration: TLS with the club's certificate, an account for each table, and
access rules by topic. Where a broker is given by address, none of this is used."""

from __future__ import annotations

import fcntl
import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.failure import BadInput, Failure
from host.club.wire.accounts import DESK, Accounts
from host.club.wire.join_code import JoinCode
from host.club.wire.topics import Topics
from host.held_signals import signals_held

_START_SECONDS: Final = 20.0
_END_SECONDS: Final = 5.0
_LARGEST_MESSAGE: Final = 262_144
_PATH: Final = "/usr/sbin:/sbin:/usr/local/sbin:/opt/homebrew/sbin"


def mosquitto_program() -> str | None:
    """Where Mosquitto is installed, or None. Debian keeps it off an ordinary user's path."""
    return shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:{_PATH}")


@dataclass(frozen=True, slots=True)
class BrokerListener:
    """Where the broker listens. Without TLS it must be this machine."""

    address: str
    port: int
    tls: bool = True


@dataclass(frozen=True, slots=True)
class Bridge:
    """A broker of another room or town, to which this one passes its tables' messages and from which it takes the
    desk's. `code` is that of an account there whose name begins with `bridge-`; `certificate` is that broker's."""

    code: JoinCode
    certificate: Path | None = None


def access_rules(club: str, accounts: Accounts) -> str:
    """Mosquitto's ACL file: the desk has the club's topics, a table its own, everybody reads the notice."""
    topics = Topics(club)
    lines = [f"user {DESK}", f"topic readwrite {topics.root}/#", ""]
    for bridge in accounts.bridges():
        lines += [f"user {bridge}", f"topic write {topics.root}/t/#"]
        lines += [f"topic read {topic}" for topic in _to_tables(topics)] + [""]
    lines += [
        f"pattern readwrite {topics.root}/t/%u/#",
        f"pattern read {topics.acknowledged('%u')}",
        f"pattern read {topics.assignment('%u')}",
        f"pattern read {topics.notice}",
    ]
    return "\n".join(lines) + "\n"


def _to_tables(topics: Topics) -> tuple[str, ...]:
    return (f"{topics.root}/ack/#", f"{topics.root}/match/#", topics.notice)


def configuration(folder: Path, club: str, listeners: Sequence[BrokerListener], bridge: Bridge | None = None) -> str:
    """Mosquitto's configuration file."""
    lines = [
        f"user {getpass.getuser()}",
        "per_listener_settings false",
        "allow_anonymous false",
        f"password_file {folder / 'passwords'}",
        f"acl_file {folder / 'access'}",
        # Retained messages come back after a restart; the tables' logs do not depend on it.
        "persistence true",
        f"persistence_location {folder}/",
        "autosave_interval 60",
        f"message_size_limit {_LARGEST_MESSAGE}",
        "max_queued_messages 2000",
        "max_inflight_messages 40",
        "log_dest stderr",
        "log_type error",
        "log_type warning",
        "connection_messages false",
    ]
    for listener in listeners:
        lines += ["", f"listener {listener.port} {listener.address}"]
        if listener.tls:
            lines += [f"certfile {folder / 'club.crt'}", f"keyfile {folder / 'club.key'}", "tls_version tlsv1.2"]
    if bridge is not None:
        code, topics = bridge.code, Topics(club)
        lines += [
            "",
            "connection club",
            f"address {code.host}:{code.port}",
            f"remote_username {code.account}",
            f"remote_password {code.password}",
            f"local_clientid {code.account}",
            f"remote_clientid {code.account}",
            "bridge_protocol_version mqttv311",
            "cleansession true",
            "notifications false",
            "try_private true",
            "restart_timeout 1 5",
            f"topic {topics.root}/t/# out 1",
            *(f"topic {topic} in 1" for topic in _to_tables(topics)),
        ]
        if bridge.certificate is not None:
            lines += [f"bridge_cafile {bridge.certificate}", "bridge_insecure true"]
    return "\n".join(lines) + "\n"


class Broker:
    """A Mosquitto of this club, whose files lie in `folder`. Raises `BadInput` (`no-mosquitto`)."""

    def __init__(
        self,
        folder: Path,
        club: str,
        accounts: Accounts,
        listeners: Sequence[BrokerListener],
        bridge: Bridge | None = None,
    ) -> None:
        program = mosquitto_program()
        if program is None:
            raise BadInput(
                "no-mosquitto",
                "The broker Mosquitto is not installed.",
                "Type: sudo apt-get install mosquitto. Or name a broker that runs: --broker mqtts://…",
            )
        if any(not listener.tls and listener.address not in ("127.0.0.1", "::1") for listener in listeners):
            raise BadInput("plain-broker", "Without TLS the broker listens on this machine only.", "Use TLS.")
        self._program = program
        self._folder = folder.resolve()
        self._club = club
        self._accounts = accounts
        self._listeners = tuple(listeners)
        self._bridge = bridge
        self._process: subprocess.Popen[bytes] | None = None
        self._lock: int | None = None
        """Held while the broker is ours; the system takes it off however this program ends."""

    def write_files(self) -> None:
        """Writes the configuration, the passwords and the access rules."""
        self.write_accounts()
        _private(
            self._folder / "mosquitto.conf", configuration(self._folder, self._club, self._listeners, self._bridge)
        )

    def write_accounts(self) -> None:
        """Writes the passwords (hashed by Mosquitto's own tool) and the access rules."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._folder.chmod(0o700)
        passwords = self._folder / "passwords.new"
        text = "".join(f"{name}:{password}\n" for name, password in self._accounts.passwords.items())
        _private(passwords, text)
        tool = shutil.which("mosquitto_passwd") or "mosquitto_passwd"
        done = subprocess.run([tool, "-U", str(passwords)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failure("broker", f"The broker's passwords could not be written: {done.stderr.strip()[-200:]}")
        passwords.replace(self._folder / "passwords")
        _private(self._folder / "access", access_rules(self._club, self._accounts))

    def start(self) -> None:
        """Starts Mosquitto and returns when it listens. Raises `Failure` (`broker`) with what it said."""
        if self._alone():
            self._end_abandoned()
        for listener in self._listeners:
            if _listens(listener):
                # Mosquitto would end over it a moment after the other program had answered in its place.
                raise Failure(
                    "broker",
                    f"The broker did not start: another program listens on port {listener.port}.",
                    "Stop that one, or choose another port with --broker-port.",
                )
        log = self._folder / "mosquitto.log"
        # A Mosquitto that a signal cut off from the line that remembers it would live on.
        with log.open("wb") as written, signals_held():
            self._process = subprocess.Popen(
                [self._program, "-c", str(self._folder / "mosquitto.conf")],
                stdout=written,
                stderr=written,
                stdin=subprocess.DEVNULL,
            )
        until = time.monotonic() + _START_SECONDS
        # Alive after the answer: a broker that has ended did not give it.
        while not (all(_listens(listener) for listener in self._listeners) and self.running):
            if not self.running or time.monotonic() > until:
                self.stop()
                said = log.read_text("utf-8", "replace").strip().splitlines()
                raise Failure(
                    "broker",
                    f"The broker did not start: {said[-1] if said else 'it said nothing'}",
                    f"Is port {self._listeners[0].port} in use? Choose another with --broker-port.",
                )
            time.sleep(0.02)

    def _alone(self) -> bool:
        """Whether no other program that lives has started a broker of these files."""
        if self._lock is None:
            lock = os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                return False
            self._lock = lock
        return True

    def _end_abandoned(self) -> None:
        """Ends the broker of a desk that was killed: it has the port, and nobody else knows what it is."""
        left = [pid for pid in _started_with(self._folder / "mosquitto.conf") if pid != self.pid]
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        until = time.monotonic() + _END_SECONDS
        while left and any(map(_listens, self._listeners)) and time.monotonic() < until:
            time.sleep(0.02)

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def reload(self) -> None:
        """Takes up new accounts without cutting anybody off."""
        self.write_files()
        if self._process is not None and self.running:
            self._process.send_signal(signal.SIGHUP)

    def stop(self) -> None:
        """Ends the broker in order."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """Ends the broker as a crash would."""
        self._end(signal.SIGKILL)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            if self._process.poll() is None:
                self._process.send_signal(number)
            self._process.wait(timeout=20)
        self._process = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _started_with(configuration: Path) -> list[int]:
    """The processes of this person that were started as `PROGRAM -c CONFIGURATION`, where the system tells."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().split(b"\0")
            if words[1:] == [b"-c", os.fsencode(configuration), b""] and process.stat().st_uid == os.getuid():
                found.append(int(process.name))
    return found


def _private(path: Path, text: str) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)


def _listens(listener: BrokerListener) -> bool:
    host = "127.0.0.1" if listener.address in ("0.0.0.0", "") else listener.address
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.settimeout(1.0)
        return probe.connect_ex((host, listener.port)) == 0
