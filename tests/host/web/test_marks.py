"""Given a table that lies otherwise than the game has it, then each card that is amiss is marked where it lies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine.events import Option, Unsure
from engine.names import FACE_DOWN, SEATS
from engine.state import board
from host.messages import say
from host.web.marks import Arrow, drawn, marked
from host.web.view_serializer import localised
from tests.host.conftest import lay

Make = Callable[..., Any]
Battle = Callable[..., list[Any]]


def marks(game: Any) -> dict[str, str]:
    """The marked cards by place; those that are missing by their stack."""
    found: dict[str, str] = {}
    for theater in game.view.theaters:
        for seat in SEATS:
            for card in theater.sides[seat].drawn:
                if card.mark:
                    found[card.place or f"{theater.theater}/{seat}"] = card.mark
    return found


@pytest.fixture
def game(played: Make) -> Any:
    made = played()
    made.session.begin_war(made.session.rules.from_json({"first": "near"}))
    lay(made)
    lay(made, An="A6")
    return made


@pytest.mark.parametrize(
    ("meant", "lies", "expected"),
    [
        ((), ("A1",), [("A1", "wrong", "A/near/0")]),
        (("A1",), ("A1", "-"), [("A1", "", "A/near/0"), ("-", "wrong", "A/near/1")]),
        (("A1", "-"), ("A1", "L3"), [("A1", "", "A/near/0"), ("L3", "turn", "A/near/1")]),
        (("A1", "L6"), ("A1",), [("A1", "", "A/near/0"), ("L6", "missing", "")]),
        (("A1", "L6"), ("L6", "A1"), None),
    ],
)
def test_a_stack_is_drawn_as_it_lies_with_what_is_amiss(meant: Any, lies: Any, expected: Any) -> None:
    found = marked(meant, lies, ("A", "near"), "wrong")
    assert [card.face for card in found if card.mark != "missing"] == list(lies)
    if expected is not None:
        assert [(card.face, card.mark, card.place) for card in found] == expected


def test_a_card_in_the_wrong_theater_is_drawn_where_it_lies_with_an_arrow_to_its_own(game: Any) -> None:
    lay(game, An="A6", Sf="L6")
    assert game.view.violation is not None
    assert marks(game) == {"S/far/0": "wrong"}
    assert Arrow("S/far/0", "L/far") in game.view.arrows
    # What it adds to no strength is drawn all the same.
    sea = next(t for t in game.view.theaters if t.theater == "S")
    assert (sea.sides["far"].faces, sea.sides["far"].total) == ((), 0)
    lay(game, An="A6", Lf="L6")
    assert (marks(game), game.view.arrows) == ({}, ())


def test_a_card_laid_out_of_turn_goes_back_to_the_hand(game: Any) -> None:
    lay(game, An="A6", Ln="-")
    assert marks(game) == {"L/near/0": "wrong"}
    assert game.view.arrows == (Arrow("L/near/0", "hand/near"),)


def test_what_may_be_chosen_is_drawn_on_the_cards(game: Any) -> None:
    lay(game, An="A6", Lf="L2")
    assert game.view.pending == "ambush"
    assert marks(game) == {"A/near/0": "choice", "L/far/0": "choice"}
    assert not any(theater.choice for theater in game.view.theaters)


def test_a_transport_may_take_own_cards_to_other_theaters(game: Any) -> None:
    lay(game, An="A6", Lf="L6")
    lay(game, An="A6", Lf="L6", Sn="S1")
    assert game.view.pending == "transport"
    assert marks(game) == {"A/near/0": "choice", "S/near/0": "choice"}
    assert all(theater.choice for theater in game.view.theaters)


def test_a_card_that_is_asked_about_is_marked_and_the_question_says_where_it_lies(game: Any) -> None:
    lay(game, An="A6", Lf="L6")
    asked = Unsure(1, "which-card", (Option("L6"), Option("none")), {"at": "L/far/0"})
    standing = replace(game.session.standing, question=asked)
    stacks = drawn(standing, board(standing.state))
    assert {card.place: card.mark for cards in stacks.values() for card in cards} == {
        "A/near/0": "",
        "L/far/0": "asked",
    }
    parts = {"at": "L/far/0", "theater": "L", "seat": "far"}
    assert say("en", "question", "which-card", parts) == "Far: which card lies in Land?"


def test_after_an_undo_the_page_says_what_comes_off_until_it_has_come_off(game: Any) -> None:
    lay(game, An="A6", Lf="L6")
    game.backend.act("owner", "undo", {"at": game.entry})
    assert marks(game) == {"L/far/0": "off"}
    assert game.view.arrows == (Arrow("L/far/0", "hand/far"),)
    now = localised(game.shown, "en", "far", "x")["now"]
    assert now["before"] == "Taken back, but it still lies on the table:"
    assert now["mend"] == ["You: take Heavy Tanks (Land 6) back into the hand from Land."]
    lay(game, An="A6")
    assert (marks(game), game.view.bring_back) == ({}, ())
    assert localised(game.shown, "en", "far", "x")["now"]["before"] is None


def test_a_card_that_was_turned_over_and_taken_back_is_to_be_turned_again(game: Any) -> None:
    lay(game, An="A6", Lf="L2")
    lay(game, An="-", Lf="L2")
    game.backend.act("owner", "undo", {"at": game.entry, "agreed": True})
    assert marks(game)["A/near/0"] == "turn"


def test_after_a_redo_what_was_taken_off_meanwhile_is_missing(game: Any) -> None:
    lay(game, An="A6", Lf="L6")
    game.backend.act("owner", "undo", {"at": game.entry})
    lay(game, An="A6")
    game.backend.act("owner", "redo", {"at": game.entry})
    assert marks(game) == {"L/far": "missing"}
    lay(game, An="A6", Lf="L6")
    assert marks(game) == {}


def test_after_a_correction_the_person_is_right_and_nothing_is_marked(game: Any) -> None:
    board = {t.theater: {s: list(t.sides[s].faces) for s in SEATS} for t in game.view.theaters}
    board["L"]["far"] = [FACE_DOWN]
    game.backend.act("owner", "correct", {"at": game.entry, "board": board})
    assert marks(game) == {}
