"""What a page may ask of a running table: taking back, correcting, and what it is told where that cannot be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.lexicon import LANGUAGES
from engine.names import FACE_DOWN, SEATS
from host.app.obstacles_shown import obstacle_shown
from host.messages import catalogue
from host.web.access import ROLES, Access, Role
from host.web.actions import ACTIONS, Refused
from host.web.backend import TableBackend
from host.web.page_state import ObstacleShown
from host.web.view_serializer import localised
from tests.host.conftest import lay
from vision.tracking.obstacles import Obstacle

Make = Callable[..., Any]
Battle = Callable[..., list[Any]]


def lying(game: Any) -> dict[str, dict[str, list[str]]]:
    return {t.theater: {seat: list(t.sides[seat].faces) for seat in SEATS} for t in game.view.theaters}


@pytest.fixture
def revealed(played: Make, battle: Battle) -> Any:
    """A battle whose last move has just turned up a card that nobody else knew."""
    for seed in range(20):
        game = played()
        for scene in battle(seed):
            game.show(scene)
            if game.view.undo is not None and game.view.undo.asks:
                return game
    raise AssertionError("no card was turned up in twenty battles")


def test_what_was_revealed_is_taken_back_only_when_both_agree(revealed: Any) -> None:
    backend = revealed.backend
    before = revealed.view
    assert localised(backend.broadcaster.newest.view, "en", "owner", "x")["undo"]["asks"] is True  # type: ignore[union-attr]
    for unsure in ({}, {"agreed": False}, {"agreed": "yes"}):
        with pytest.raises(Refused, match="reveals"):
            backend.act("owner", "undo", {"at": revealed.entry, **unsure})
        assert revealed.view == before
    backend.act("owner", "undo", {"at": revealed.entry, "agreed": True})
    assert lying(revealed) != {t.theater: {s: list(t.sides[s].faces) for s in SEATS} for t in before.theaters}
    backend.act("owner", "redo", {"at": revealed.entry})
    assert revealed.view.theaters == before.theaters


def test_what_an_undo_takes_back_is_told_as_it_was_made(revealed: Any) -> None:
    told = revealed.history[-1].said
    assert told.code.startswith("flip-up")
    assert [(said.code, said.parts["card"]) for said in revealed.view.undo.moves] == [(told.code, told.parts["card"])]
    # What is then due is the effect that turned it up, and not a new turn.
    said = localised(revealed.backend.broadcaster.newest.view, "en", "owner", "x")  # type: ignore[union-attr]
    assert "decides" in said["undo"]["then"]


def test_the_question_about_a_table_put_back_says_what_goes(played: Make, battle: Battle) -> None:
    for seed in range(20):
        game, before = played(), None
        for scene in battle(seed):
            game.show(scene)
            if before is not None and game.view.undo is not None and game.view.undo.asks:
                made = game.history[-1].said.text("en")
                game.show(before, looks=60)
                question = game.view.question
                if question is not None and question.text.code == "undo":
                    said = localised(game.backend.broadcaster.newest.view, "en", "owner", "x")["now"]  # type: ignore[union-attr]
                    assert said["kind"] == "question"
                    assert made in said["text"]
                    return
                break
            before = scene
    raise AssertionError("no table put back was asked about")


def test_a_correction_sets_the_hands(played: Make, battle: Battle) -> None:
    game = played()
    for scene in battle(7)[:3]:
        game.show(scene)
    backend = game.backend
    far = game.view.seats["far"].hand
    backend.act("owner", "correct", {"at": game.entry, "hands": {"near": 1}})
    assert game.view.seats["near"].hand == 1
    assert game.view.seats["far"].hand == far


def test_a_corrected_score_leaves_an_open_effect_open(played: Make, battle: Battle) -> None:
    game = played()
    for scene in battle(7):
        game.show(scene)
        if game.view.pending is not None:
            break
    pending, turn = game.view.pending, game.view.turn
    assert pending is not None
    game.backend.act("owner", "correct", {"at": game.entry, "score": {"near": 4, "far": 0}})
    assert (game.view.pending, game.view.turn) == (pending, turn)
    assert game.view.seats["near"].score == 4


def test_a_table_that_cannot_be_is_refused_in_words_of_its_own(played: Make, battle: Battle) -> None:
    game = played()
    for scene in battle(7)[:3]:
        game.show(scene)
    backend = game.backend
    twice = {t: {"near": ["A6"], "far": []} if t in "AL" else {"near": [], "far": [FACE_DOWN]} for t in "ALS"}
    wrong = (
        ("impossible-table", {"board": twice}),
        ("impossible-hands", {"hands": {"near": 17, "far": 17}}),
        ("bad-score", {"score": {"near": -1, "far": 0}}),
        ("bad-request", {"hands": {"near": "many"}}),
        ("bad-request", {"hands": {"nobody": 1}}),
        ("bad-request", {"hands": 7}),
    )
    before = game.view
    for code, body in wrong:
        with pytest.raises(Refused) as refused:
            backend.act("owner", "correct", {"at": game.entry, **body})
        assert refused.value.code == code
        assert game.view == before
        assert all(code in catalogue(language)["refused"] for language in LANGUAGES)


def test_what_cannot_be_written_down_has_not_happened(played: Make, battle: Battle) -> None:
    game = played()
    for scene in battle(7)[:3]:
        game.show(scene)
    view, entry = game.view, game.entry
    game.log._db.execute("PRAGMA query_only = ON")
    with pytest.raises(Refused, match="log-lost"):
        game.backend.act("owner", "correct", {"at": entry, "score": {"near": 5, "far": 5}})
    assert (game.view, game.entry) == (view, entry)
    game.log._db.execute("PRAGMA query_only = OFF")
    game.backend.act("owner", "correct", {"at": entry, "score": {"near": 5, "far": 6}})
    assert game.view.seats["far"].score == 6


def in_the_way(*places: str) -> tuple[ObstacleShown, ...]:
    return tuple(obstacle_shown(Obstacle("not-a-card", at, (0.0, 0.0), (90.0, 90.0), may_be_mat=True)) for at in places)


def test_players_say_what_is_the_mat_itself(played: Make, battle: Battle) -> None:
    # Given a game in which something that is no card is seen beside cards,
    game = played()
    for scene in battle(7)[:3]:
        game.show(scene)
    assert localised(game.shown, "en", "owner", "x")["empty"] is None
    game.page.set_obstacles(in_the_way("S/far"))
    # then each player is offered to say that it is the mat, and nobody who looks on;
    for role in SEATS:
        offer = localised(game.shown, "en", role, "x")["empty"]
        assert offer is not None
        assert offer["places"] == ["S/far"]
        assert offer["text"].startswith("That is the mat itself: Sea, ")
    assert localised(game.shown, "en", "viewer", "x")["empty"] is None
    # when one does, the table is told, and the game is as it was.
    before = game.session.standing
    game.backend.act("near", "empty", {"at": game.entry, "places": ["S/far"]})
    assert game.said_empty == [{("S", "far")}]
    assert game.session.standing == before
    # Of several places it is said at once.
    game.page.set_obstacles(in_the_way("S/far", "A/near"))
    assert localised(game.shown, "en", "near", "x")["empty"]["places"] == ["S/far", "A/near"]  # type: ignore[index]


def test_of_a_table_without_cards_it_is_said_that_none_lies_there(played: Make) -> None:
    game = played()
    lay(game)
    game.page.set_obstacles(in_the_way("S/far", "A/near"))
    offer = localised(game.shown, "en", "owner", "x")["empty"]
    assert offer is not None
    assert offer["text"] == "No card lies on the table"
    assert len(offer["places"]) == 6


@pytest.mark.parametrize("places", [None, "A/near", [], ["A"], ["A/near/0"], [["A", "near"]], [7], ["A/near"] * 7])
def test_places_that_are_none_are_refused(played: Make, places: object) -> None:
    game = played()
    lay(game)
    with pytest.raises(Refused, match="bad-request"):
        game.backend.act("owner", "empty", {"at": game.entry, "places": places})
    assert game.said_empty == []


def test_where_no_camera_reads_nothing_is_said_of_the_mat(played: Make) -> None:
    game = played()
    lay(game)
    with pytest.raises(Refused, match="not-now"):
        TableBackend(game.session, game.page, Access(), "x").act("owner", "empty", {"places": ["A/near"]})


ODD_BODIES: tuple[dict[str, Any], ...] = (
    {},
    {"board": {"A": {"near": ["A1"]}}},
    {"score": {"near": 12, "far": 0}},
    {"hands": {"near": 0}},
    {"first": "far"},
    {"order": "SAL"},
    {"turn": "far"},
    {"seat": "near"},
    {"seat": "far"},
    {"question": 1, "option": "near"},
    {"do": "pause", "speed": 1e300},
    {"agreed": True, "nothing": None},
    {"at": "0"},
    {"places": ["A/near"]},
    {"at": True, "question": [], "option": {}},
    {"board": [[[]]], "score": -1, "hands": "x"},
)


@pytest.mark.parametrize("role", ROLES)
def test_no_role_gets_beyond_its_actions_whatever_it_sends(played: Make, battle: Battle, role: Role) -> None:
    """Given a game, when a role asks for every name there is with every body, then what it may not stays undone."""
    game = played()
    for scene in battle(7)[:6]:
        game.show(scene)
    names = [*ACTIONS, "look", "invite", "", "__class__", "Correct", "do/correct", "tick", "closed"]
    for name in names:
        for body in ODD_BODIES:
            before = (game.session.standing, len(list(game.log.entries())))
            try:
                game.backend.act(role, name, {"at": game.entry, **body})
            except Refused as refused:
                assert refused.code == "unknown" or all(
                    refused.code in catalogue(tongue)["refused"] for tongue in LANGUAGES
                )
                assert (game.session.standing, len(list(game.log.entries()))) == before
                continue
            assert name in ACTIONS
            assert role in ACTIONS[name].roles
            assert name not in ("done", "withdraw") or role == "owner" or body.get("seat", role) == role
