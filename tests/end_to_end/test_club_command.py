"""`allfronts club` as a person starts it: the demonstration checks itself, and a signal ends everything in order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from host.club.simulation.night import free_port, until
from host.club.wire.broker import mosquitto_program


@pytest.fixture(autouse=True)
def _mosquitto() -> None:
    if mosquitto_program() is None:
        pytest.skip("needs mosquitto")


def club(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "host", "club", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)},
        cwd=Path(__file__).parents[2],
    )


def test_the_demonstration_plays_three_rounds_at_eight_tables_and_checks_itself(tmp_path: Path) -> None:
    process = club(tmp_path, "--demo", "--until-end")
    told, complained = process.communicate(timeout=300)

    assert process.returncode == 0, complained
    assert "3 rounds, 24 results that arrived by themselves" in told
    assert "all logs equal" in told


def test_a_broker_that_dies_is_started_again_and_a_signal_ends_it_all(tmp_path: Path) -> None:
    port = free_port()
    process = club(tmp_path, "--broker-port", str(port), "--http", "0")
    try:
        assert process.stdout is not None
        assert "The organiser's page: http://127.0.0.1:" in process.stdout.readline()
        first = broker_of(process.pid)
        os.kill(first, signal.SIGKILL)
        until(lambda: broker_of(process.pid) not in (0, first), "another broker")
    finally:
        process.terminate()
        process.communicate(timeout=60)
    assert process.returncode == 130
    assert not Path(f"/proc/{first}").exists()


def broker_of(pid: int) -> int:
    """The running Mosquitto that a process has started; 0 where there is none."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            status = Path(f"/proc/{child}/status").read_text()
            if "mosquitto" in status.splitlines()[0] and "State:\tZ" not in status:
                return int(child)
    return 0
