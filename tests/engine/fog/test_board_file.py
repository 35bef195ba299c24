"""The board file: read with line and remedy, written and read the same, neighbours on both sides."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.failure import BadInput
from engine.fog.actions import RemoveProvince, SetBoard, SetBox, SetProvince, SetProvinces
from engine.fog.board import (
    Box,
    FogBoard,
    Province,
    Reinforcement,
    RulebookNote,
    Sector,
    Threshold,
    faults,
    open_questions,
    with_province,
    without_province,
)
from engine.fog.board_file import built_in, read_board, write_board
from engine.fog.play import play
from engine.fog.refusal import ForbiddenAction
from engine.fog.state import Game, start

MEMO_NAMES = [
    "berlin",
    "ruhr",
    "poland",
    "italy",
    "libya",
    "western-mediterranean",
    "britain",
    "paris",
    "vichy",
    "morocco",
    "egypt",
    "lebanon",
    "north-sea",
    "north-atlantic",
    "eastern-mediterranean",
    "baltic-states",
    "kiev",
    "odessa",
    "ural",
    "north-america",
    "balkans",
]


def test_the_memo_board_has_the_names_of_the_memo_and_nothing_invented() -> None:
    board = built_in("memo")
    assert [p.key for p in board.provinces] == MEMO_NAMES
    assert faults(board) == ()
    assert board.box == Box()
    # the memo prints no points, resources or winter symbols, and says of two provinces only that they touch
    assert {(p.points, p.resources, p.winter) for p in board.provinces} == {(None, None, None)}
    assert [p.key for p in board.provinces if p.neighbours] == ["ruhr", "north-sea"]


def test_the_memo_board_starts_as_paragraphs_1_6_and_1_7_say() -> None:
    state = start(built_in("memo")).state
    assert state.held("axis") == tuple(MEMO_NAMES[:6])
    assert state.held("allies") == tuple(MEMO_NAMES[6:15])


def test_the_small_map_leaves_nothing_to_ask() -> None:
    board = built_in("demo")
    assert (faults(board), open_questions(board), board.marked_areas()) == ((), (), board.neutral_areas)


TEXT = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=20).filter(str.isprintable)
COUNT = st.none() | st.integers(0, 30)
FLAG = st.none() | st.booleans()
LIMIT = st.none() | st.builds(Threshold, st.fractions(1, 5, max_denominator=8), st.integers(0, 9))


@st.composite
def boards(draw: st.DrawFn) -> FogBoard:
    keys = draw(st.lists(st.from_regex(r"[a-z]{1,5}(-[a-z0-9]{1,3})?", fullmatch=True), unique=True, max_size=6))
    board = FogBoard(draw(TEXT), (), draw(st.integers(0, 20)))
    for key in keys:
        others = tuple(p.key for p in board.provinces)
        board = with_province(
            board,
            Province(
                key,
                draw(TEXT),
                draw(st.sampled_from((None, "axis", "allies", "neutral"))),
                draw(st.sampled_from((None, "land", "sea"))),
                draw(st.sampled_from((None, "ussr", "balkans", "none"))),
                draw(st.sampled_from((None, "sun", "snow", "other"))),
                draw(COUNT),
                draw(COUNT),
                draw(FLAG),
                tuple(draw(st.lists(st.sampled_from(others), unique=True))) if others else (),
            ),
        )
    box = Box(
        draw(FLAG),
        draw(FLAG),
        draw(st.just(()) | st.tuples(*[st.builds(Sector, st.booleans(), st.integers(0, 1), st.integers(0, 1))] * 6)),
        draw(LIMIT),
        draw(LIMIT),
        draw(st.sampled_from((None, "passes", "stays"))),
        track_end=draw(COUNT),
        reinforcements=tuple(
            draw(st.lists(st.builds(Reinforcement, st.integers(1941, 1944), *[st.integers(0, 9)] * 2)))
        ),
        notes=tuple(
            RulebookNote(p, draw(TEXT)) for p in draw(st.lists(st.sampled_from(("1.5", "act.2")), unique=True))
        ),
    )
    return replace(board, box=box)


@given(boards())
def test_a_board_that_is_written_and_read_is_the_same(board: FogBoard) -> None:
    assert read_board(write_board(board), "board.toml") == board


GOOD = """name = "x"
[province.a]
neighbours = ["b"]

[province.b]
points = 2
neighbours = ["a"]

