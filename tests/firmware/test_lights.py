"""The grammar of the lights, as the core draws it: against the design's words, and against the host's own drawing."""

from __future__ import annotations

import itertools
import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.names import Seat
from host.boards.setup import LOWEST_BRIGHTNESS
from host.lights.drawing import draw, draw_greeting, draw_host_lost
from host.lights.frame import BLUE as EDITION_BLUE
from host.lights.frame import RED as EDITION_RED
from host.lights.frame import Bar, Colour, LightFrame
from host.link.codec import SerialFrame, encode
from host.link.messages import ControllerSettings, Pong, Shown, Stats, Type, pack_lights
from host.link.strip import chain_of, current_ma, wire_bytes
from host.link.virtual.picture import VirtualPicture

BRIGHT = ControllerSettings(brightness=255, order=1, budget_ma=3000)
RED, BLUE = (255, 0, 0), (0, 0, 255)
DARK = (0, 0, 0)
EDITION_COLOURS = (EDITION_RED, EDITION_BLUE)
DITHERING = runpy.run_path(str(Path(__file__).parents[2] / "firmware" / "tools" / "dithering.py"))

colours = st.builds(Colour, *(st.integers(0, 255),) * 3)
bars = st.one_of(
    st.builds(Bar, st.just(None), st.just(0), st.sampled_from(("steady", "blink", "breathe"))),
    st.builds(
        Bar, st.sampled_from(("near", "far")), st.integers(0, 4), st.sampled_from(("steady", "blink", "breathe"))
    ),
)


@st.composite
def frames(draw_: st.DrawFn) -> LightFrame:
    scene = draw_(st.sampled_from(("dark", "game", "battle-won", "war-won", "idle")))
    winner: Seat | None = draw_(st.sampled_from(("near", "far"))) if scene.endswith("won") else None
    dark = Bar(None, 0, "steady")
    shown = tuple(draw_(bars) for _ in range(3)) if scene == "game" else (dark, dark, dark)
    return LightFrame(scene, shown, draw_(colours), draw_(colours), winner)  # type: ignore[arg-type]


any_settings = st.builds(
    ControllerSettings,
    brightness=st.integers(1, 255),
    order=st.integers(0, 5),
    chain=st.integers(9, 36),
    budget_ma=st.integers(50, 1500),
    bars=st.sampled_from(
        (
            ((0, False), (9, False), (18, False)),
            ((27, True), (0, False), (14, True)),
            ((18, True), (9, True), (0, True)),
            ((1, False), (12, True), (24, False)),
        )
    ),
)


def lit(core: Any, frame: LightFrame, *, after: int = 0) -> list[list[tuple[int, ...]]]:
    """The three bars, near end first, as red, green, blue, of a frame shown without a soft transition."""
    core.set(BRIGHT)
    assert core.ask(Type.LIGHTS, pack_lights(frame, cut=True)).type == Type.LIGHTS | 0x80
    if after:
        alive(core, after)
    pixels = [tuple(core.wire[3 * at : 3 * at + 3]) for at in range(27)]
    return [pixels[9 * bar : 9 * bar + 9] for bar in range(3)]


def alive(core: Any, ms: int) -> None:
    """Let time pass with a host that pings."""
    for passed in range(ms):
        if passed % 500 == 0:
            core.hear(encode(SerialFrame(Type.PING, 0, bytes(4))))
        core.advance(1)


def game(*shown: Bar) -> LightFrame:
    return LightFrame("game", tuple(shown), Colour(*RED), Colour(*BLUE), None)  # type: ignore[arg-type]


def on(bar: list[tuple[int, ...]]) -> list[int]:
    return [at for at, light in enumerate(bar) if light != DARK]


def test_lights_grow_from_the_balance_towards_the_holder_one_a_point(core: Any) -> None:
    for lead in range(1, 5):
        near, far, _ = lit(core, game(Bar("near", lead), Bar("far", lead), Bar(None, 0)))
        assert on(near) == list(range(4 - lead, 5)) and {near[at] for at in range(4 - lead, 4)} == {RED}
        assert on(far) == list(range(4, 5 + lead)) and {far[at] for at in range(5, 5 + lead)} == {BLUE}


def test_a_tie_is_the_balance_and_one_dim_light_on_the_side_that_wins_it(core: Any) -> None:
    near, far, empty = lit(core, game(Bar("near", 0), Bar("far", 0), Bar(None, 0)))
    assert on(near) == [3, 4] and on(far) == [4, 5] and on(empty) == []
    assert 0 < near[3][0] < 80 and 0 < far[5][2] < 80


