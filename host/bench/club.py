"""Club night at scale: pairing, and many simulated tables while the broker and the desk are killed.

Imports of `host.club` stand inside the functions, because only the extra `club` brings what it needs.
"""

from __future__ import annotations

import functools
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from host.bench.figure import Figure, Measured, Wish

if TYPE_CHECKING:
    from host.club.simulation.tables import SimulatedTable

TOURNAMENTS: Final = 1000
PAUSE_SECONDS: Final = 0.5
"""Between two entries of one table: a move in a quick game takes longer."""
ENTRIES_OF_A_THOUSAND: Final = 12
SECONDS_OF_A_THOUSAND: Final = 5.0
BURST_ENTRIES: Final = 30
BURST_SECONDS: Final = 0.2
"""As if a thousand tables had been cut off for a while and all came back at once."""
"""A thousand tables with an entry each five seconds are 200 entries a second."""


def _pairing(scale: float) -> Iterator[Measured]:
    from host.club.simulation.random_tournaments import BREACHES, tournament

    count, found = max(20, round(TOURNAMENTS * scale)), Counter[str]()
    for seed in range(count):
        found += tournament(seed)
        if seed % 20 == 19:
            sys.stderr.write(f"\r{seed + 1} tournaments, {sum(found[b] for b in BREACHES)} breaches  ")
    sys.stderr.write("\n")
    for name in ("rounds", "late", "dropped", "returned", "byes", "refused", *BREACHES):
        yield Measured(float(found[name]), count, name)


def _reached(tables: Sequence[SimulatedTable], entries: int) -> bool:
    return max(table.outbox.head().sequence for table in tables) >= entries


def _chaos(wish: Wish) -> Iterator[Measured]:
    """Simulated tables while broker and desk are killed (-9) and tables are cut off; every log must be equal."""
    import random
    import signal

    from host.bench.club_load import (
        ScreenReader,
        disturbances,
        night_with_desk,
        percentile,
        quartiles,
        steady,
        unequal_logs,
    )
    from host.club.simulation.night import until

    scale = wish.scale
    count, entries = wish.tables or max(4, round(64 * scale)), max(20, round(200 * scale))
    happening = disturbances(wish.seed, *(max(1, round(n * scale)) for n in (20, 10, 100)))
    rng = random.Random(wish.seed)
    with tempfile.TemporaryDirectory(prefix="allfronts-club-") as name:
        night, desk, store = night_with_desk(Path(name), count, None)
        try:
            desk.open_round(count)
            tables = steady(night, count, entries, PAUSE_SECONDS)
            screen = ScreenReader(desk.port)
            screen.start()
            fleet = night.play(tables)
            started = time.monotonic()
            quiet = entries // 4
            until(lambda: min(t.outbox.head().sequence for t in tables) >= quiet, "a quiet quarter", 600)
            undisturbed = list(screen.behind)
            made = [seconds for t in tables for seconds in t.acknowledged_after]
            for number, what in enumerate(happening, 1):
                due = quiet + (entries - quiet) * number // (len(happening) + 1)
                until(functools.partial(_reached, tables, due), "the tables to play on", 600)
                if what == "broker":
                    night.broker.kill()
                    night.broker.start()
                elif what == "desk":
                    desk.end(signal.SIGKILL)
                    desk.start()
                else:
                    fleet.cut(rng.choice(tables), 0.5 + 3 * rng.random())
                sys.stderr.write(f"\r{number} of {len(happening)} disturbances  ")
            until(lambda: all(t.outbox.head().sequence >= entries and t.finished for t in tables), "the rest", 600)
            took = time.monotonic() - started
            screen.stop.set()
            desk.end(signal.SIGTERM)
            unequal = unequal_logs(tables, store)
        finally:
            night.close()
            desk.end(signal.SIGKILL)
    sys.stderr.write("\n" + (f"not equal: {unequal}\n" if unequal else ""))
    yield Measured(float(count - len(unequal)), count, "logs-equal")
    yield Measured(float(sum(t.outbox.head().sequence for t in tables)), count, "entries")
    yield Measured(float(happening.count("broker")), 1, "broker-kills")
    yield Measured(float(happening.count("desk")), 1, "desk-kills")
    yield Measured(float(sum(t.cuts for t in tables)), 1, "tables-cut-off")
    yield Measured(quartiles(made)[0], len(made), "quiet-stored-p50-seconds")
    yield Measured(quartiles(made)[1], len(made), "quiet-stored-p95-seconds")
    yield Measured(percentile(undisturbed, 0.95), len(undisturbed), "quiet-screen-p95-seconds")
    yield Measured(percentile(screen.behind, 0.95), len(screen.behind), "screen-p95-seconds")
    yield Measured(took, 1, "seconds")


