"""Hints for learners, and questions in the players' words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from host.web.hints import hints
from host.web.view_serializer import localised
from tests.host.conftest import lay

Make = Callable[..., Any]


def codes(game: Any) -> list[str]:
    return [one.code for one in hints(game.session.standing)]


def test_whoever_is_to_play_is_told_what_may_be_done_and_what_withdrawing_costs(game: Any) -> None:
    lay(game, An="A6")
    assert codes(game) == ["play", "withdraw"]
    said = localised(game.shown, "en", "far", "x")["hints"]
    assert said[0].startswith("Play a card: face up")
    assert said[1] == "Withdrawing now gives Ann 2 points."
    assert localised(game.shown, "en", "near", "x")["hints"][0].startswith("Bob may play a card")


def test_what_acts_on_the_table_is_told(game: Any) -> None:
    lay(game, An="A4")
    lay(game, An="A4", Lf="L6")
    assert "aerodrome" in codes(game)
    lay(game, An="A4 A5", Lf="L6")
    assert codes(game)[:2] == ["play", "containment"], "the Aerodrome is not far's"


def test_an_open_effect_has_its_choices_on_the_cards(game: Any) -> None:
    lay(game, An="A6")
    lay(game, An="A6", Lf="L2")
    assert codes(game) == ["marked"]


def test_who_is_first_is_said_before_the_first_card_and_not_after_it(game: Any) -> None:
    firsts = localised(game.shown, "en", "far", "x")["firsts"]
    assert [(one["text"], one["chosen"]) for one in firsts] == [("Ann is first", True), ("You are first", False)]
    game.backend.act("far", "first", {"at": game.entry, "seat": "far"})
    assert game.view.first == "far"
    lay(game, Lf="L6")
    assert localised(game.shown, "en", "far", "x")["firsts"] == []


def test_where_nobody_has_said_who_is_first_the_draw_is_offered_and_nobody_is_first_yet(game: Any) -> None:
    game.session.begin_war(game.session.rules.from_json({"first": None, "names": ["Ann", "Bob"]}))
    shown = localised(game.shown, "en", "far", "x")
    assert [one["chosen"] for one in shown["firsts"]] == [False, False]
    assert "Draw the commander cards" in (shown["now"]["text"] or "") and shown["assumptions"] == []
    game.backend.act("far", "first", {"at": game.entry, "seat": "far"})
    shown = localised(game.shown, "en", "far", "x")
    assert [one["chosen"] for one in shown["firsts"]] == [False, True]
    assert shown["now"]["text"] == "You are the first player. The game begins with the first card."


def test_who_withdrew_is_asked_with_the_points_that_it_gives(game: Any) -> None:
    lay(game, An="A5")
    lay(game, An="A5", Lf="L6")
    lay(game, An="A5 A6", Lf="L6")
    lay(game, wait=40)
    question = localised(game.shown, "en", "far", "x")["question"]
    assert question is not None
    own = [one for one in question["options"] if one["about"] == "far"]
    assert len(own) > 1
    assert own[0]["text"] == "You withdraw with 5 in hand: Ann +2"
    assert {one["id"] for one in question["options"] if not one["about"]} >= {"played-out", "nobody"}


def test_a_table_that_nobody_can_explain_is_drawn_as_it_is_seen(game: Any) -> None:
    lay(game, An="A6")
    lay(game, An="A6", Lf="L6 L1", Sf="S2 S6", Sn="L4 L5", wait=60)
    assert game.view.question.text.code == "unexplained"
    view = localised(game.shown, "en", "far", "x")
    sea = next(t for t in view["theaters"] if t["id"] == "S")
    assert [(card["face"], card["mark"]) for card in sea["far"]["stack"]] == [("S2", "new"), ("S6", "new")]
    assert [option["id"] for option in view["question"]["options"]] == ["let-stand", "new-battle", "none"]


def test_after_the_war_nobody_is_to_play_and_nothing_is_in_hand(game: Any) -> None:
    lay(game, An="A6")
    game.backend.act("near", "concede", {"at": game.entry, "seat": "near", "what": "war"})
    view = localised(game.shown, "en", "viewer", "x")
    assert view["turn"] is None
    assert all(not s["turn"] and not s["hand"] and not s["withdraw_text"] for s in view["seats"].values())
    assert (view["now"]["title"], view["hints"]) == ("Bob wins the war", [])


def test_an_onlooker_is_not_told_to_mend_the_camera(game: Any) -> None:
    from host.session.source_events import SourceTrouble

    game.session.source(SourceTrouble("camera-slow", "slow", "light", {"fps": 6}), game.t)
    texts = [thing["text"] for thing in localised(game.shown, "en", "viewer", "x")["things"]]
    assert not any("pictures a second" in text for text in texts)
    assert any("pictures a second" in t["text"] for t in localised(game.shown, "en", "owner", "x")["things"])
    game.session.source(SourceTrouble("camera-gone", "gone", "plug", {}), game.t)
    blind = localised(game.shown, "en", "viewer", "x")["blind"]
    assert blind is not None
    assert blind["title"] == "I cannot see the table: nothing is being recorded"
    lay(game, An="A6")


def test_for_beginners_every_battle_counts_one_point(played: Make) -> None:
    game = played()
    game.session.begin_war(game.session.rules.from_json({"first": "near", "beginner": True}))
    lay(game)
    lay(game, An="A6")
    view = localised(game.shown, "en", "far", "x")
    assert view["hints"][1] == "Withdrawing now gives Near 1 point."
    assert view["seats"]["far"]["withdraw_text"] == "Withdrawal: Near +1"
    game.backend.act("far", "concede", {"at": game.entry, "seat": "far"})
    assert localised(game.shown, "en", "far", "x")["now"]["text"].startswith("1 point for Near.")
