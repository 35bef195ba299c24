"""The club's broker is started where something listens already."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from engine.failure import Failure
from host.club.simulation.night import CLUB, free_port
from host.club.wire.accounts import Accounts
from host.club.wire.broker import Broker, BrokerListener, mosquitto_program

pytestmark = pytest.mark.skipif(mosquitto_program() is None, reason="needs mosquitto")


def made(folder: Path, *ports: int) -> Broker:
    listeners = [BrokerListener("127.0.0.1", port, tls=False) for port in ports]
    broker = Broker(folder / "broker", CLUB, Accounts(folder / "accounts.json"), listeners)
    broker.write_files()
    return broker


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
