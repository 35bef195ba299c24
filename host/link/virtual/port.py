"""The controller without hardware behind a pseudo-terminal, so that pyserial, and any other program, can open it.

Only where the system has pseudo-terminals (Linux, macOS). Real time.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from host.link.virtual.controller import VirtualController, VirtualLine

_PAUSE_S: Final = 0.002


class VirtualPort:
    """A thread that carries bytes between a pseudo-terminal and a VirtualController. `port` is what to open.

    With `link`, that path is kept as a symbolic link to the pseudo-terminal, whose own name changes each time.
    """

    def __init__(self, controller: VirtualController, link: Path | None = None) -> None:
        self.controller = controller
        self.port = ""
        self._link = link
        self._master = -1
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> Self:
        """Open the pseudo-terminal; raises OSError where the system has none."""
        import tty

        self._master, slave = os.openpty()
        tty.setraw(slave)
        self.port = os.ttyname(slave)
        # The thread tells an opened port by the slave's being held by somebody, which must not be us.
        os.close(slave)
        os.set_blocking(self._master, False)
        if self._link is not None:
            fresh = self._link.with_name(self._link.name + ".new")
            fresh.symlink_to(self.port)
            fresh.replace(self._link)
            self.port = str(self._link)
        self._stopping.clear()
        self._thread = threading.Thread(target=self._carry, name="virtual-port", daemon=True)
        self._thread.start()
        return self

    def stop(self) -> None:
        """Gone, as a pulled cable: whoever has the port open gets an I/O error."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(5)
            self._thread = None
        if self._link is not None:
            self._link.unlink(missing_ok=True)
        if self._master >= 0:
            os.close(self._master)
            self._master = -1

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _carry(self) -> None:
        line: VirtualLine | None = None
        poller = select.poll()
        poller.register(self._master, select.POLLIN)
        while not self._stopping.is_set():
            events = poller.poll(0)
            held = not any(event & select.POLLHUP for _, event in events)
            if held and line is None and self.controller.plugged:
                line = self.controller.open()
            elif not held and line is not None:
                line.close()
                line = None
            if line is not None:
                try:
                    self._move(line)
                except OSError as fault:
                    if fault.errno != errno.EIO:
                        raise
                    line.close()  # unplugged, or the host has closed it in this very moment
                    line = None
            time.sleep(_PAUSE_S)
        if line is not None:
            line.close()

    def _move(self, line: VirtualLine) -> None:
        with contextlib.suppress(BlockingIOError):
            line.write(os.read(self._master, 4096))
        waiting = line.in_waiting
        if waiting:
            with contextlib.suppress(BlockingIOError):
                os.write(self._master, line.read(waiting))
