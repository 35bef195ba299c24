"""What a page may ask for: rights of every role, hostile bodies, and refusals in the player's words."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.failure import Failure
from engine.fog import actions
from engine.fog.actions import Begin, Defend, Next, SetBox
from engine.fog.board import Box
from engine.fog.board_file import built_in
from engine.fog.codec import action_to_json
from engine.fog.simulation import simulate
from engine.lexicon import LANGUAGES
from host.fog.backend import ROLES_OF, FogBackend
from host.fog.table import FogTable, save_board
from host.fog.view import FogView, fog_view
from host.session.memory_log import MemoryLog
from host.web.access import ROLES, Access, Role
from host.web.actions import Refused


def backend(board: Any = "demo") -> FogBackend:
    table = FogTable(MemoryLog(), lambda: 0.0, board=built_in(board))
    return FogBackend(table, Access(), "program")


def play(of: FogBackend, role: Role, action: Any, **more: Any) -> None:
    sent = action if isinstance(action, dict) else action_to_json(action)
    of.act(role, "play", {"at": of.table.change.entry, "action": sent, **more})


def refused(of: FogBackend, role: Role, action: Any, **more: Any) -> Refused:
    with pytest.raises(Refused) as found:
        play(of, role, action, **more)
    return found.value


def test_a_viewer_may_nothing() -> None:
    of = backend()
    for name in ROLES_OF:
        with pytest.raises(Refused) as found:
            of.act("viewer", name, {"at": 0})
        assert found.value.code == "not-allowed"
    assert refused(of, "viewer", Begin()).code == "not-allowed"


def test_a_new_game_that_cannot_be_written_down_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    of = backend()

    def full(*given: object) -> None:
        raise Failure("log-lost", "The disk is full.", "Make room.")

    monkeypatch.setattr(MemoryLog, "begin", full)
    with pytest.raises(Refused) as found:
        of.act("owner", "new", {"board": "demo"})
    assert found.value.code == "log-lost"
    play(of, "far", Begin())


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "cannot be written"), ("ru", "нельзя записать"), ("uk", "записати"), ("pl", "zapisać")],
)
def test_a_board_that_could_not_be_kept_is_told_to_its_owner_alone(tmp_path: Path, language: str, said: str) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    table = FogTable(MemoryLog(), lambda: 0.0, save=lambda board: save_board(tmp_path / "data" / "board.toml", board))
    of = FogBackend(table, Access(), "program")
    play(of, "owner", SetBox(Box(axis_deck=20)))
    newest = of.broadcaster.newest
    assert newest is not None
    assert said in of.localised(newest, language, "owner")["unsaved"]
    assert of.localised(newest, language, "near")["unsaved"] is None


def test_a_player_plays_the_own_side_only() -> None:
    of = backend()
    play(of, "far", Begin())
    assert refused(of, "far", Defend("karst", 1)).code == "not-allowed"
    play(of, "near", Defend("karst", 1))
    assert of.table.change.history.game.state.ground("karst").axis == 1
    # and takes back only that
    with pytest.raises(Refused):
        of.act("far", "undo", {"at": of.table.change.entry})
    of.act("near", "undo", {"at": of.table.change.entry})


@pytest.mark.parametrize("name", ["set-box", "set-province", "remove-province", "correct-camp", "correct-province"])
def test_only_the_tables_owner_changes_board_and_numbers(name: str) -> None:
    bodies = {
        "set-box": {"box": {}},
        "set-province": {"province": {"key": "spain"}},
        "remove-province": {"key": "fjords"},
        "correct-camp": {"side": "axis", "hand": 1},
        "correct-province": {"province": "fjords", "control": "axis", "axis": 0, "allies": 0, "neutral": 0},
    }
    for role in ("near", "far"):
        assert refused(backend(), role, {"do": name, **bodies[name]}).code == "not-allowed"


def test_every_role_is_refused_or_served_for_every_action_and_never_breaks() -> None:
    for role in ROLES:
        for kind in get_args(actions.FogAction):
            found = refused(backend(), role, {"do": kind.do, "nonsense": 1})
            assert found.code in ("bad-request", "not-allowed")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda x: st.lists(x) | st.dictionaries(st.text(max_size=5), x),
    )
)
def test_no_body_breaks_it(body: object) -> None:
    of = backend()
    for sent in (body, {"do": body}, {"do": "defend", "province": body, "cards": body}):
        with pytest.raises(Refused):
            of.act("owner", "play", {"at": 0, "action": sent})
    with pytest.raises(Refused):
        of.act("owner", "play", {"at": body if type(body) is not int else None, "action": {"do": "begin"}})


def test_nobody_ends_the_other_sides_production() -> None:
    of = backend()
    play(of, "owner", Begin())
    for action in simulate(of.table.change.history.game, Random(854)):
        if of.table.change.history.game.state.stage == "3.4":
            break
        of.table.apply(action, {})
    state = of.table.change.history.game.state
    acting, waiting = ("near", "far") if state.turn == "axis" else ("far", "near")
    assert refused(of, waiting, Next()).code == "not-allowed"
    play(of, acting, Next())


@pytest.mark.parametrize("language", ["../../../host/messages/en", "xx", "", None, 7, ["en"]])
def test_a_language_that_there_is_not_is_answered_in_english(language: object) -> None:
    found = refused(backend("memo"), "owner", Begin(), lang=language)
    assert "The memo does not say this" in found.said


def test_a_page_that_is_behind_is_told_so() -> None:
    of = backend()
    play(of, "owner", Begin())
    with pytest.raises(Refused) as found:
        of.act("owner", "play", {"at": 0, "action": action_to_json(Defend("karst", 1))})
    assert found.value.code == "stale"


@pytest.mark.parametrize(
    ("language", "word"),
    [("en", "Look at your board"), ("ru", "Посмотрите"), ("uk", "Подивіться"), ("pl", "Zajrzyjcie")],
)
def test_what_the_memo_does_not_say_is_asked_for_in_the_players_language(language: str, word: str) -> None:
    found = refused(backend("memo"), "owner", Begin(), lang=language)
    assert word in found.said
    assert found.more == {"ask": "province.ural.start"}


def test_every_moment_of_a_game_can_be_shown_to_every_role_in_every_language() -> None:
    table = FogTable(MemoryLog(), lambda: 0.0, board=built_in("demo"))
    for number, action in enumerate(simulate(table.change.history.game, Random(854))):
        table.apply(action, {})
        if number % 7:
            continue
        for language in LANGUAGES:
            for role in ROLES:
                view = fog_view(FogView(table.change), language, role, "p")
                text = json.dumps(view, ensure_ascii=False)
                assert "{" not in "".join(line["text"] for line in view["last"])
                assert (view["board"] is None) == (role != "owner")
                assert text
