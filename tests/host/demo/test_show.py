"""What the demonstration says of itself at the end, in four languages, and what it keeps while it is left on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine.events import BattleOver
from host.demo import show
from host.demo.show import WARS_KEPT, BattleReport, DemoShow
from host.lights.frame import LightFrame
from host.session.memory_log import MemoryLog
from host.session.picture_store import PictureStore
from host.session.source_events import SourceNotice
from host.sinks.lights import LightsSink
from host.web.access import Access


def report(end: BattleOver | None) -> BattleReport:
    return BattleReport(
        played=12, found=12, missed=(), invented=(), slips=1, slips_found=1, frames=20, frames_wrong=0,
        end=end, result_right=end is not None, seconds=14.25,
    )  # fmt: skip


PLAYED_OUT = BattleOver("near", 6, "played-out", {"near": 6, "far": 0})


def test_the_report_of_a_battle_in_english() -> None:
    assert report(PLAYED_OUT).text("en").splitlines() == [
        "near wins the battle (played out): near 6, far 0",
        "moves read: 12 of 12; missed 0, invented 0",
        "mistakes found and put right: 1 of 1",
        "light frames right: 20 of 20",
        "All as it was played, in 14.2 s",
    ]
    assert report(None).text("en").startswith("The battle did not end.\n")
    assert "NOT as it was played" in report(None).text("en")


@pytest.mark.parametrize(
    ("language", "winner", "verdict"),
    [
        ("ru", "битву выигрывает ближний (доиграна)", "Всё так, как было сыграно"),
        ("uk", "битву виграє ближній (дограно)", "Усе так, як було зіграно"),
        ("pl", "bitwę wygrywa bliższy (rozegrana do końca)", "Wszystko tak, jak zagrano"),
    ],
)
def test_the_report_of_a_battle_in_the_readers_language(language: str, winner: str, verdict: str) -> None:
    said = report(PLAYED_OUT).text(language)
    assert said.startswith(winner) and verdict in said


class Camera:
    """A picture for each step, at once."""

    light_bars = None

    def film(self, steps: Iterable[Any], fps: float) -> Iterator[Any]:
        for number, _ in enumerate(steps):
            yield SimpleNamespace(t=number / fps, image=np.zeros((2, 2, 3), np.uint8), still=number)


class Lights:
    """Lights that show whatever they are asked to."""

    def show(self, frame: LightFrame) -> None:
        """Nothing is lit."""

    def close(self) -> None:
        """Nothing is held."""


@pytest.mark.parametrize("kept", [1, WARS_KEPT])
def test_a_demonstration_that_is_left_on_keeps_its_newest_wars_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    """Given a demonstration on a screen that nobody switches off, when it has played for days, then it holds no more
    than its newest wars, or the running one alone where nobody looks at them afterwards."""
    monkeypatch.setattr(show, "demo_camera", Camera)
    monkeypatch.setattr(show, "demo_deck", lambda camera: None)
    monkeypatch.setattr(show, "TableWatcher", lambda deck: SimpleNamespace(forget=lambda: None, registration=None))
    # As fast as pictures are taken.
    monkeypatch.setattr("host.demo.director.Director._wait_for", lambda director, due: due)
    log, pictures = (MemoryLog(), PictureStore(tmp_path, 10_000_000)) if kept > 1 else (None, None)
    shown = DemoShow("revised", 7, Access(), "test", log=log, pictures=pictures)
    shown.session.subscribe(LightsSink(Lights(), shown.frames_shown.append))
    shown.director.understood = lambda scene: True
    wars: list[str] = []
    for _ in shown.director:
        shown.session.source(SourceNotice("table-found"), float(len(wars)))
        if shown.session.war not in wars:
            wars.append(shown.session.war)
            if pictures is not None:
                pictures.keep(wars[-1], 1, np.zeros((8, 8, 3), np.uint8))
        if len(wars) == WARS_KEPT + 4:
            break
    shown.close()

    held = [war.id for war in shown.session.log.wars()]
    assert held == wars[::-1][:kept]
    assert {entry.war for entry in shown.session.log.entries()} <= set(held)
    if pictures is not None:
        assert [bool(pictures.entries(war)) for war in wars] == [False] * 4 + [True] * WARS_KEPT
    assert len(shown.director.played) <= 1
    assert len(shown.frames_shown) <= 2