[box]
win = { times = 1.5, plus = 1 }
"""


def test_a_small_file_is_read() -> None:
    board = read_board(GOOD, "board.toml")
    assert board.box.win == Threshold(Fraction(3, 2), 1)
    assert board.province("b").points == 2


@pytest.mark.parametrize(
    ("was", "becomes", "line", "says"),
    [
        ("points = 2", "points = ", 6, "Invalid value"),
        ("points = 2", 'points = "two"', 6, "province.b.points: 'two' is not a whole number"),
        ("points = 2", "pionts = 2", 6, "no such field"),
        ("points = 2", 'terrain = "swamp"', 6, "not one of its values"),
        ('neighbours = ["a"]', "neighbours = []", 3, "not the other way round"),
        ('["b"]', '["b", "c"]', 3, "not on the board"),
        ("[province.b]", "[province.B]", 5, "'B' is not a key"),
        ("times = 1.5", "times = 0.5", 10, "lower than an even fight"),
        ("[box]", "[bag]", 9, "no such field"),
        ('name = "x"', "", 1, "name is missing"),
    ],
)
def test_what_is_wrong_is_told_with_its_line_and_a_remedy(was: str, becomes: str, line: int, says: str) -> None:
    with pytest.raises(BadInput) as bad:
        read_board(GOOD.replace(was, becomes, 1), "board.toml")
    assert bad.value.code == "board-file"
    assert f"board.toml, line {line}:" in bad.value.message
    assert says in bad.value.message
    assert bad.value.remedy


@given(st.text(max_size=200))
@example("a = " + "[" * 20_000)
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        read_board(text, "board.toml")
    except BadInput as bad:
        assert "board.toml, line " in bad.message


def test_a_neighbour_is_learnt_and_unlearnt_on_both_sides() -> None:
    board = with_province(built_in("memo"), Province("spain", neighbours=("vichy", "morocco")))
    assert "spain" in board.province("vichy").neighbours
    board = with_province(board, Province("spain", neighbours=("morocco",)))
    assert "spain" not in board.province("vichy").neighbours
    assert faults(board) == ()
    board = without_province(board, "spain")
    assert "spain" not in board.province("morocco").neighbours
    with pytest.raises(ForbiddenAction, match="The memo speaks of"):
        without_province(board, "vichy")


def test_the_board_is_filled_in_while_the_game_is_set_up_and_mended_later(begun: Game) -> None:
    game = start(built_in("memo"))
    game = play(game, SetProvince(Province("spain", name="Spain", start="neutral", neutral_card=True))).game
    assert game.state.ground("spain").neutral == 1
    game = play(game, SetBox(Box(axis_deck=20, allied_deck=18))).game
    assert game.state.axis.deck == 20
    assert "spain" not in play(game, RemoveProvince("spain")).game.board
    # later a change keeps what lies on the board
    changed = play(begun, SetProvince(replace(begun.board.province("fjords"), winter="sun"))).game
    assert changed.state == begun.state
    with pytest.raises(ForbiddenAction):
        play(begun, RemoveProvince("fjords"))


def test_one_printed_thing_of_the_whole_board_is_typed_in_at_once(begun: Game) -> None:
    worth = {"karst": 7, "fjords": 9}
    typed = tuple(replace(begun.board.province(key), points=n) for key, n in worth.items())
    after = play(begun, SetProvinces(typed))
    assert {key: after.game.board.province(key).points for key in worth} == worth
    assert after.game.state == begun.state
    assert [effect.code for effect in after.effects] == ["provinces-set"]
    with pytest.raises(ForbiddenAction):
        play(begun, SetProvinces(()))


@pytest.mark.parametrize(
    ("province", "code"),
    [
        (Province("spain"), "province-unnamed"),
        (Province("spain", name="  "), "province-unnamed"),
        (Province("spain-2", name="SPAIN "), "province-name-taken"),
        (Province("a.b", name="Gibraltar"), "province-key"),
        (Province("x" * 41, name="Gibraltar"), "province-key"),
    ],
)
def test_a_province_that_could_not_be_told_from_others_is_refused(province: Province, code: str) -> None:
    game = start(with_province(built_in("memo"), Province("spain-1", name="Spain")))
    with pytest.raises(ForbiddenAction) as refused:
        play(game, SetProvince(province))
    assert refused.value.code == code
    assert refused.value.remedy


def test_a_board_that_was_changed_in_its_file_is_gone_on_on(begun: Game) -> None:
    # given the board's file with a province more, and another number
    added = with_province(begun.board, Province("spain", name="Spain", start="neutral", neighbours=("fjords",)))
    after = play(begun, SetBoard(replace(added, box=replace(added.box, track_end=15)))).game
    # then it is there beside what lies on the board
    assert after.state.ground("spain").control is None
    assert after.state.grounds[:-1] == begun.state.grounds
    assert after.board.box.track_end == 15
    # and a file without a province that the game has is refused by its name
    with pytest.raises(ForbiddenAction, match="Spain"):
        play(after, SetBoard(begun.board))


def test_provinces_that_begin_on_a_side_are_of_no_country_that_joins_later() -> None:
    for p in built_in("memo").provinces:
        assert (p.country == "none") == (p.start in ("axis", "allies")), p.key
