"""The session: a game goes in as readings and comes out as a view, a history and a log."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from engine.events import BattleOver, Correct, LetStand, MoveMade, Redo, Undo, Violation
from engine.failure import Failure
from engine.lexicon import LANGUAGES
from engine.names import CARDS, EDITIONS, FACE_DOWN, SEATS, EditionName
from engine.referee import questions
from engine.sight import sight_of
from engine.state import cards_of
from host.demo.show import differences, told_moves
from host.lights.grammar import frame_of
from host.messages import card
from host.player_name import NAME_LONGEST
from host.session.session import Rules, replayed
from host.simulation.sensible_game import TableScene
from host.web.view import GameView
from host.web.view_serializer import localised
from tests.host.conftest import lay

Make = Callable[..., Any]
Battle = Callable[..., list[TableScene]]


def faces(played: Any) -> dict[Any, tuple[str, ...]]:
    return {(t.theater, s): t.sides[s].faces for t in played.view.theaters for s in SEATS}


@pytest.mark.parametrize("seed", range(6))
def test_a_battle_is_followed_to_its_end(played: Make, battle: Battle, seed: int) -> None:
    game = played()
    scenes = battle(seed)
    for scene in scenes:
        game.show(scene)
    assert differences(scenes, told_moves(game.events)) == ([], [])
    last = scenes[-1].truth
    assert last.state.result is not None
    assert game.view.winner == last.state.result.winner
    assert {seat: game.view.seats[seat].score for seat in SEATS} == last.score


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_viewer_ever_reads_a_card_that_was_never_face_up(played: Make, battle: Battle, edition: EditionName) -> None:
    for seed in range(4):
        game = played(edition)
        seen: set[str] = set()
        for scene in battle(seed, edition):
            seen |= {face for pile in scene.board.values() for face in pile}
            game.show(scene)
            for language in LANGUAGES:
                view = dict(localised(game.shown, language, "near", "x"))
                # What a correction may choose from is always the same: all eighteen.
                assert [one["face"] for one in view.pop("cards")] == list(CARDS)  # type: ignore[attr-defined]
                text = json.dumps(view, ensure_ascii=False)
                for hidden in set(CARDS) - seen:
                    assert f'"face": "{hidden}"' not in text
                    assert card(language, hidden) not in text
        for _, events, timeline in replayed(game.log, game.session.war, Rules(edition)):
            told = [event.move for event in events if isinstance(event, MoveMade)]
            assert {move.card for move in told if move.do in ("improvise", "reinforce")} <= {None}
            for state in (timeline.shown, timeline.state):
                slots = [slot for pile in state.piles for slot in pile] + list(state.deck)
                known = {slot.card for slot in slots} | {c for hand in state.hands for c in cards_of(hand.known)}
                assert known - {None} <= seen


def test_a_card_that_was_turned_down_again_has_no_name(played: Make, battle: Battle) -> None:
    turned = 0
    for seed in range(8):
        game = played()
        for scene in battle(seed):
            game.show(scene)
            for theater in game.view.theaters:
                for side in theater.sides.values():
                    for face, part in zip(side.faces, side.parts, strict=False):
                        if face == FACE_DOWN:
                            turned += 1
                            assert part.card is None
                            assert part.name in ("face-down", "escalation", "cover-fire")
    assert turned > 50


def test_killed_after_every_scene_it_goes_on_as_if_nothing_had_happened(played: Make, battle: Battle) -> None:
    scenes = battle(3)
    whole = played()
    for scene in scenes:
        whole.show(scene)
    broken = played()
    for scene in scenes:
        broken.show(scene)
        view, said = broken.view, [line.said for line in broken.history]
        broken.die()
        assert broken.session.resumed
        assert broken.view == view
        assert [line.said for line in broken.history] == said
    assert broken.view == whole.view
    assert [line.said for line in broken.history] == [line.said for line in whole.history]


def test_killed_in_the_middle_of_a_glance_it_sees_the_same_table_again(played: Make, battle: Battle) -> None:
    scenes = battle(5)
    game = played()
    for scene in scenes:
        game.show(scene, looks=0)
        game.die()
        game.show(scene)
    assert differences(scenes, told_moves(game.events)) == ([], [])


def test_a_slip_is_told_with_its_rule_and_its_mend(played: Make, battle: Battle) -> None:
    game = played()
    scenes = battle(7)
    slip = next(i for i, scene in enumerate(scenes) if scene.kind == "slip")
    for scene in scenes[: slip + 1]:
        game.show(scene)
    said = localised(game.shown, "en", "viewer", "x")
    assert said["now"]["kind"] == "violation"
    assert said["now"]["title"] == "That card does not belong there"
    assert (
        said["now"]["text"]
        == "Face up, a card goes to the theater printed on it (revised rulebook, “Playing a battle”)."
    )
    assert said["now"]["mend"]
    assert any(t["wrong"] for t in said["theaters"])
    assert any(bar.mood == "blink" for bar in frame_of(game.session.standing).bars)
    game.show(scenes[slip + 1])
    assert game.view.violation is None
    assert [line.said.code for line in game.history][-2:][0] == "mended"


def test_let_stand_makes_the_table_as_it_lies_the_game(played: Make, battle: Battle) -> None:
    game = played()
    scenes = battle(7)
    slip = next(i for i, scene in enumerate(scenes) if scene.kind == "slip")
    for scene in scenes[: slip + 1]:
        game.show(scene)
    game.session.apply(LetStand(), {"by": "page"})
    assert game.view.violation is None
    assert faces(game) == dict(scenes[slip].board)
    assert game.history[-1].said.kind in ("correction", "move")


def counted(view: GameView) -> dict[str, Any]:
    """What counts in each theater, whatever else lies there still."""
    return {
        t.theater: {seat: (side.faces, side.total, side.parts) for seat, side in t.sides.items()} for t in view.theaters
    }


def test_undo_shows_first_what_it_restores_and_redo_brings_it_back(played: Make, battle: Battle) -> None:
    game = played()
    scenes = [scene for scene in battle(7) if scene.kind == "move"]
    deal = battle(7)[0]
    game.show(deal)
    game.show(scenes[0])
    before = game.view
    game.show(scenes[1])
    after = game.view
    assert after.undo is not None
    assert [said.code for said in after.undo.moves] == ["deploy"]
    assert after.undo.turn == before.turn
    game.session.apply(Undo(), {"by": "page"})
    assert game.view.turn == before.turn
    assert counted(game.view) == counted(before)
    assert game.view.redo is not None
    game.session.apply(Redo(), {"by": "page"})
    assert counted(game.view) == counted(after)


def test_a_correction_sets_cards_turn_and_score(played: Make, battle: Battle) -> None:
    game = played()
    deal = battle(1)[0]
    game.show(deal)
    board = {**dict.fromkeys(deal.board, ()), ("A", "near"): ("A6", FACE_DOWN), ("S", "far"): ("S1",)}
    told = Correct(board=board, turn="far", first="near", score={"near": 3, "far": 8}, order=("L", "S", "A"))
    game.session.apply(told, {"by": "page"})
    view = game.view
    assert faces(game) == board
    assert (view.turn, view.first, view.order) == ("far", "near", ("L", "S", "A"))
    assert {seat: view.seats[seat].score for seat in SEATS} == {"near": 3, "far": 8}
    assert game.history[-1].said.text("en") == "Corrected by hand. Score: Near 3, Far 8."


def test_what_was_asked_of_an_older_table_is_not_done(played: Make, battle: Battle) -> None:
    game = played()
    scenes = battle(7)
    game.show(scenes[0])
    game.show(scenes[1])
    looked_at = game.entry
    game.show(scenes[2])
    view = game.view
    assert game.session.apply(Undo(), {"by": "page"}, said=looked_at) is None
    assert game.view == view
    assert game.session.apply(Undo(), {"by": "page"}, said=game.entry)


def test_a_card_seen_twice_is_asked_about_and_kept_out_of_the_game(played: Make, battle: Battle) -> None:
    game = played()
    scenes = battle(7)
    game.show(scenes[0])
    game.show(scenes[1])
    told = told_moves(game.events)
    lying = {**scenes[1].board}
    place = next(p for p, pile in lying.items() if pile)
    other = next(p for p, pile in lying.items() if not pile)
    lying[other] = (lying[place][0],)
    game.session.see(sight_of(lying, scenes[1].order), game.t)
    for _ in range(40):
        game.t += 0.2
        game.session.tick(game.t)
    assert told_moves(game.events) == told
    assert any(line.said.code == "seen-twice" for line in game.history)


def test_the_war_goes_on_battle_by_battle(played: Make) -> None:
    from host.simulation.sensible_game import games

    game = played()
    for scene in games(11, "revised"):
        game.show(scene)
        if scene.truth.winner is not None:
            break
    view = game.view
    assert view.war_winner == scene.truth.winner
    assert {seat: view.seats[seat].score for seat in SEATS} == scene.truth.score
    assert frame_of(game.session.standing).scene == "war-won"
    said = localised(game.shown, "en", "owner", "x")
    assert said["now"]["kind"] == "end"
    assert said["war_over"]
    game.session.begin_war()
    assert game.view.war_winner is None
    assert not game.history


def test_a_war_begun_on_the_page_is_gone_on_with_after_a_restart_before_a_card_lies(played: Callable[..., Any]) -> None:
    game = played("revised")
    game.session.begin_war(Rules("critters", "far"), {"by": "page", "role": "owner", "action": "new"})
    war = game.session.war
    game.die()
    assert (game.session.war, game.session.rules.edition, game.session.rules.first) == (war, "critters", "far")


def test_names_stay_whole_after_a_restart_and_in_the_next_war(played: Make) -> None:
    names = ("A" * NAME_LONGEST, "Б" * NAME_LONGEST)
    game = played()
    game.session.begin_war(Rules(names=names, match="1-" + "2" * 70), {"by": "club"})
    rules = game.session.rules
    game.die()
    assert game.session.rules == rules
    game.session.begin_war()
    assert game.session.rules.names == names


@pytest.mark.parametrize("lost", ["begin", "append"])
def test_a_war_that_cannot_be_written_down_is_not_begun(
    played: Make, battle: Battle, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    """Given a disk that is full for a moment, when a war is begun, then the one before is played to its end."""
    game, scenes = played(), battle(3)
    for scene in scenes[:5]:
        game.show(scene)
    war, rules, standing = game.session.war, game.session.rules, game.session.standing

    def full(*given: object) -> None:
        raise Failure("log-lost", "The disk is full.", "Make room.")

    with monkeypatch.context() as disk:
        disk.setattr(game.log, lost, full)
        with pytest.raises(Failure, match="disk is full"):
            game.session.begin_war(Rules("critters", "far", 3), {"by": "page", "role": "owner", "action": "new"})
    assert (game.session.war, game.session.rules, game.session.standing) == (war, rules, standing)

    for scene in scenes[5:]:
        game.show(scene)
    assert differences(scenes, told_moves(game.events)) == ([], [])
    game.die()
    assert (game.session.war, game.session.rules) == (war, rules)


@pytest.mark.parametrize(("seed", "hours"), [(0, 20.0), (1, 20.0), (2, 20.0), (0, -3.0)])
def test_a_war_left_yesterday_is_not_withdrawn_from_by_todays_empty_table(
    played: Make, battle: Battle, seed: int, hours: float
) -> None:
    """A machine without a clock of its own may begin the next day before the evening ended."""
    yesterday, today = battle(seed), battle(seed + 3)
    game = played()
    for scene in yesterday[:8]:
        game.show(scene)
    left, told = game.session.war, len(game.events)
    game.die(hours=hours)
    for scene in today:
        game.show(scene)
    assert game.session.war != left
    # Today's battle is followed from its first card, and nobody has points for yesterday's.
    assert differences(today, told_moves(game.events[told:])) == ([], [])
    assert {seat: game.view.seats[seat].score for seat in SEATS} == today[-1].truth.score
    # Yesterday's is kept as it was left.
    assert {war.id for war in game.log.wars()} == {left, game.session.war}


def test_a_war_left_yesterday_is_begun_anew_by_the_rules_that_are_asked_for_today(played: Make, battle: Battle) -> None:
    game = played("revised")
    for scene in battle(0)[:8]:
        game.show(scene)
    game.edition = "critters"
    game.die(hours=20)
    lay(game)
    assert game.session.rules.edition == "critters"


@pytest.mark.parametrize("hours", [1.0, 20.0, -3.0])
def test_cards_that_still_lie_there_are_gone_on_with_however_late(played: Make, battle: Battle, hours: float) -> None:
    scenes = battle(3)
    game = played()
    for scene in scenes[:8]:
        game.show(scene)
    war = game.session.war
    game.die(hours=hours)
    game.show(scenes[7])
    for scene in scenes[8:]:
        game.show(scene)
    assert game.session.war == war
    assert differences(scenes, told_moves(game.events)) == ([], [])


@pytest.mark.parametrize(("hours", "chosen"), [(0.1, False), (20.0, True)], ids=["soon", "chosen on another day"])
def test_how_a_battle_ended_that_nobody_watched_is_asked(
    played: Make, battle: Battle, hours: float, chosen: bool
) -> None:
    """The program was stopped in mid-battle and the cards were put away; some minutes later it goes on."""
    scenes = battle(3)
    game = played()
    for scene in scenes[:8]:
        game.show(scene)
    war, told = game.session.war, len(game.events)
    game.chosen = chosen
    game.die(hours=hours)
    lay(game)
    # Neither the empty table nor the next card is taken for a withdrawal.
    lay(game, An="A5")
    assert game.session.war == war
    assert [seat for seat in SEATS if game.view.seats[seat].score] == []
    (asked,) = questions(game.session.belief)
    assert asked.question == "who-withdrew" and "nobody" in {option.key for option in asked.options}
    assert [event for event in game.events[told:] if isinstance(event, Violation | MoveMade | BattleOver)] == []
    # Once the cards lie there as they did, the battle goes on, and its end is seen as ever.
    for scene in scenes[7:]:
        game.show(scene)
    assert questions(game.session.belief) == ()
    assert differences(scenes, told_moves(game.events)) == ([], [])
    lay(game)
    assert {seat: game.view.seats[seat].score for seat in SEATS} == scenes[-1].truth.score


@pytest.mark.parametrize("seed", range(4))
def test_killed_while_people_undo_and_correct_it_shows_what_it_showed(played: Make, battle: Battle, seed: int) -> None:
    # Tables that were taken back by word lie there still, and time alone changes what is shown of them.
    rng = Random(seed)
    game = played()
    for scene in battle(20 + seed):
        game.show(scene, looks=rng.randrange(12))
        said = rng.choice((None, None, Undo(), Redo(), Correct(turn="near"), LetStand()))
        if said is not None:
            with contextlib.suppress(Failure):
                game.session.apply(said, {"by": "page"})
        for _ in range(rng.randrange(30)):
            game.t += 0.2
            game.session.tick(game.t)
        view = game.view
        game.die()
        assert game.session.resumed and game.view == view


def test_a_mistake_that_stands_because_play_went_on_is_a_line_of_the_history(played: Make) -> None:
    game = played("first")
    tables = [
        {},
        {("A", "near"): ("A5",)},
        {("A", "near"): ("A5",), ("L", "far"): ("-",)},
        {("A", "near"): ("A5",), ("L", "far"): ("-",), ("S", "near"): ("S6",)},
        {("A", "near"): ("A5",), ("L", "far"): ("-",), ("S", "near"): ("S6",), ("S", "far"): ("S4",)},
        {("A", "near"): ("A5",), ("L", "far"): ("-",), ("S", "near"): ("S6", "S3"), ("S", "far"): ("S4",)},
    ]
    for table in tables:
        for _ in range(60):
            game.t += 0.2
            game.session.see(sight_of(table, ("A", "L", "S")), game.t)
    said = [line.said.text("en") for line in game.history]
    assert said.count("That card should be discarded: Far, a face-down card in Land.") == 1
    assert said.count("Let stand, since play went on: “That card should be discarded”.") == 1
    assert "The table stands as it lies." not in said
