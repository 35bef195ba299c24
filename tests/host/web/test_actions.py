"""What a page may ask of a running table: taking back, correcting, and what it is told where that cannot be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.lexicon import LANGUAGES
from engine.names import FACE_DOWN, SEATS
from host.messages import catalogue
from host.web.access import ROLES, Role
from host.web.actions import ACTIONS, Refused
from host.web.view_serializer import localised

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
