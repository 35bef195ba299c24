"""Ctrl-C in the instant in which the club's broker starts."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from host.app.shutdown import stopped_by_signal
from host.club.simulation.night import CLUB, free_port
from host.club.wire.accounts import Accounts
from host.club.wire.broker import Broker, BrokerListener


def test_a_broker_whose_start_a_signal_cuts_off_does_not_live_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    accounts = Accounts(tmp_path / "accounts.json")
    accounts.make(["t1"])
    broker = Broker(tmp_path / "broker", CLUB, accounts, [BrokerListener("127.0.0.1", free_port(), tls=False)])
    broker.write_files()
    started: list[subprocess.Popen[bytes]] = []

    class Cut(subprocess.Popen[bytes]):
        """A process that runs already when the signal comes, and of which nobody knows yet."""

        def __init__(self, *words: Any, **named: Any) -> None:
            super().__init__(*words, **named)
            started.append(self)
            signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(subprocess, "Popen", Cut)
    try:
        with stopped_by_signal(), pytest.raises(KeyboardInterrupt):
            broker.start()
        assert broker.running
        broker.stop()
        assert [process.poll() for process in started] != [None]
    finally:
        for process in started:
            process.kill()
            process.wait(10)
