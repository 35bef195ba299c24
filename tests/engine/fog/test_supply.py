"""Supply against a reachability that is computed another way, and the gap where there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fog.board import Box, FogBoard, Province, Roles, with_province
from engine.fog.refusal import FromYourBox
from engine.fog.state import Game, start
from engine.fog.supply import Gap, Route, reached, sources, trace, without_supply


@st.composite
def maps(draw: st.DrawFn) -> Game:
    """A map of up to nine provinces, with any control, quagmires and sources."""
    keys = [f"p{n}" for n in range(draw(st.integers(2, 9)))]
    board = FogBoard("random", tuple(Province(key) for key in keys))
    for one, other in product(keys, keys):
        if one < other and draw(st.booleans()) and draw(st.booleans()):
            province = board.province(one)
            board = with_province(board, replace(province, neighbours=(*province.neighbours, other)))
    some = st.lists(st.sampled_from(keys), max_size=3, unique=True).map(tuple)
    roles = Roles(axis_sources=draw(some), allied_sources=draw(some))
    box = Box(source_held=draw(st.booleans()), chain_held=draw(st.booleans()))
    game = start(replace(board, roles=roles, box=box))
    sides = st.sampled_from(("axis", "allies", None))
    mired = st.sampled_from((None, None, None, "axis"))
    grounds = (replace(ground, control=draw(sides), quagmire=draw(mired)) for ground in game.state.grounds)
    return game._replace(state=replace(game.state, grounds=tuple(grounds)))


def closure(game: Game, side: str) -> set[str]:
    """Reachability as powers of a matrix: `on[a, b]` is that a passes supply on to b."""
    keys = [p.key for p in game.board.provinces]
    ground = {g.key: g for g in game.state.grounds}
    roles, box = game.board.roles, game.board.box
    named = roles.axis_sources if side == "axis" else roles.allied_sources
    begin = {key for key in named if not box.source_held or ground[key].control == side}
    carries = {
        key
        for key in keys
        if ground[key].quagmire is None and (key in begin or not box.chain_held or ground[key].control == side)
    }
    on = {(a, b): a == b or (a in carries and b in game.board.province(a).neighbours) for a in keys for b in keys}
    for middle, a, b in product(keys, keys, keys):
        on[a, b] = on[a, b] or (on[a, middle] and on[middle, b])
    return {b for a in begin for b in keys if on[a, b]}


@given(maps(), st.sampled_from(("axis", "allies")))
def test_supply_reaches_what_a_closure_of_the_map_reaches(game: Game, side: str) -> None:
    assert set(reached(game, side)) == closure(game, side)  # type: ignore[arg-type]


@given(maps(), st.sampled_from(("axis", "allies")))
def test_every_path_is_one_that_can_be_walked(game: Game, side: str) -> None:
    for key, route in reached(game, side).items():  # type: ignore[arg-type]
        path = route.path
        assert path[0] in sources(game, side)  # type: ignore[arg-type]
        assert path[-1] == key
        for one, following in pairwise(path):
            assert following in game.board.province(one).neighbours
            assert game.state.ground(one).quagmire is None


@given(maps())
def test_where_there_is_no_supply_every_neighbour_says_why(game: Game) -> None:
    routes = reached(game, "axis")
    for p in game.board.provinces:
        found = trace(game, "axis", p.key)
        if p.key in routes:
            assert isinstance(found, Route)
        else:
            assert isinstance(found, Gap)
            assert [near for near, _ in found.neighbours] == list(p.neighbours)


def test_a_quagmire_on_the_way_cuts_the_chain(begun: Game, changed: Callable[..., Game]) -> None:
    # given: South Sound is supplied through Sunport, a source; Old Vineyard beyond it
    assert trace(begun, "axis", "south-sound") == Route(("sunport", "south-sound"))
    # when the source itself lies in a quagmire
    mired = changed(begun, replace(begun.state.ground("sunport"), quagmire="allies"))
    # then it passes nothing on
    found = trace(mired, "axis", "south-sound")
    assert isinstance(found, Gap)
    assert ("sunport", "quagmire") in found.neighbours
    assert without_supply(mired, "axis") == ("south-sound",)


def test_late_sources_open_when_their_country_enters(begun: Game, changed: Callable[..., Game]) -> None:
    assert "new-shore" not in sources(begun, "allies")
    assert "new-shore" in sources(changed(begun, happened=("usa",)), "allies")


def test_what_the_memo_only_implies_is_asked_for(begun: Game) -> None:
    silent = begun._replace(board=replace(begun.board, box=replace(begun.board.box, chain_held=None)))
    with pytest.raises(FromYourBox) as asked:
        reached(silent, "axis")
    assert asked.value.ask == "box.chain_held"
