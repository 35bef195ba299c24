"""A battle that a film shows and that two players follow on their phones: a mistake, undo and correction by consent, a
withdrawal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.names import Face, Seat, other
from engine.places import Place

LIMIT: Final = 60_000
NAMES: Final = {"near": "Anna", "far": "Boris"}
CORRECTED: Final = 3
"""The points that the first player is given by hand."""
WITHDRAWN: Final = 2
"""What an early withdrawal gives the other."""


class ScriptedBattle:
    """`first` lays Heavy Tanks; the other lays Super Battleship in Air, and then where it belongs."""

    def __init__(self, first: Seat) -> None:
        self.first, self.other = first, other(first)
        land: dict[Place, tuple[Face, ...]] = {("L", first): ("L6",)}
        self.tables = ({}, land, {**land, ("A", self.other): ("S6",)}, {**land, ("S", self.other): ("S6",)})

    @property
    def points(self) -> int:
        """The first player's when the battle is over."""
        return CORRECTED + WITHDRAWN

    def walk(self, phones: Mapping[Seat, Any], look: Callable[[Any, str], None]) -> None:
        """Everything that the players do on their phones; `look` holds each page to what must hold everywhere."""
        one, two = phones[self.first], phones[self.other]
        name = NAMES[self.first], NAMES[self.other]
        one.wait_for_selector(f"#seat-bottom .name:has-text('{name[0]} (you)')", timeout=LIMIT)

        # Given a card in the wrong theater, it is drawn where it lies, with an arrow, until it lies where it belongs.
        for phone in (one, two):
            phone.wait_for_selector(f".card[data-mark=wrong][data-place='A/{self.other}/0']", timeout=LIMIT)
        two.wait_for_selector(f".card[data-place='S/{self.other}/0']", timeout=LIMIT)
        two.wait_for_selector(".card[data-mark]", state="detached", timeout=LIMIT)
        two.wait_for_selector(".thing:has-text('The film has ended')", timeout=LIMIT)
        look(two, "played")

        # The other would take it back; the first player is asked, and agrees.
        two.click("#deeds [data-key=undo]")
        two.click("dialog button.main")
        one.wait_for_selector(f"dialog[open] .heading:has-text('{name[1]} asks')", timeout=LIMIT)
        look(one, "asked")
        one.click("dialog button:has-text('Agree')")
        # A dialog closes when the table moves on: each phone has seen that before the next one is opened.
        for phone in (one, two):
            phone.wait_for_selector("#now .mend:has-text('back')", timeout=LIMIT)
        look(two, "take-off")

        # The first player corrects the score, and the other agrees.
        one.click("#deeds [data-key=correct]")
        one.fill(f"dialog label:has-text('Score · {name[0]}') input", str(CORRECTED))
        look(one, "correct")
        one.click("dialog button:has-text('Save')")
        two.click("dialog button:has-text('Agree')", timeout=LIMIT)
        one.wait_for_selector(f"#seat-bottom .points:has-text('{CORRECTED} / 18')", timeout=LIMIT)
        two.wait_for_selector(f"#seat-top .points:has-text('{CORRECTED} / 18')", timeout=LIMIT)

        # The other withdraws.
        two.click(f"#deeds [data-key=withdraw-{self.other}]")
        two.click("dialog button.main")
        one.wait_for_selector("#now[data-kind=end]:has-text('You win the battle')", timeout=LIMIT)
        look(one, "won")
        one.wait_for_selector(f"#seat-bottom .points:has-text('{self.points} / 18')", timeout=LIMIT)
