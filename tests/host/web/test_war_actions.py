"""A new war and giving one up, as a page asks for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.failure import Failure
from engine.names import SEATS
from host.session.session import Rules
from host.session.standing import standing_of
from host.web.actions import Refused
from host.web.changes import of_new_war

Make = Callable[..., Any]
Battle = Callable[..., list[Any]]


@pytest.fixture
def game(played: Make, battle: Battle) -> Any:
    made = played()
    for scene in battle(7)[:4]:
        made.show(scene)
    return made


def test_a_new_war_is_begun_in_the_middle_of_another_by_its_own_rules(game: Any) -> None:
    old = game.session.war
    wanted = {"edition": "first", "target": 18, "beginner": False, "first": "far"}
    game.backend.act("owner", "new", {"at": game.entry, **wanted})
    assert game.session.war != old
    assert (game.view.edition, game.view.target, game.view.first, game.view.begun) == ("first", 18, "far", False)
    assert {war.id for war in game.log.wars()} == {old, game.session.war}


def test_a_war_for_beginners_is_three_battles(game: Any) -> None:
    game.backend.act("owner", "new", {"at": game.entry, "target": None, "beginner": True})
    assert (game.view.target, game.view.beginner) == (3, True)


def test_a_new_war_has_the_players_that_are_named_or_those_of_the_war_before(game: Any) -> None:
    game.backend.act("owner", "new", {"at": game.entry, "names": {"near": " Cleo ", "far": "Dan"}})
    assert game.session.rules.names == ("Cleo", "Dan")
    game.backend.act("owner", "new", {"at": game.entry})
    assert game.session.rules.names == ("Cleo", "Dan")
    game.backend.act("owner", "new", {"at": game.entry, "names": {"near": "", "far": "Dan"}})
    assert game.session.rules.names == ("", "Dan")


def test_who_is_asked_for_a_new_war_is_told_its_players_where_they_are_others() -> None:
    now = Rules(names=("Anna", "Bo"))
    standing = standing_of(now.belief())
    assert len(of_new_war(now, now, standing)) == 2
    told = [message.text("en") for message in of_new_war(Rules(names=("Cleo", "")), now, standing)]
    assert told[-1] == "Its players: Cleo at the near seat, – at the far seat."


@pytest.mark.parametrize(
    ("code", "body"),
    [
        ("same-names", {"names": {"near": "Anna", "far": " anna"}}),
        ("bad-request", {"names": ["Anna", "Bo"]}),
        ("bad-request", {"names": {"near": 1}}),
        ("bad-target", {"target": 0}),
        ("bad-target", {"target": 100_000}),
        ("bad-request", {"target": "12"}),
        ("bad-request", {"target": True}),
        ("bad-request", {"edition": "fourth"}),
        ("bad-request", {"edition": ["first"]}),
        ("bad-request", {"first": "left"}),
        ("bad-request", {"beginner": 1}),
    ],
)
def test_a_war_that_cannot_be_is_not_begun(game: Any, code: str, body: dict[str, Any]) -> None:
    war = game.session.war
    with pytest.raises(Refused) as refused:
        game.backend.act("owner", "new", {"at": game.entry, **body})
    assert refused.value.code == code
    assert game.session.war == war


def test_a_war_that_cannot_be_written_down_is_refused_in_words(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    war = game.session.war

    def full(*given: object) -> None:
        raise Failure("log-lost", "The disk is full.", "Make room.")

    monkeypatch.setattr(game.log, "begin", full)
    with pytest.raises(Refused) as refused:
        game.backend.act("owner", "new", {"at": game.entry, "target": 7})
    assert refused.value.code == "log-lost"
    assert game.session.war == war


def test_a_page_that_shows_an_older_table_begins_and_concedes_nothing(game: Any) -> None:
    before = game.session.standing
    for name, body in (("new", {}), ("concede", {"seat": "near"}), ("concede", {"seat": "near", "what": "war"})):
        with pytest.raises(Refused, match="stale"):
            game.backend.act("owner", name, {"at": game.entry - 1, **body})
        assert game.session.standing == before


@pytest.mark.parametrize("seat", ["near", "far"])
def test_either_seat_gives_the_battle_up_whoever_is_to_move(game: Any, seat: str) -> None:
    gives = game.view.seats[seat].withdrawal
    game.backend.act(seat, "concede", {"at": game.entry, "seat": seat})
    other = "far" if seat == "near" else "near"
    assert (game.view.winner, game.view.seats[other].score) == (other, gives)
    assert game.view.war_winner is None
    with pytest.raises(Refused, match="battle-over"):
        game.backend.act(seat, "concede", {"at": game.entry, "seat": seat})


def test_a_battle_is_given_up_in_the_middle_of_an_effect(played: Make, battle: Battle) -> None:
    game = played()
    for scene in battle(7):
        game.show(scene)
        if game.view.pending is not None:
            break
    assert game.view.pending is not None
    deciding = game.view.turn
    game.backend.act(deciding, "concede", {"at": game.entry, "seat": deciding})
    assert game.view.winner not in (None, deciding)


def test_the_whole_war_given_up_is_won_by_the_other_and_stays_so_after_a_restart(game: Any) -> None:
    game.backend.act("near", "concede", {"at": game.entry, "seat": "near", "what": "war"})
    assert game.view.war_winner == "far"
    assert game.view.seats["far"].score == game.view.target
    # It is told as what it is, and not as a correction.
    told = [line.said for line in game.history if line.said.code in ("conceded", "corrected-score")]
    assert [(one.code, one.parts["loser"]) for one in told] == [("conceded", "near")]
    with pytest.raises(Refused, match="war-over"):
        game.backend.act("far", "concede", {"at": game.entry, "seat": "far", "what": "war"})
    game.die()
    assert not game.session.resumed


def test_nobody_gives_up_for_the_other_seat(game: Any) -> None:
    for role, seat in (("near", "far"), ("far", "near"), ("viewer", "near")):
        with pytest.raises(Refused, match="not-allowed"):
            game.backend.act(role, "concede", {"at": game.entry, "seat": seat})


@pytest.mark.parametrize("between", [False, True])
def test_a_war_given_up_by_mistake_is_taken_back_with_its_score(game: Any, between: bool) -> None:
    game.backend.act("owner", "correct", {"at": game.entry, "score": {"near": 3, "far": 4}})
    if between:
        game.backend.act("near", "concede", {"at": game.entry, "seat": "near"})
    score = {seat: game.view.seats[seat].score for seat in SEATS}
    game.backend.act("near", "concede", {"at": game.entry, "seat": "near", "what": "war"})
    assert (game.view.war_winner, game.view.seats["far"].score) == ("far", 12)
    game.backend.act("owner", "undo", {"at": game.entry, "agreed": True})
    assert game.view.war_winner is None
    assert {seat: game.view.seats[seat].score for seat in SEATS} == {"near": 3, "far": 4}
    game.die()
    assert game.session.resumed
    assert {seat: game.view.seats[seat].score for seat in SEATS} == {"near": 3, "far": 4}
    assert score["near"] == 3


def test_nothing_is_let_stand_where_nothing_is_against_the_rules(game: Any) -> None:
    before = game.session.standing
    with pytest.raises(Refused, match="no-violation"):
        game.backend.act("owner", "stand", {"at": game.entry})
    assert game.session.standing == before