def _thousand(wish: Wish) -> Iterator[Measured]:
    """A thousand tables on one broker and one PostgreSQL; who is busy how much of the time says what bounds it."""
    import signal

    from host.bench.club_load import (
        ScreenReader,
        children,
        night_with_desk,
        percentile,
        processor_seconds,
        quartiles,
        steady,
        unequal_logs,
    )
    from host.bench.postgres_server import PostgresServer
    from host.club.simulation.night import until

    count, entries = wish.tables or max(10, round(1000 * wish.scale)), ENTRIES_OF_A_THOUSAND
    with tempfile.TemporaryDirectory(prefix="allfronts-club-") as name:
        Path(name).chmod(0o755)
        server = PostgresServer(Path(name) / "postgres")
        server.start()
        night, desk, _ = night_with_desk(Path(name) / "club", count, server.address)
        try:
            tables = steady(night, count, entries, SECONDS_OF_A_THOUSAND)
            desk.open_round(count)
            started = time.monotonic()
            fleet = night.play(tables)
            until(lambda: all(t.connection is not None and t.connection.up for t in tables), "all connections", 900)
            joined = time.monotonic() - started
            screen = ScreenReader(desk.port)
            screen.start()
            assert desk.process is not None and night.broker.pid is not None and server.pid is not None
            busy = {"desk": [desk.process.pid], "broker": [night.broker.pid], "postgres": [server.pid]}
            busy["postgres"] += children(server.pid)
            busy["tables"] = [os.getpid()]
            before = {who: sum(map(processor_seconds, pids)) for who, pids in busy.items()}
            begun, at = time.monotonic(), sum(t.sending.acknowledged for t in tables)
            until(lambda: all(t.outbox.head().sequence >= entries and t.finished for t in tables), "the entries", 900)
            took = time.monotonic() - begun
            after = {who: sum(map(processor_seconds, pids)) for who, pids in busy.items()}
            made = [seconds for t in tables for seconds in t.acknowledged_after[-entries // 2 :]]
            stored = sum(t.sending.acknowledged for t in tables) - at
            behind = list(screen.behind)
            fleet.close()
            burst = steady(night, count, BURST_ENTRIES, BURST_SECONDS)
            busy_before = {who: sum(map(processor_seconds, pids)) for who, pids in busy.items()}
            begun = time.monotonic()
            night.play(burst)
            until(lambda: all(t.outbox.head().sequence >= BURST_ENTRIES and t.finished for t in burst), "them all", 900)
            burst_took = time.monotonic() - begun
            busy_after = {who: sum(map(processor_seconds, pids)) for who, pids in busy.items()}
            screen.stop.set()
            desk.end(signal.SIGTERM)
            unequal = unequal_logs([*tables, *burst], server.address)
        finally:
            night.close()
            desk.end(signal.SIGKILL)
            server.stop()
    yield Measured(float(2 * count - len(unequal)), 2 * count, "logs-equal")
    yield Measured(joined, count, "joined-seconds")
    yield Measured(stored / took, stored, "entries-a-second")
    yield Measured(quartiles(made)[0], len(made), "stored-p50-seconds")
    yield Measured(quartiles(made)[1], len(made), "stored-p95-seconds")
    yield Measured(percentile(behind, 0.95), len(behind), "screen-p95-seconds")
    for who in busy:
        yield Measured((after[who] - before[who]) / took, 1, f"{who}-processors")
    yield Measured(count * BURST_ENTRIES / burst_took, count * BURST_ENTRIES, "burst-entries-a-second")
    for who in busy:
        used = busy_after[who] - busy_before[who]
        yield Measured(used / burst_took, 1, f"burst-{who}-processors")
        yield Measured(1000 * used / (count * BURST_ENTRIES), count * BURST_ENTRIES, f"burst-{who}-ms-an-entry")


FIGURES: Final = (
    Figure("club.chaos", "", "64 tables x 200 entries, broker and desk killed, tables cut off", at_length=_chaos),
    Figure("club.thousand", "", "1,000 tables, one broker, one PostgreSQL: who is busy", at_length=_thousand),
    Figure("club.pairing", "count", "random tournaments: rounds, breaches of what pairing promises", _pairing),
)
