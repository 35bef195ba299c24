"""What is said of a card that is destroyed: by which card, in the edition's own word."""

from __future__ import annotations

import pytest

from engine import Move, play, start
from engine.battle import destruction
from engine.events import MoveMade
from engine.names import Card
from engine.state import board
from host.messages.message import message_of


@pytest.mark.parametrize(("edition", "words"), [("revised", "destroys it"), ("first", "discards it")])
def test_given_containment_when_a_card_is_played_face_down_then_it_is_said_what_destroys_it(
    edition: str, words: str
) -> None:
    contained = play(start(edition, "ALS", "near"), Move("deploy", "near", Card("A5"), "A"))
    hidden = Move("improvise", "far", None, "L")
    lost = destruction(contained, hidden)
    assert lost is not None
    after = play(contained, hidden)
    said = message_of(MoveMade(hidden, after, True, lost.by_card), board(after), None)
    assert said is not None
    text = said.text("en")
    assert words in text and "Air 5" in text
