"""Eight hours of simulated evenings at speed: what they leave of memory, descriptors, threads and disk."""

from __future__ import annotations

import gc
import http.client
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from host.bench.figure import Figure, Measured
from host.bench.soak.table import LIES_S, PlayedTable, table_over
from host.demo.director import is_doomed
from host.session.session import Rules
from host.simulation.sensible_game import games
from host.web.access import Access, hosts
from host.web.app import make_app
from host.web.backend import TableBackend
from host.web.server import PageServer

HOURS: Final = 8.0
PAGES_EVERY: Final = 5
"""Scenes between two visits of a page that comes, looks and goes."""
SETTLED: Final = 0.25
"""Of the time, after which everything that is kept once is there; growth is counted from then on."""


@dataclass(frozen=True, slots=True)
class Use:
    """What the process holds."""

    memory_mb: float
    descriptors: int
    threads: int
    disk_mb: float
    entries: int

    @classmethod
    def now(cls, folder: Path, table: PlayedTable) -> Use:
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        disk = sum(file.stat().st_size for file in folder.iterdir())
        entries = sum(war.entries for war in table.session.log.wars())
        held = len(list(Path("/proc/self/fd").iterdir()))
        return cls(
            pages * os.sysconf("SC_PAGESIZE") / 1e6, held, threading.active_count(), disk / 1e6, entries
        )  # fmt: skip


def evenings(hours: float, seed: int = 1) -> tuple[Use, Use, int, int]:
    """What was held when it had settled and at the end, how many scenes were played, and how many pages went wrong."""
    with tempfile.TemporaryDirectory() as name, table_over(Path(name) / "games.db") as table:
        access = Access()
        backend = TableBackend(table.session, table.page, access, "soak")
        server = PageServer(make_app(backend, access, lambda: hosts(server.port, None)), ("127.0.0.1",), 0)
        server.start()
        settled: Use | None = None
        scenes = wrong = 0
        try:
            for scene in games(seed, "revised"):
                if table.t >= hours * 3600:
                    break
                if scene.kind == "deal" and not scene.truth.fought:
                    table.session.begin_war(Rules(first=scene.truth.state.first))
                if is_doomed(scene):
                    continue
                if scene.button is not None:
                    table.press(scene.button, held=scene.held)
                else:
                    table.show(scene)
                scenes += 1
                if scenes % PAGES_EVERY == 0:
                    wrong += not page_visited(server.port)
                if settled is None and table.t >= SETTLED * hours * 3600:
                    settled = Use.now(Path(name), table)
            return settled or Use.now(Path(name), table), Use.now(Path(name), table), scenes, wrong
        finally:
            server.close()


def page_visited(port: int) -> bool:
    """A page comes, listens for its first view, and goes."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30.0)) as talk:
        talk.request("GET", "/stream")
        answer = talk.getresponse()
        return answer.status == 200 and any(answer.readline().startswith(b"data: {") for _ in range(9))


def _measured(scale: float) -> Iterator[Measured]:
    settled, end, scenes, wrong = evenings(HOURS * scale)
    yield Measured(round(end.memory_mb - settled.memory_mb, 1), scenes, "memory-growth-MB")
    yield Measured(end.descriptors - settled.descriptors, scenes, "descriptors-growth")
    yield Measured(end.threads - settled.threads, scenes, "threads-growth")
    yield Measured(round(1000 * (end.disk_mb - settled.disk_mb) / max(1, end.entries - settled.entries), 2),
                   end.entries, "disk-kB-an-entry")  # fmt: skip
    yield Measured(wrong, scenes // PAGES_EVERY, "pages-failed")
    yield Measured(round(HOURS * scale, 2), round(HOURS * scale * 3600 / LIES_S), "simulated-hours")


FIGURE = Figure("soak.evenings", "", "eight simulated hours: growth after they have settled", _measured)
