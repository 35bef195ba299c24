"""Given a battle, the bars show who holds each theater and by how much."""

from __future__ import annotations

import pytest

from engine.names import SEATS, THEATERS, Seat, Theater
from host.lights import IDLE, LightFrame, commander_colours, light_frame
from host.lights.drawing import BALANCE, BAR_LIGHTS, OUT, as_text, draw, draw_still
from host.lights.frame import AMBER, BLUE, RED, WHITE, Bar

Totals = dict[Theater, dict[Seat, int]]


def totals(air: tuple[int, int], land: tuple[int, int], sea: tuple[int, int]) -> Totals:
    """(near, far) of each theater."""
    return {t: dict(zip(SEATS, pair, strict=True)) for t, pair in zip(THEATERS, (air, land, sea), strict=True)}


def held(sums: Totals, first: Seat) -> dict[Theater, Seat]:
    def holder(t: Theater) -> Seat:
        near, far = sums[t]["near"], sums[t]["far"]
        return first if near == far else "near" if near > far else "far"

    return {t: holder(t) for t in THEATERS}


def frame(sums: Totals, first: Seat = "near", order: str = "ALS", **more: object) -> LightFrame:
    return light_frame(tuple(order), "revised", first, sums, held(sums, first), **more)  # type: ignore[arg-type]


def test_a_lead_grows_from_the_middle_towards_its_holder() -> None:
    shown = frame(totals((3, 1), (0, 6), (2, 2)))
    assert shown.bars == (Bar("near", 2), Bar("far", 4), Bar("near", 0))
    assert as_text(draw_still(shown)) == "\n".join(
        [
            ". B .",
            ". B .",
            ". B .",
            ". B .",
            "W W W",
            "R . r",
            "R . .",
            ". . .",
            ". . .",
        ]
    )


def test_a_tie_shows_one_dim_light_on_the_first_players_side() -> None:
    shown = draw_still(frame(totals((0, 0), (4, 4), (0, 0)), first="far"))
    for bar in range(3):
        lit = [i for i in range(BAR_LIGHTS) if shown[bar * BAR_LIGHTS + i] != OUT]
        assert lit == [BALANCE, BALANCE + 1]
        assert max(shown[bar * BAR_LIGHTS + BALANCE + 1]) < 128


def test_the_bars_stand_in_the_order_of_the_boards() -> None:
    sums = totals((5, 0), (0, 1), (0, 0))
    assert frame(sums, order="SAL").bars == (Bar("near", 0), Bar("near", 4), Bar("far", 1))


@pytest.mark.parametrize(
    ("edition", "first", "near", "far"),
    [
        ("revised", "near", RED, BLUE),
        ("revised", "far", BLUE, RED),
        ("first", "near", RED, BLUE),
        ("critters", "near", WHITE, AMBER),
        ("critters", "far", AMBER, WHITE),
    ],
)
def test_colours_follow_the_commander_card(edition: str, first: Seat, near: object, far: object) -> None:
    assert commander_colours(edition, first) == (near, far)  # type: ignore[arg-type]


def test_a_violation_blinks_and_a_choice_breathes() -> None:
    shown = frame(totals((1, 0), (1, 0), (1, 0)), violations={"A"}, choices={"A", "L"})
    assert [bar.mood for bar in shown.bars] == ["blink", "breathe", "steady"]
    on, off = draw(shown, 0), draw(shown, 300)
    assert on[BALANCE] != OUT
    assert off[:9] == (OUT,) * 9
    assert on[18:] == off[18:]


def test_a_won_battle_and_a_won_war_have_their_shows_but_a_violation_is_told_first() -> None:
    sums = totals((5, 0), (4, 0), (0, 3))
    assert frame(sums, battle_winner="near").scene == "battle-won"
    war = frame(sums, battle_winner="near", war_winner="near")
    assert (war.scene, war.winner) == ("war-won", "near")
    assert frame(sums, battle_winner="near", violations={"S"}).scene == "game"


def test_a_table_without_a_battle_breathes_at_the_balance() -> None:
    lit = [i for i, light in enumerate(draw_still(IDLE)) if light != OUT]
    assert lit == [4, 13, 22]


def test_a_frame_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="no such bar"):
        Bar("near", 5)
    with pytest.raises(ValueError, match="winner"):
        LightFrame("battle-won")
