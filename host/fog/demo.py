"""The demonstration: two simulated players take their turns on the small map, and the page shows every step."""

from __future__ import annotations

import threading
from random import Random
from typing import Any, Final

from engine.fog.board_file import built_in
from engine.fog.simulation import Simulation
from host.fog.table import FogTable

PAUSE_SECONDS: Final = 1.6
"""Between two actions: time to read what the last one led to."""
SEED: Final = 854
"""A game that goes through all five years."""
CAUSE: Final = {"by": "demonstration"}


class FogDemo:
    """Plays a whole game by itself. `start` it, `close` it; the page pauses it, steps it and begins it again."""

    def __init__(self, table: FogTable, seed: int = SEED, pause_seconds: float = PAUSE_SECONDS) -> None:
        self._table = table
        self._seed = seed
        self._pause_seconds = pause_seconds
        self._changed = threading.Condition()
        self._paused = self._closed = False
        self._steps = 0
        self._players = self._begin()
        self._thread = threading.Thread(target=self._run, name="demonstration", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout=3)

    def wait(self, seconds: float | None = None) -> bool:
        """Waits for the end of the game; True if it ended."""
        with self._changed:
            return self._changed.wait_for(self._over, seconds)

    def shown(self) -> dict[str, Any]:
        return {"paused": self._paused}

    def do(self, what: str, speed: float | None) -> bool:
        """`pause`, `go-on`, `step` or `replay`; False for anything else."""
        with self._changed:
            if what not in ("pause", "go-on", "step", "replay"):
                return False
            if what == "replay":
                self._players = self._begin()
            self._paused = what in ("pause", "step") or (what == "replay" and self._paused)
            self._steps += what == "step"
            self._changed.notify_all()
        return True

    def _begin(self) -> Simulation:
        board = built_in("demo")
        self._table.begin(board)
        return Simulation(board, Random(self._seed))

    def _over(self) -> bool:
        return self._table.change.history.game.state.phase == "over"

    def _run(self) -> None:
        with self._changed:
            while not self._closed:
                if self._over() or (self._paused and not self._steps):
                    self._changed.notify_all()
                    self._changed.wait()
                    continue
                self._steps = max(0, self._steps - 1)
                self._step()
                if not self._steps:
                    # A press of a button ends the wait early.
                    self._changed.wait(self._pause_seconds)

    def _step(self) -> None:
        before = self._table.change.history.game
        action = self._players.choose(before)
        self._table.apply(action, CAUSE)
        self._players.follow(before, action, self._table.change.history.game)
