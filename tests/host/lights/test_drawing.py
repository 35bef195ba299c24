"""The drawing in motion: what the lights look like between the still pictures. The core in C is held to the same."""

from __future__ import annotations

import itertools

from host.lights.drawing import (
    BALANCE,
    BAR_LIGHTS,
    BATTLE_SHOW_MS,
    BREATH_MS,
    FADE_MS,
    FULL_WHITE,
    GREETING_END_MS,
    OUT,
    PULSE_MS,
    WAR_SHOW_MS,
    as_text,
    blend,
    draw,
    draw_greeting,
    draw_hold,
    draw_host_lost,
    draw_still,
    swell,
)
from host.lights.frame import DARK, RED, Bar, LightFrame

GAME = LightFrame("game", (Bar("near", 4), Bar("far", 0), Bar("far", 2)))


def lit(drawing: object, bar: int = 0) -> list[int]:
    lights = drawing[bar * BAR_LIGHTS : (bar + 1) * BAR_LIGHTS]  # type: ignore[index]
    return [i for i, light in enumerate(lights) if light != OUT]


def test_a_still_frame_is_the_same_at_every_moment() -> None:
    assert {draw(GAME, now) for now in range(0, 10_000, 37)} == {draw_still(GAME)}


def test_dark_is_dark() -> None:
    assert set(draw_still(DARK)) == {OUT}


def test_breathing_never_goes_out_and_comes_back_after_a_breath() -> None:
    frame = LightFrame("game", (Bar("near", 2, "breathe"), Bar("near", 2), Bar("near", 2)))
    levels = [max(draw(frame, now)[BALANCE]) for now in range(0, BREATH_MS, 20)]
    assert min(levels) > 0
    assert max(levels) > 2 * min(levels)
    assert draw(frame, 0) == draw(frame, BREATH_MS) == draw_still(frame)
    assert all(abs(a - b) < 8 for a, b in itertools.pairwise(levels))


def test_swell_starts_full_and_is_lowest_half_way() -> None:
    assert swell(0, 1000, 60) == 255
    assert swell(500, 1000, 60) == 60


def test_a_won_battle_fills_the_winners_side_three_times_and_stays() -> None:
    frame = LightFrame("battle-won", winner="far")
    counts = [len(lit(draw(frame, now))) for now in range(0, BATTLE_SHOW_MS, 10)]
    assert sum(a > b for a, b in itertools.pairwise(counts)) == 2
    assert lit(draw(frame, BATTLE_SHOW_MS)) == [4, 5, 6, 7, 8]


def test_a_won_war_runs_through_every_bar_and_ends_with_all_lights() -> None:
    frame = LightFrame("war-won", winner="near")
    for bar in range(3):
        seen = {i for now in range(0, WAR_SHOW_MS, 10) for i in lit(draw(frame, now), bar)}
        assert seen == set(range(BAR_LIGHTS))
    assert FULL_WHITE in draw(frame, 300)
    assert lit(draw_still(frame), 2) == list(range(BAR_LIGHTS))
    assert draw_still(frame)[0] == RED


def test_the_start_is_dark_then_a_greeting_then_dark() -> None:
    assert set(draw_greeting(0)) == {OUT}
    assert lit(draw_greeting(1299)) == list(range(BAR_LIGHTS))
    assert set(draw_greeting(GREETING_END_MS)) == {OUT}


def test_the_host_lost_pulse_is_amber_and_never_goes_out() -> None:
    for passed in range(0, 2 * PULSE_MS, 50):
        drawing = draw_host_lost(passed)
        assert lit(drawing) == [BALANCE - 1, BALANCE, BALANCE + 1]
        red, green, blue = drawing[BALANCE]
        assert red > green > blue == 0


def test_a_held_button_fills_its_own_end() -> None:
    dark = draw_still(DARK)
    assert set(draw_hold(dark, {"near": 200})) == {OUT}
    assert lit(draw_hold(dark, {"near": 400})) == [0]
    assert lit(draw_hold(dark, {"near": 1999, "far": 900})) == [0, 1, 2, 7, 8]
    assert lit(draw_hold(dark, {"near": 2000, "far": 60_000})) == [0, 1, 2, 3, 5, 6, 7, 8]


def test_a_new_frame_fades_in() -> None:
    before, after = draw_still(DARK), draw_still(GAME)
    reds = [blend(before, after, passed)[0].red for passed in range(0, FADE_MS + 20, 20)]
    assert reds == sorted(reds)
    assert 0 < reds[0] < reds[4] < reds[-1] == after[0].red


def test_the_text_names_the_colours() -> None:
    assert as_text(draw_host_lost(0)).splitlines()[4] == "A A A"
