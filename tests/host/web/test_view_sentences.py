"""What the page says of a battle's price, its end, and what an undo gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.events import Correct, Option, Unsure
from engine.lexicon import LANGUAGES
from engine.moves import Move
from engine.sight import sight_of
from host.messages import say
from host.session.memory_log import MemoryLog
from host.session.session import Rules, Session
from host.session.standing import ToldMove
from host.simulation.sensible_game import games
from host.web.access import Role
from host.web.page_state import Condition, TableView
from host.web.page_view import PageView
from host.web.view import game_view
from host.web.view_serializer import localised

GOOD = Condition(True, "camera-good")


def played(rules: Rules, until: Callable[[Session], bool]) -> Session:
    """A game as it is played until something holds."""
    session, t = Session(MemoryLog(), rules, lambda: 1_700_000_000.0, resume=False), 0.0
    for scene in games(7, "revised"):
        session.see(sight_of(dict(scene.board), scene.order), t)
        for _ in range(8):
            t += 0.2
            session.tick(t)
        if until(session):
            return session
    raise AssertionError("it never came to be")


def shown(session: Session, role: Role = "owner", language: str = "en") -> PageView:
    return localised(TableView(game_view(session.standing), 1, (), GOOD, GOOD), language, role, "x")


def battle_over(session: Session) -> bool:
    return session.standing.state.result is not None


def mid_battle(session: Session) -> bool:
    return session.standing.state.hand_sizes["near"] == 3


def test_for_beginners_every_number_is_a_battle() -> None:
    rules = Rules(beginner=True, target=None)
    page = shown(played(rules, mid_battle))
    assert page["target"] == 3
    assert {page["seats"][seat]["withdraw_text"] for seat in ("near", "far")} == {
        "Withdrawal: Far +1",
        "Withdrawal: Near +1",
    }
    page = shown(played(rules, battle_over))
    assert page["now"]["text"] is not None and page["now"]["text"].startswith("1 point for Near.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_undo_beyond_the_end_of_a_battle_says_that_the_points_go_back(language: str) -> None:
    undo = shown(played(Rules(), battle_over), language=language)["undo"]
    score = {"a": "near", "b": "far", "near": 0, "far": 0}
    assert undo is not None and undo["then"] is not None
    assert undo["then"].endswith(say(language, "view", "score-back", score))


def test_what_a_withdrawal_costs_is_told_as_what_the_other_gains() -> None:
    page = shown(played(Rules(), mid_battle), "near")
    assert page["seats"]["near"]["withdraw_text"].startswith("Withdrawal: Far +")
    assert page["seats"]["far"]["withdraw_text"].startswith("Withdrawal: you +")


def test_a_war_that_a_corrected_score_ends_is_over_everywhere() -> None:
    session = played(Rules(), battle_over)
    session.apply(Correct(score={"near": 12, "far": 0}), {"by": "page", "role": "owner"})
    page = shown(session)
    assert page["war_over"] and page["now"]["title"] == "Near wins the war"
    assert page["withdrawals"] == []
    for seat in page["seats"].values():
        assert (seat["hand_text"], seat["withdraw_text"], seat["turn"]) == ("", "", False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_happened_is_asked_as_moves_and_never_as_counts_of_hands(language: str) -> None:
    # Given two lines of play between which no table tells,
    session = played(Rules(), mid_battle)
    state = session.standing.state
    told = [ToldMove(Move("improvise", "near", to=theater), state, None) for theater in ("A", "S")]
    options = tuple(Option(str(n), {"turn": "far", "near": 3, "far": 4}) for n in range(3))
    stories = {"0": (told[0],), "1": (told[1],), "2": ()}
    standing = replace(session.standing, question=Unsure(1, "which-line", options), stories=stories)
    # when the players are asked, then each answer is a move as the history tells it.
    page = localised(TableView(game_view(standing), 1, (), GOOD, GOOD), language, "near", "x")
    assert page["question"] is not None
    answers = [option["text"] for option in page["question"]["options"]]
    assert len(set(answers)) == 3
    assert not any(character.isdigit() for answer in answers for character in answer)
    assert answers[2] == say(language, "option", "which-line-same")
