"""What the demonstration says of itself at the end, in four languages."""

from __future__ import annotations

import pytest

from engine.events import BattleOver
from host.demo.show import BattleReport


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
