"""What the 27 lights look like, worked out exactly as the controller does it (firmware/core/picture.c).

Used wherever there is no strip to look at: the controller without hardware, the phone page, pictures and tests.
Times are whole milliseconds. A drawing is 27 colours as a screen has them, before gamma, brightness and budget:
bars from left to right for the near seat, each from its near end to its far end.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from engine.names import Seat
from host.lights.frame import Bar, Colour, LightFrame

BARS: Final = 3
BAR_LIGHTS: Final = 9
BALANCE: Final = 4

BLINK_MS: Final = 300
BREATH_MS: Final = 2400
BREATH_LOW: Final = 80
PULSE_MS: Final = 3000
PULSE_LOW: Final = 60
PULSE_FOR_MS: Final = 600_000
PULSE_FADES_MS: Final = 10_000
TIE_LEVEL: Final = 110
GREETING_DARK_MS: Final = 300
GREETING_GROWN_MS: Final = 1300
GREETING_END_MS: Final = 1500
BATTLE_WAVE_MS: Final = 800
BATTLE_SHOW_MS: Final = 2400
WAR_WAVE_MS: Final = 600
WAR_SHOW_MS: Final = 4200
FADE_MS: Final = 200
HOLD_MS: Final = 2000
HOLD_SHOWN_FROM_MS: Final = 300

OUT: Final = Colour(0, 0, 0)
BALANCE_WHITE: Final = Colour(150, 135, 105)
LOST_AMBER: Final = Colour(255, 140, 0)
FULL_WHITE: Final = Colour(255, 255, 255)

Drawing: TypeAlias = tuple[Colour, ...]


def scale(value: int, level: int) -> int:
    """`value` of 0..255 dimmed to `level`; 255 leaves it as it is."""
    return value * (level + 1) >> 8


def dimmed(colour: Colour, level: int) -> Colour:
    return Colour(scale(colour.red, level), scale(colour.green, level), scale(colour.blue, level))


def swell(passed: int, period: int, low: int) -> int:
    """From 255 down to `low` and back in one period, gentle at both ends."""
    phase = passed % period * 510 // period
    turn = phase - 255 if phase > 255 else 255 - phase
    return low + scale(turn * (511 - turn) // 256, 255 - low)


def _towards(seat: Seat | None, step: int) -> int:
    return BALANCE + step if seat == "far" else BALANCE - step


def _play(bar: Bar, colour: Colour, now: int) -> list[Colour]:
    out = [OUT] * BAR_LIGHTS
    if bar.holder is None and bar.mood == "steady":
        return out
    level = 255
    if bar.mood == "blink":
        level = 0 if now // BLINK_MS % 2 else 255
    elif bar.mood == "breathe":
        level = swell(now, BREATH_MS, BREATH_LOW)
    out[BALANCE] = dimmed(BALANCE_WHITE, level)
    for step in range(1, bar.lead + 1):
        out[_towards(bar.holder, step)] = dimmed(colour, level)
    if bar.holder is not None and bar.lead == 0:
        out[_towards(bar.holder, 1)] = dimmed(dimmed(colour, TIE_LEVEL), level)
    return out


def _battle_won(winner: Seat, colour: Colour, passed: int) -> list[Colour]:
    out = [OUT] * BAR_LIGHTS
    if passed < BATTLE_SHOW_MS:
        steps, level = passed % BATTLE_WAVE_MS * 5 // BATTLE_WAVE_MS, 255
    else:
        steps, level = 4, swell(passed - BATTLE_SHOW_MS, BREATH_MS, BREATH_LOW)
    out[BALANCE] = dimmed(BALANCE_WHITE, level)
    for step in range(1, steps + 1):
        out[_towards(winner, step)] = dimmed(colour, level)
    return out


def _war_won(winner: Seat, colour: Colour, bar: int, passed: int) -> list[Colour]:
    if passed >= WAR_SHOW_MS:
        level = swell(passed - WAR_SHOW_MS, BREATH_MS, BREATH_LOW)
        return [dimmed(BALANCE_WHITE if light == BALANCE else colour, level) for light in range(BAR_LIGHTS)]
    out = [OUT] * BAR_LIGHTS
    head = (passed + WAR_WAVE_MS - bar * (WAR_WAVE_MS // 3)) % WAR_WAVE_MS * 12 // WAR_WAVE_MS
    for light in range(BAR_LIGHTS):
        along = light if winner == "far" else BAR_LIGHTS - 1 - light
        if along <= head < along + 3:
            out[light] = FULL_WHITE if along == head else colour
    return out


def _bar(frame: LightFrame, index: int, now: int, passed: int) -> list[Colour]:
    if frame.scene == "game":
        bar = frame.bars[index]
        return _play(bar, frame.colour(bar.holder or "near"), now)
    if frame.scene == "idle":
        out = [OUT] * BAR_LIGHTS
        out[BALANCE] = dimmed(BALANCE_WHITE, swell(now, BREATH_MS, BREATH_LOW))
        return out
    if frame.winner is None:
        return [OUT] * BAR_LIGHTS
    colour = frame.colour(frame.winner)
    if frame.scene == "battle-won":
        return _battle_won(frame.winner, colour, passed)
    return _war_won(frame.winner, colour, index, passed)


def draw(frame: LightFrame, now: int, since: int = 0) -> Drawing:
    """The frame at `now`; `since` is when its scene began. The soft transition of a new frame is left out."""
    return tuple(light for index in range(BARS) for light in _bar(frame, index, now, now - since))


def draw_still(frame: LightFrame) -> Drawing:
    """The frame as it looks when nothing moves: blinking bars lit, breathing ones full, shows at their end."""
    passed = {"battle-won": BATTLE_SHOW_MS, "war-won": WAR_SHOW_MS}.get(frame.scene, 0)
    return draw(frame, 0, -passed)


def draw_greeting(passed: int) -> Drawing:
    """What the controller shows by itself `passed` ms after its start: dark, then white that grows and fades."""
    out = [OUT] * BAR_LIGHTS
    if GREETING_DARK_MS <= passed < GREETING_END_MS:
        reach, level = 4, 255
        if passed < GREETING_GROWN_MS:
            reach = (passed - GREETING_DARK_MS) * 5 // (GREETING_GROWN_MS - GREETING_DARK_MS)
        else:
            level = 255 * (GREETING_END_MS - passed) // (GREETING_END_MS - GREETING_GROWN_MS)
        for light in range(BALANCE - reach, BALANCE + reach + 1):
            out[light] = dimmed(BALANCE_WHITE, level)
    return tuple(out * BARS)


def draw_host_lost(passed: int) -> Drawing:
    """The slow amber pulse, `passed` ms after the controller noticed that nobody talks to it; after ten minutes it
    fades out."""
    level = swell(passed, PULSE_MS, PULSE_LOW)
    if passed >= PULSE_FOR_MS + PULSE_FADES_MS:
        level = 0
    elif passed >= PULSE_FOR_MS:
        level = scale(level, 255 - (passed - PULSE_FOR_MS) * 255 // PULSE_FADES_MS)
    out = [OUT] * BAR_LIGHTS
    out[BALANCE] = dimmed(LOST_AMBER, level)
    out[BALANCE - 1] = out[BALANCE + 1] = dimmed(LOST_AMBER, level // 2)
    return tuple(out * BARS)


def draw_hold(drawing: Drawing, held: dict[Seat, int]) -> Drawing:
    """`drawing` with the progress of a held button over it: four lights fill up at that seat's end of every bar."""
    out = list(drawing)
    for seat, ms in held.items():
        if ms < HOLD_SHOWN_FROM_MS:
            continue
        # The last light means that the two seconds are reached: whoever lets go before it gets a short press.
        full = 1 + (min(ms, HOLD_MS) - HOLD_SHOWN_FROM_MS) * 3 // (HOLD_MS - HOLD_SHOWN_FROM_MS)
        for bar in range(BARS):
            for light in range(full):
                out[bar * BAR_LIGHTS + (BAR_LIGHTS - 1 - light if seat == "far" else light)] = FULL_WHITE
    return tuple(out)


def blend(before: Drawing, after: Drawing, passed: int) -> Drawing:
    """The soft transition, `passed` ms after the new frame came; over after FADE_MS."""
    if passed >= FADE_MS:
        return after
    share = (passed + 20) * 255 // (FADE_MS + 20)
    return tuple(
        Colour(*(scale(a, 255 - share) + scale(b, share) for a, b in zip(old, new, strict=True)))
        for old, new in zip(before, after, strict=True)
    )


def as_text(drawing: Drawing) -> str:
    """Nine rows of three lights as the near seat sees them, far end on top: `.` dark, else what the colour is most."""

    def letter(colour: Colour) -> str:
        red, green, _ = colour
        strongest = max(colour)
        if strongest == 0:
            return "."
        if min(colour) * 2 > strongest:
            sign = "W"
        elif red == strongest:
            sign = "A" if green * 3 > red else "R"
        else:
            sign = "G" if green == strongest else "B"
        return sign if strongest >= 128 else sign.lower()

    rows = (
        " ".join(letter(drawing[bar * BAR_LIGHTS + light]) for bar in range(BARS))
        for light in range(BAR_LIGHTS - 1, -1, -1)
    )
    return "\n".join(rows)