def test_a_bar_that_blinks_is_dark_half_the_time_and_one_that_breathes_never(core: Any) -> None:
    core.set(BRIGHT)
    core.ask(
        Type.LIGHTS, pack_lights(game(Bar("near", 2, "blink"), Bar("far", 1, "breathe"), Bar("near", 3)), cut=True)
    )
    blinking, breathing, steady = [], [], []
    for _ in range(240):
        alive(core, 20)
        blinking.append(core.wire[9:12] != b"\0\0\0")
        breathing.append(core.wire[27 + 15 + 2])
        steady.append(core.wire[54:81])
    assert 0.4 < sum(blinking) / 240 < 0.6
    assert min(breathing) > 5 and max(breathing) > 240
    assert len(set(steady)) == 1


def test_a_new_picture_fades_in_over_a_fifth_of_a_second_at_fifty_a_second(core: Any) -> None:
    core.set(BRIGHT)
    core.advance(1600)
    core.ask(Type.LIGHTS, pack_lights(game(Bar("near", 4), Bar(None, 0), Bar(None, 0))))
    reds, shows = [core.wire[0]], [core.shows]
    for _ in range(15):
        core.advance(20)
        reds.append(core.wire[0])
        shows.append(core.shows)
    assert reds == sorted(reds) and len(set(reds)) >= 8
    assert reds[0] < 20 and reds[5] < 200 and reds[10] == 255
    assert [b - a for a, b in itertools.pairwise(shows[:11])] == [1] * 10
    assert shows[-1] == shows[11], "a picture that stands still is not sent fifty times a second"


def test_the_answer_comes_after_the_lights_show_it(core: Any) -> None:
    before = core.shows
    shown = Shown.unpack(core.ask(Type.LIGHTS, pack_lights(game(*[Bar("near", 1)] * 3))).body)
    assert core.shows == before + 1 and (shown.shows, shown.limit) == (1, 255)


def test_a_host_that_is_silent_for_two_seconds_is_missed_and_comes_back_to_its_picture(core: Any) -> None:
    held = lit(core, game(Bar("near", 4), Bar("far", 4), Bar("near", 4)))
    core.advance(1999)
    assert core.wire[0:3] == bytes(RED)
    core.advance(1)
    alone = [tuple(core.wire[3 * at : 3 * at + 3]) for at in range(27)]
    assert [at for at, light in enumerate(alone) if light != DARK] == [3, 4, 5, 12, 13, 14, 21, 22, 23]
    assert alone[4][0] > alone[4][1] > alone[4][2] == 0, "amber"
    pulse = []
    for _ in range(150):
        core.advance(20)
        pulse.append(core.wire[12])
    assert min(pulse) > 0 and max(pulse) > 10 * min(pulse), "slow, and never dark"
    assert Pong.unpack(core.ask(Type.PING, bytes(4)).body).flags & 1
    alive(core, 300)
    assert [tuple(core.wire[3 * at : 3 * at + 3]) for at in range(27)] == [light for bar in held for light in bar]
    core.ask(Type.LIGHTS, pack_lights(game(*[Bar("near", 1)] * 3)))
    assert not Pong.unpack(core.ask(Type.PING, bytes(4)).body).flags & 1


def test_the_start_is_dark_then_a_short_greeting_then_dark(core: Any) -> None:
    seen = 0
    for _ in range(1700):
        before = core.shows
        core.advance(1)
        if core.shows > before:
            seen += 1
            assert (
                core.wire
                == wire_bytes(chain_of(draw_greeting(core.now), ControllerSettings()), ControllerSettings())[0]
            )
            if not 1470 < core.now < 1500:  # fading out, it reaches the strip's darkest step a little early
                assert any(core.wire) == (300 <= core.now < 1500)
    assert seen > 75


def test_the_same_frame_again_does_not_start_a_show_anew(core: Any) -> None:
    frame = LightFrame("battle-won", (Bar(None, 0),) * 3, Colour(*RED), Colour(*BLUE), "far")
    first = lit(core, frame)
    alive(core, 2500)
    after = core.ask(Type.LIGHTS, pack_lights(frame, cut=True))
    assert after.type == Type.LIGHTS | 0x80
    bar = [tuple(core.wire[3 * at : 3 * at + 3]) for at in range(9)]
    assert on(first[0]) == [4] and on(bar) == [4, 5, 6, 7, 8]


