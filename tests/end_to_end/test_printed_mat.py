"""A game on a mat that is printed all over: a player says once that no card lies there, and every move is taken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.names import THEATERS, Face
from engine.places import Place
from host.app.kept_empty_table import KeptEmptyTable
from host.app.table import assemble
from host.session.memory_log import MemoryLog
from host.session.session import Rules, Session
from host.sinks.event_lines import EventLine, EventLines
from host.web.access import Access
from host.web.view_serializer import localised
from vision.profile import DeckProfile
from vision.simulate import EMPTY, SimulatedCamera
from vision.simulate.conditions import CONDITIONS
from vision.tracking.table_watcher import TableWatcher

FPS = 4.0
Cards = dict[Place, tuple[Face, ...]]
MOVES: tuple[Cards, ...] = (
    {("A", "near"): ("A6",)},
    {("A", "near"): ("A6",), ("S", "far"): ("S6",)},
    {("A", "near"): ("A6", "-"), ("S", "far"): ("S6",)},
)


class Game:
    """A running table over a printed mat."""

    def __init__(self, deck: DeckProfile, folder: Path) -> None:
        self._deck = deck
        self.camera = SimulatedCamera("bright", 26, condition=replace(CONDITIONS["day"], pattern="map"))
        self._log, self._folder = MemoryLog(), folder
        self._t = 0.0
        self.start(resume=False)

    def start(self, resume: bool) -> None:
        """The program starts, as it does again over the same files after it was killed."""
        self.session = Session(self._log, Rules("revised", "near"), lambda: 0.0, resume=resume)
        kept = KeptEmptyTable(self._folder / "games.db")
        watcher = TableWatcher(self._deck, empty=kept.read(self.session.resumed), on_empty=kept.keep)
        self.table = assemble(self.session, watcher, Access(), "x")
        self.moves: list[tuple[str, str, str | None]] = []
        self.session.subscribe(EventLines(self.note, lambda: self._t))

    def note(self, line: EventLine) -> None:
        assert line["event"] not in ("violation", "unsure")
        if line["event"] == "move":
            self.moves.append((line["move"]["by"], line["move"]["do"], line["move"]["card"]))

    def lies(self, board: Cards, seconds: float) -> None:
        lying = self.camera.lay({**EMPTY, **board}, THEATERS)
        for _ in range(round(seconds * FPS)):
            self.table.tracker.frame(self.camera.picture(lying), self._t)
            self._t += 1 / FPS

    @property
    def view(self) -> Any:
        newest = self.table.page.broadcaster.newest
        assert newest is not None
        return localised(newest.view, "en", "near", "x")  # type: ignore[arg-type]


@pytest.fixture
def game(simulated_deck: DeckProfile, tmp_path: Path) -> Game:
    return Game(simulated_deck, tmp_path)


def test_once_a_player_has_said_that_no_card_lies_there_every_move_is_taken(game: Game) -> None:
    # Given a table on such a mat, of which the page circles what may be a card,
    game.lies({}, 3.0)
    assert len(game.view["obstacles"]) > 1 and game.view["blind"] is None
    offer = game.view["empty"]
    assert offer["text"] == "No card lies on the table"
    # when a player says that none is there,
    game.table.backend.act("near", "empty", {"places": offer["places"], "at": game.session.said})
    game.lies({}, 2.0)
    # then nothing is circled any more, and the game is followed.
    assert game.view["obstacles"] == [] and game.view["empty"] is None
    for board in MOVES:
        game.lies(board, 2.5)
        assert game.view["obstacles"] == []
    assert game.moves == [("near", "deploy", "A6"), ("far", "deploy", "S6"), ("near", "improvise", None)]


def test_a_game_that_is_gone_on_with_needs_no_telling_though_cards_lie_there(game: Game) -> None:
    # Given a game on such a mat, which was learnt, and whose program is killed after two moves,
    game.lies({}, 3.0)
    game.table.backend.act("near", "empty", {"places": game.view["empty"]["places"], "at": game.session.said})
    game.lies({}, 2.0)
    for board in MOVES[:2]:
        game.lies(board, 2.5)
    # when it starts again over what lies there,
    game.start(resume=True)
    game.lies(MOVES[1], 2.5)
    # then nothing is circled, nothing is asked, and the next move is taken.
    assert game.view["obstacles"] == [] and game.view["empty"] is None
    game.lies(MOVES[2], 2.5)
    assert game.moves == [("near", "improvise", None)]
