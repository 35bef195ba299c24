"""The club's broker is started where something listens already."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from engine.failure import Failure
from host.club.simulation.night import CLUB, free_port
from host.club.wire.accounts import Accounts
from host.club.wire.broker import Broker, BrokerListener, mosquitto_program

ROOT = Path(__file__).resolve().parents[4]

pytestmark = pytest.mark.skipif(mosquitto_program() is None, reason="needs mosquitto")


def made(folder: Path, *ports: int) -> Broker:
    listeners = [BrokerListener("127.0.0.1", port, tls=False) for port in ports]
    broker = Broker(folder / "broker", CLUB, Accounts(folder / "accounts.json"), listeners)
    broker.write_files()
    return broker


def test_the_broker_of_a_desk_that_was_killed_makes_room(tmp_path: Path) -> None:
    """Given a desk that was killed while its broker ran, when it starts again, then it has its port."""
    port = free_port()
    killed = (
        "import os, sys; from pathlib import Path; from tests.host.club.wire.test_broker_start import made;"
        f"broker = made(Path({str(tmp_path)!r}), {port}); broker.start(); print(broker.pid, flush=True); os._exit(9)"
    )
    done = subprocess.run([sys.executable, "-c", killed], capture_output=True, text=True, check=False, cwd=ROOT)
    left = int(done.stdout)
    broker = made(tmp_path, port)

    broker.start()

    assert broker.running and broker.pid != left
    broker.stop()


def test_the_broker_of_a_desk_that_runs_is_left_alone(tmp_path: Path) -> None:
    port = free_port()
    first = made(tmp_path, port)
    first.start()

    with pytest.raises(Failure, match="another program listens"):
        made(tmp_path, port).start()

    assert first.running
    first.stop()


def test_a_port_that_another_program_has_is_told_and_the_broker_does_not_count_as_started(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        broker = made(tmp_path, free_port(), other.getsockname()[1])

        with pytest.raises(Failure, match=f"another program listens on port {other.getsockname()[1]}") as caught:
            broker.start()

    assert "--broker-port" in caught.value.remedy
    assert not broker.running
    broker.start()
    assert broker.running, "the port is free again"
    broker.stop()
