"""What the club's tests share: the real servers of the distribution, skipped by name where they are absent."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from host.bench.postgres_server import PostgresServer, postgres_programs
from host.club.simulation.night import ClubNight
from host.club.wire.broker import mosquitto_program


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A running PostgreSQL of its own."""
    if postgres_programs() is None:
        pytest.skip("needs postgresql")
    # Not under pytest's own folder: the server runs as another user, who may not look into it.
    with tempfile.TemporaryDirectory(prefix="allfronts-postgres-") as folder:
        Path(folder).chmod(0o755)
        server = PostgresServer(Path(folder) / "server")
        server.start()
        yield server
        server.stop()


@pytest.fixture
def club_night(tmp_path: Path) -> Iterator[Callable[[int], ClubNight]]:
    """Makes a club night with a running broker for that many tables."""
    if mosquitto_program() is None:
        pytest.skip("needs mosquitto")
    made: list[ClubNight] = []

    def make(tables: int) -> ClubNight:
        made.append(ClubNight(tmp_path / f"night-{len(made)}", tables))
        return made[-1]

    yield make
    for night in made:
        night.close()
