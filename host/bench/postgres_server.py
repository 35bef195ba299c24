"""A PostgreSQL server of its own in a folder, on a Unix socket only: for measurements and tests, never for a club."""

from __future__ import annotations

import os
import pwd
import signal
import subprocess
import time
from pathlib import Path

from engine.failure import BadInput, Failure

_START_SECONDS = 60.0


def postgres_programs() -> Path | None:
    """The folder with `initdb` and `postgres` (Debian keeps them off the path), or None where there is none."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: int(p.parent.name.split(".")[0]))
    return next(
        (f for f in reversed(folders) if all((f / p).exists() for p in ("postgres", "initdb", "pg_isready"))), None
    )


class PostgresServer:
    """A server whose data lie in `folder`. It refuses to run as root, so root starts it as the user `postgres`, who
    must be able to reach the folder."""

    def __init__(self, folder: Path) -> None:
        """Makes the data folder; raises `BadInput` (`no-postgres`) where PostgreSQL is not installed."""
        programs = postgres_programs()
        if programs is None:
            raise BadInput("no-postgres", "PostgreSQL is not installed.", "Type: sudo apt-get install postgresql-15")
        self._programs = programs
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        self._before: list[str] = []
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(folder, owner.pw_uid, owner.pw_gid)
            self._before = ["runuser", "-u", "postgres", "--"]
        self._run(
            [str(programs / "initdb"), "-D", str(self.data), "-U", "desk", "-A", "trust", "-E", "UTF8", "--no-sync"]
        )

    @property
    def data(self) -> Path:
        return self._folder / "data"

    @property
    def address(self) -> str:
        """What `--store` takes."""
        return f"postgresql://desk@/postgres?host={self._folder}"

    def _run(self, command: list[str]) -> None:
        done = subprocess.run([*self._before, *command], capture_output=True, text=True, check=False, cwd=self._folder)
        if done.returncode:
            raise Failure("postgres", f"PostgreSQL could not be set up: {done.stderr.strip()[-300:]}")

    def start(self) -> None:
        """Starts the server and returns when it answers."""
        options = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={self._folder}"]
        with (self._folder.parent / f"{self._folder.name}.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*self._before, str(self._programs / "postgres"), "-D", str(self.data), *options],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                cwd=self._folder,
            )
        ready = [str(self._programs / "pg_isready"), "-q", "-h", str(self._folder), "-U", "desk"]
        until = time.monotonic() + _START_SECONDS
        while subprocess.run(ready, check=False).returncode:
            if time.monotonic() > until or self._process.poll() is not None:
                raise Failure("postgres", "PostgreSQL did not start.")
            time.sleep(0.05)

    @property
    def pid(self) -> int | None:
        """The server's first process, which starts the others."""
        path = self.data / "postmaster.pid"
        return int(path.read_text().splitlines()[0]) if path.exists() else None

    def kill(self) -> None:
        """Ends the server at once, as a loss of power would: nothing is written first."""
        self._signal(signal.SIGQUIT)

    def stop(self) -> None:
        """Ends the server in order."""
        self._signal(signal.SIGINT)

    def _signal(self, number: signal.Signals) -> None:
        if self._process is None:
            return
        if self.pid is not None:
            os.kill(self.pid, number)
        self._process.wait(timeout=30)
        self._process = None
