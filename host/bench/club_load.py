"""A club under load: the desk as a process of its own, a real broker, and simulated tables; killed and cut off."""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from host.club.simulation.night import CLUB, ClubNight, free_port, until
from host.club.simulation.tables import SimulatedTable, Steady
from host.club.store.opening import open_store
from host.club.wire.accounts import DESK

CLOCK_TICKS: Final = os.sysconf("SC_CLK_TCK")


class DeskProcess:
    """`allfronts club` with a broker given by address, as a process that can be killed."""

    def __init__(self, night: ClubNight, data: Path, store: str, tables: int) -> None:
        self._command = [sys.executable, "-P", "-m", "host", "club", "--club", CLUB, "--tables", str(tables)]
        self.port = free_port()
        self._command += ["--http", str(self.port), "--store", store, "--broker", str(night.code(DESK))]
        self._data = data
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with (self._data / "desk.log").open("ab") as log:
            self.process = subprocess.Popen(
                self._command, env={**os.environ, "XDG_DATA_HOME": str(self._data)}, stdout=log, stderr=log
            )
        until(self.answers, "the desk's page", 120)

    def answers(self) -> bool:
        if self.process is None or self.process.poll() is not None:
            self.start()
        try:
            return self.get("/screen/now").startswith("{")
        except OSError:
            return False

    def get(self, path: str) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", path)
            return connection.getresponse().read().decode()
        finally:
            connection.close()

    def post(self, action: str, **fields: object) -> None:
        found = re.search(r'name="csrf" value="(\w+)"', self.get("/"))
        sent = urllib.parse.urlencode({"csrf": found[1] if found else "", **fields})
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        connection.request("POST", f"/do/{action}", sent, {"Content-Type": "application/x-www-form-urlencoded"})
        status = connection.getresponse().status
        connection.close()
        if status != 303:
            raise RuntimeError(f"the desk refused {action}: {status}")

    def open_round(self, tables: int) -> None:
        """Opens a tournament with two players a table and pairs its first round."""
        settings = {"system": "swiss", "rounds": 3, "target": 500, "minutes": 0, "delay": 0, "tie1": "difference"}
        self.post("open", name="Load", **settings)
        for first in range(1, 2 * tables + 1, 400):
            names = "\n".join(f"Player {n}" for n in range(first, min(first + 400, 2 * tables + 1)))
            self.post("enter", names=names, here="yes")
        self.post("pair")

    def end(self, number: signal.Signals) -> None:
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(timeout=60)
        self.process = None


class ScreenReader(threading.Thread):
    """A screen: reads the stream and measures how far behind the table each card is when it arrives."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._port = port
        self._seen: dict[str, float] = {}
        self.behind: list[float] = []
        self.stop = threading.Event()

    def run(self) -> None:
        while not self.stop.is_set():
            try:
                self._read()
            except (OSError, http.client.HTTPException):
                time.sleep(0.1)

    def _read(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=10)
        connection.request("GET", "/screen/stream")
        stream = connection.getresponse()
        # What is there when a screen connects is as old as it is; only what comes from then on is measured.
        first = True
        while not self.stop.is_set():
            line = stream.readline()
            if not line:
                return
            if line.startswith(b"data: "):
                self._take(json.loads(line[6:])["parts"], time.time(), first)
                first = False

    def _take(self, parts: dict[str, Any], now: float, first: bool) -> None:
        for name, part in parts.items():
            if name != "club" and part is not None and part["at"] > self._seen.get(name, 0.0):
                self._seen[name] = part["at"]
                if not first:
                    self.behind.append(now - part["at"])


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which that share of `values` lies; 0 where there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def processor_seconds(pid: int) -> float:
    """Seconds of processor time that a process and its children that ended have used (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) / CLOCK_TICKS


def children(pid: int) -> list[int]:
    """The processes that a process has started and that run (Linux)."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return found


def unequal_logs(tables: Sequence[SimulatedTable], store: str | Path) -> list[str]:
    """The accounts whose stored log is not, entry by entry, the table's own."""
    opened = open_store(store, CLUB)
    try:
        found = []
        for table in tables:
            head = table.outbox.head().sequence
            if opened.entries(table.outbox.log, 1, head + 10) != table.outbox.read(1, head + 10):
                found.append(table.code.account)
        if opened.refusals():
            found.append("refusals")
        return found
    finally:
        opened.close()


def night_with_desk(folder: Path, tables: int, store: str | None) -> tuple[ClubNight, DeskProcess, str]:
    """A broker and a desk process that share the club's accounts; the store's address comes third."""
    night = ClubNight(folder / "allfronts" / "clubs" / CLUB, tables)
    address = store or str(folder / "desk.db")
    desk = DeskProcess(night, folder, address, tables)
    desk.start()
    return night, desk, address


def disturbances(seed: int, brokers: int, desks: int, cuts: int) -> list[str]:
    """What happens to the club, in random order."""
    found = ["broker"] * brokers + ["desk"] * desks + ["cut"] * cuts
    random.Random(seed).shuffle(found)
    return found


def steady(night: ClubNight, count: int, entries: int, pause: float) -> list[SimulatedTable]:
    run = time.time_ns()
    return [
        SimulatedTable(night.code(f"t{n}"), Steady(n, entries, pause), f"load-{run}-{n}", time.time)
        for n in range(1, count + 1)
    ]


def quartiles(values: Sequence[float]) -> tuple[float, float]:
    """Median and 95th percentile; 0 where there are no values."""
    return (statistics.median(values) if values else 0.0, percentile(values, 0.95))