def test_a_won_war_ends_with_every_light_in_the_winners_colour(core: Any) -> None:
    frame = LightFrame("war-won", (Bar(None, 0),) * 3, Colour(*RED), Colour(*BLUE), "near")
    for bar in lit(core, frame, after=4300):
        assert on(bar) == list(range(9)) and all(light[1] == light[2] == 0 for at, light in enumerate(bar) if at != 4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(frames(), any_settings, st.integers(0, 6000), st.integers(0, 3000))
def test_core_and_host_draw_the_same_bytes(
    core: Any, frame: LightFrame, how: ControllerSettings, before: int, after: int
) -> None:
    core.start()
    core.set(how)
    alive(core, 40 + before)
    shown = Shown.unpack(core.ask(Type.LIGHTS, pack_lights(frame, cut=True)).body)
    since = core.now
    assert (core.wire, shown.limit) == wire_bytes(chain_of(draw(frame, since, since), how), how)
    alive(core, after)
    core.set(how)  # a settings command makes the board show at once, so that the moment is known
    core.library.pc_poll()
    assert core.wire == wire_bytes(chain_of(draw(frame, core.now, since), how), how)[0]
    core.advance(2500)
    assert core.wire == wire_bytes(chain_of(draw_host_lost((core.now - lost_at(core)) // 20 * 20), how), how)[0]


def test_a_host_that_stays_away_is_pulsed_for_ten_minutes_and_then_the_lights_fade_out(core: Any) -> None:
    how = ControllerSettings()
    core.set(how)
    core.advance(2_000)
    lost = core.now
    core.library.pc_jump(599_000)
    core.advance(20)
    assert any(core.wire)
    core.library.pc_jump(6_000)
    core.advance(20)
    passed = (core.now - lost) // 20 * 20
    assert core.wire == wire_bytes(chain_of(draw_host_lost(passed), how), how)[0]
    core.library.pc_jump(5_000)
    core.advance(520)
    assert not any(core.wire)
    shows = core.shows
    core.library.pc_jump(2**32 - 700_000)  # the clock runs round
    core.advance(1_000)
    assert not any(core.wire)
    assert core.shows - shows <= 4, "a still picture is sent twice a second"
    assert core.ask(Type.PING, bytes(4)).type == 0x82


def lost_at(core: Any) -> int:
    """The last frame heard was `set`, 2,500 ms ago."""
    return int(core.now) - 500


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(any_settings, st.binary(min_size=108, max_size=108), frames(), st.integers(0, 6))
def test_no_picture_ever_exceeds_the_current_budget(
    core: Any, how: ControllerSettings, pixels: bytes, frame: LightFrame, pattern: int
) -> None:
    core.start()
    core.set(how)
    for offset in range(0, 36, 18):
        core.ask(Type.PIXELS, bytes((offset,)) + pixels[3 * offset : 3 * offset + 54])
    core.ask(Type.SHOW)
    assert current_ma(core.wire) <= max(how.budget_ma, how.chain)
    core.ask(Type.SELF_TEST, bytes((pattern, 0)))
    core.ask(Type.LIGHTS, pack_lights(frame))
    core.press(near=True, far=True)
    alive(core, 2300)
    assert core.library.pc_over_budget() == 0


def test_all_white_is_dimmed_to_just_under_the_budget_and_counted(core: Any) -> None:
    core.set(ControllerSettings(brightness=255, chain=36, budget_ma=400))
    shown = Shown.unpack(core.ask(Type.SELF_TEST, b"\x02\x00").body)
    assert 360 < current_ma(core.wire) <= 400 and shown.limit < 255
    assert Stats.unpack(core.ask(Type.STATS).body).budget_limited == 1


def test_raw_pixels_reach_the_strip_in_its_colour_order_without_gamma(core: Any) -> None:
    for order, name in enumerate(("GRB", "RGB", "GBR", "BRG", "BGR", "RBG")):
        core.set(ControllerSettings(brightness=255, order=order, budget_ma=3000))
        core.ask(Type.PIXELS, bytes((26, 200, 100, 50)))
        core.ask(Type.SHOW)
        assert core.wire[78:81] == bytes({"R": 200, "G": 100, "B": 50}[letter] for letter in name)


def test_raw_pixels_come_back_after_the_host_was_lost_and_stand_still(core: Any) -> None:
    core.ask(Type.PIXELS, bytes((0, 255, 255, 255)))
    core.ask(Type.SHOW)
    held = core.wire
    core.advance(2200)
    assert core.wire != held
    alive(core, 600)
    shows = core.shows
    alive(core, 1000)
    assert core.wire == held and core.shows - shows == 2


def test_each_light_of_the_chain_can_be_tested_alone(core: Any) -> None:
    core.set(ControllerSettings(brightness=255, chain=36, budget_ma=3000))
    for index in range(36):
        core.ask(Type.SELF_TEST, bytes((1, index)))
        assert [at for at in range(36) if any(core.wire[3 * at : 3 * at + 3])] == [index]
    core.ask(Type.SELF_TEST, b"\x01\xff")
    walked = []
    for _ in range(40):
        walked.append(next(at for at in range(36) if core.wire[3 * at]))
        alive(core, 500)
    assert walked == [at % 36 for at in range(40)]


def test_lights_beyond_a_chain_made_shorter_go_dark(core: Any) -> None:
    core.set(ControllerSettings(brightness=255, chain=36, budget_ma=3000))
    core.ask(Type.SELF_TEST, b"\x02\x00")
    shows = core.shows
    core.hear(encode(SerialFrame(Type.SETTINGS_SET, 5, ControllerSettings(chain=27).pack())))
    assert core.shows == shows + 2, "all 36 dark once, then the 27"
    assert len(core.wire) == 81


@pytest.mark.parametrize(
    ("offset", "value"), [(0, 5), (1, 2), (2, 0), (2, 1), (9, 0x85), (10, 5), (11, 0x60), (9, 0x11)]
)
def test_a_frame_out_of_range_is_refused_by_its_place_and_the_picture_stays(core: Any, offset: int, value: int) -> None:
    lit(core, game(*[Bar("near", 2)] * 3))
    before = core.wire
    body = bytearray(pack_lights(game(*[Bar("far", 1)] * 3), cut=True))
    body[offset] = value
    refused = core.ask(Type.LIGHTS, bytes(body))
    assert (refused.type, refused.body) == (Type.ERROR, bytes((3, Type.LIGHTS, offset)))
    core.advance(600)
    assert core.wire == before


def test_a_start_puts_out_what_shone_before_also_beyond_the_chain(core: Any) -> None:
    core.start()
    assert core.wire == bytes(3 * 36), "with the power still on, spares would keep their last colour for ever"


@pytest.mark.parametrize("brightness", [1, 4, 8, 12, 32, 64, 128, 255])
def test_the_balance_is_white_and_the_amber_pulse_amber_however_dim(core: Any, brightness: int) -> None:
    core.set(replace(BRIGHT, brightness=brightness))
    core.ask(Type.LIGHTS, pack_lights(LightFrame("idle", (Bar(None, 0),) * 3, Colour(*RED), Colour(*BLUE)), cut=True))
    balances = set()
    for _ in range(120):
        alive(core, 20)
        balances.add(tuple(core.wire[12:15]))
    assert all(min(balance) > 0 for balance in balances)
    core.advance(2100)
    for _ in range(150):
        core.advance(20)
        red, green, blue = core.wire[12:15]
        assert red >= green > 0 and blue == 0


def test_at_the_lowest_brightness_that_is_offered_every_sign_still_differs(core: Any) -> None:
    core.set(replace(BRIGHT, brightness=LOWEST_BRIGHTNESS))
    frame = LightFrame("game", (Bar("near", 0), Bar("near", 1), Bar(None, 0, "breathe")), *EDITION_COLOURS)
    core.ask(Type.LIGHTS, pack_lights(frame, cut=True))
    tie, lead = core.wire[9:12], core.wire[27 + 9 : 27 + 12]
    assert max(lead) >= 4 * max(tie) > 0
    breath = []
    for _ in range(120):
        alive(core, 20)
        breath.append(sum(core.wire[54 + 12 : 54 + 15]))
    assert max(breath) >= 1.5 * min(breath)


def test_dithering_in_time_would_flicker_below_ninety_hertz() -> None:
    over, hertz = DITHERING["worst"]("WS2812B", "four pictures of 2 ms, one brighter", 1)
    assert over > 10 and hertz < 90
    steady = DITHERING["light"](430, 2.0, (0, 0, 0, 0), 3)
    assert DITHERING["modulation"](steady, 430, 25) < 1e-9


def test_lights_that_end_the_hosts_absence_fade_in_from_the_amber_pulse(core: Any) -> None:
    core.set(BRIGHT)
    before, after = (pack_lights(game(Bar("near", n), Bar("far", 4 - n), Bar(None, 0))) for n in (1, 4))
    core.advance(1700)
    core.ask(Type.LIGHTS, before)
    model = VirtualPicture()
    model.take_lights(before, core.now)
    core.advance(2000)
    model.lose(core.now)
    core.advance(400)
    core.ask(Type.LIGHTS, after)
    model.find(core.now)
    model.take_lights(after, core.now)
    for _ in range(12):
        assert core.wire == model.wire(BRIGHT, {}, core.now)[0]
        core.advance(20)


def test_a_transition_after_raw_pixels_begins_in_the_dark_though_the_host_was_away(core: Any) -> None:
    core.set(BRIGHT)
    core.ask(Type.PIXELS, bytes([0, 255, 255, 255]))
    core.ask(Type.SHOW)
    core.advance(2400)
    assert on([tuple(core.wire[12:15])]) == [0], "the amber pulse"
    core.ask(Type.PING, bytes(4))
    core.advance(60)
    core.ask(Type.LIGHTS, pack_lights(game(Bar("near", 4), Bar(None, 0), Bar(None, 0))))
    assert core.wire[9 * 3 : 18 * 3] == bytes(27), "nothing of the amber is left in a bar that shows nothing"
