#include "picture.h"

#include <string.h>

#include "wire.h"

enum {
    BLINK_MS = 300,
    BREATH_MS = 2400,
    BREATH_LOW = 80,
    PULSE_MS = 3000,
    PULSE_LOW = 60,
    PULSE_FADES_MS = 10000,
    TIE_LEVEL = 110,
    GREETING_DARK_MS = 300,
    GREETING_GROWN_MS = 1300,
    GREETING_END_MS = 1500,
    BATTLE_WAVE_MS = 800,
    BATTLE_SHOW_MS = 2400,
    WAR_WAVE_MS = 600,
    WAR_SHOW_MS = 4200,
    WALK_MS = 500,
    HOLD_SHOWN_FROM_MS = 300,   /* a short press shall not flash */
    HOLD_FILLS_MS = HOLD_MS - HOLD_SHOWN_FROM_MS
};

/* Ten minutes: a socket that stays powered shall not pulse all night. */
#define PULSE_FOR_MS 600000ul

static const Rgb DARK = {0, 0, 0};
static const Rgb SOFT_WHITE = {150, 135, 105};
static const Rgb AMBER = {255, 140, 0};
static const Rgb WHITE = {255, 255, 255};

static Rgb dimmed(Rgb colour, uint8_t level)
{
    return (Rgb){scale(colour.r, level), scale(colour.g, level), scale(colour.b, level)};
}

static uint8_t blended(uint8_t from, uint8_t to, uint8_t share)
{
    return (uint8_t)(scale(from, (uint8_t)(255 - share)) + scale(to, share));
}

/* low..255 and back in one period, gentle at both ends; starts at 255. */
static uint8_t swell(uint32_t passed, uint16_t period, uint8_t low)
{
    const uint16_t phase = (uint16_t)(passed % period);
    const uint8_t turn = (uint8_t)((uint32_t)phase * 510u / period > 255u ? (uint32_t)phase * 510u / period - 255u
                                                                         : 255u - (uint32_t)phase * 510u / period);
    const uint8_t smooth = (uint8_t)((uint16_t)((uint16_t)turn * (uint16_t)(511u - turn)) / 256u);
    return (uint8_t)(low + scale(smooth, (uint8_t)(255 - low)));
}

static Rgb seat_colour(const uint8_t *lights, uint8_t seat)
{
    const uint8_t *at = lights + (seat ? LIGHTS_FAR_COLOUR : LIGHTS_NEAR_COLOUR);
    return (Rgb){at[0], at[1], at[2]};
}

void picture_start(Picture *picture, uint32_t now)
{
    memset(picture, 0, sizeof *picture);
    picture->mode = PICTURE_GREETING;
    picture->mode_since = now;
    picture->limit = 255;
}

static int8_t lights_fault(const uint8_t *body)
{
    if (body[LIGHTS_SHOW] > SHOW_IDLE) {
        return LIGHTS_SHOW;
    }
    if (body[LIGHTS_OPTIONS] > OPTION_CUT) {
        return LIGHTS_OPTIONS;
    }
    const bool won = body[LIGHTS_SHOW] == SHOW_BATTLE_WON || body[LIGHTS_SHOW] == SHOW_WAR_WON;
    if (won ? body[LIGHTS_WINNER] > 1 : body[LIGHTS_WINNER] != NO_WINNER) {
        return LIGHTS_WINNER;
    }
    for (int8_t at = LIGHTS_BARS; at < LIGHTS_BYTES; at++) {
        const uint8_t bar = body[at];
        const uint8_t steps = bar & BAR_STEPS;
        if ((bar & BAR_UNUSED) || (bar & BAR_EFFECT) == BAR_EFFECT || steps > STEPS_MOST || ((bar & BAR_TIE) && steps)) {
            return at;
        }
    }
    return -1;
}

static void fade(Picture *picture, uint32_t now)
{
    memcpy(picture->from, picture->shown, sizeof picture->from);
    picture->fading = true;
    picture->fade_since = now;
}

int8_t picture_lights(Picture *picture, const uint8_t *body, uint32_t now)
{
    const int8_t fault = lights_fault(body);
    if (fault >= 0) {
        return fault;
    }
    const bool same = picture->mode == PICTURE_LIGHTS && memcmp(picture->lights, body, LIGHTS_BYTES) == 0;
    if (same) {
        return -1;
    }
    /* Only a new show or winner starts its animation anew; a colour corrected in mid-show does not. */
    if (picture->mode != PICTURE_LIGHTS || picture->lights[LIGHTS_SHOW] != body[LIGHTS_SHOW] ||
        picture->lights[LIGHTS_WINNER] != body[LIGHTS_WINNER]) {
        picture->mode_since = now;
    }
    picture->mode = PICTURE_LIGHTS;
    memcpy(picture->lights, body, LIGHTS_BYTES);
    fade(picture, now);
    picture->fading = (body[LIGHTS_OPTIONS] & OPTION_CUT) == 0;
    return -1;
}

void picture_raw(Picture *picture)
{
    picture->mode = PICTURE_RAW;
}

void picture_dark(Picture *picture, uint32_t now)
{
    static const uint8_t dark[LIGHTS_BYTES] = {[LIGHTS_SHOW] = SHOW_OFF, [LIGHTS_OPTIONS] = OPTION_CUT, [LIGHTS_WINNER] = NO_WINNER};
    (void)picture_lights(picture, dark, now);
}

void picture_test(Picture *picture, uint8_t test, uint8_t index, uint32_t now)
{
    if (test == 0) {
        if (picture->mode == PICTURE_TEST) {
            picture->mode = PICTURE_LIGHTS;
            picture->mode_since = now;
        }
        return;
    }
    picture->mode = PICTURE_TEST;
    picture->mode_since = now;
    picture->test = test;
    picture->test_index = index;
}

void picture_lose(Picture *picture, bool lost, uint32_t now)
{
    if (picture->lost == lost) {
        return;
    }
    picture->lost = lost;
    picture->lost_over = false;
    if (lost) {
        picture->lost_since = now;
        picture->fading = false;
    } else {
        fade(picture, now);
    }
}

static void compose_play(const Picture *picture, uint8_t bar, Rgb *out, uint32_t now)
{
    const uint8_t what = picture->lights[LIGHTS_BARS + bar];
    const uint8_t steps = what & BAR_STEPS;
    const uint8_t side = what & BAR_FAR ? 1 : 0;
    const bool tie = (what & BAR_TIE) != 0;
    const uint8_t effect = what & BAR_EFFECT;
    if (steps == 0 && !tie && effect == 0) {
        return;
    }
    const Rgb colour = seat_colour(picture->lights, side);
    uint8_t level = 255;
    if (effect == BAR_BLINKS) {
        level = (now / BLINK_MS) % 2 ? 0 : 255;
    } else if (effect == BAR_BREATHES) {
        level = swell(now, BREATH_MS, BREATH_LOW);
    }
    out[BALANCE] = dimmed(SOFT_WHITE, level);
    for (uint8_t step = 1; step <= steps; step++) {
        out[side ? BALANCE + step : BALANCE - step] = dimmed(colour, level);
    }
    if (tie) {
        out[side ? BALANCE + 1 : BALANCE - 1] = dimmed(dimmed(colour, TIE_LEVEL), level);
    }
}

/* The winner's side fills three times from the balance, then stays and breathes. */
static void compose_battle_won(const Picture *picture, Rgb *out, uint32_t passed)
{
    const uint8_t winner = picture->lights[LIGHTS_WINNER];
    const Rgb colour = seat_colour(picture->lights, winner);
    uint8_t steps = 4;
    uint8_t level = 255;
    if (passed < BATTLE_SHOW_MS) {
        steps = (uint8_t)((passed % BATTLE_WAVE_MS) * 5u / BATTLE_WAVE_MS);
    } else {
        level = swell(passed - BATTLE_SHOW_MS, BREATH_MS, BREATH_LOW);
    }
    out[BALANCE] = dimmed(SOFT_WHITE, level);
    for (uint8_t step = 1; step <= steps; step++) {
        out[winner ? BALANCE + step : BALANCE - step] = dimmed(colour, level);
    }
}

/* Waves of three lights run through every bar to the winner's end, one bar after the other; then all nine stay and breathe. */
static void compose_war_won(const Picture *picture, uint8_t bar, Rgb *out, uint32_t passed)
{
    const uint8_t winner = picture->lights[LIGHTS_WINNER];
    const Rgb colour = seat_colour(picture->lights, winner);
    if (passed < WAR_SHOW_MS) {
        const uint16_t late = (uint16_t)(bar * (WAR_WAVE_MS / 3));
        const uint8_t head = (uint8_t)((passed + WAR_WAVE_MS - late) % WAR_WAVE_MS * 12u / WAR_WAVE_MS);
        for (uint8_t light = 0; light < BAR_LIGHTS; light++) {
            const uint8_t along = winner ? light : (uint8_t)(BAR_LIGHTS - 1 - light);
            if (along <= head && along + 3 > head) {
                out[light] = along == head ? WHITE : colour;
            }
        }
        return;
    }
    const uint8_t level = swell(passed - WAR_SHOW_MS, BREATH_MS, BREATH_LOW);
    for (uint8_t light = 0; light < BAR_LIGHTS; light++) {
        out[light] = dimmed(light == BALANCE ? SOFT_WHITE : colour, level);
    }
}

static void compose_greeting(Rgb *out, uint32_t passed)
{
    if (passed < GREETING_DARK_MS || passed >= GREETING_END_MS) {
        return;
    }
    const uint32_t growing = passed - GREETING_DARK_MS;
    uint8_t reach = 4;
    uint8_t level = 255;
    if (passed < GREETING_GROWN_MS) {
        reach = (uint8_t)(growing * 5u / (GREETING_GROWN_MS - GREETING_DARK_MS));
    } else {
        level = (uint8_t)(255u * (GREETING_END_MS - passed) / (GREETING_END_MS - GREETING_GROWN_MS));
    }
    for (uint8_t light = (uint8_t)(BALANCE - reach); light <= BALANCE + reach; light++) {
        out[light] = dimmed(SOFT_WHITE, level);
    }
}

/* The amber pulse, which fades out in the end. Seen to be over only once: the clock runs round. */
static uint8_t pulse(const Picture *picture, uint32_t now)
{
    const uint32_t passed = now - picture->lost_since;
    const uint8_t level = swell(passed, PULSE_MS, PULSE_LOW);
    if (picture->lost_over || passed >= PULSE_FOR_MS + PULSE_FADES_MS) {
        return 0;
    }
    return passed < PULSE_FOR_MS ? level : scale(level, (uint8_t)(255u - (passed - PULSE_FOR_MS) * 255u / PULSE_FADES_MS));
}

static void compose_bar(const Picture *picture, uint8_t bar, Rgb *out, uint32_t now)
{
    for (uint8_t light = 0; light < BAR_LIGHTS; light++) {
        out[light] = DARK;
    }
    const uint32_t passed = now - picture->mode_since;
    if (picture->lost) {
        const uint8_t level = pulse(picture, now);
        out[BALANCE] = dimmed(AMBER, level);
        out[BALANCE - 1] = out[BALANCE + 1] = dimmed(AMBER, (uint8_t)(level / 2));
        return;
    }
    if (picture->mode == PICTURE_GREETING) {
        compose_greeting(out, passed);
        return;
    }
    switch ((Show)picture->lights[LIGHTS_SHOW]) {
    case SHOW_PLAY:
        compose_play(picture, bar, out, now);
        break;
    case SHOW_BATTLE_WON:
        compose_battle_won(picture, out, passed);
        break;
    case SHOW_WAR_WON:
        compose_war_won(picture, bar, out, passed);
        break;
    case SHOW_IDLE:
        out[BALANCE] = dimmed(SOFT_WHITE, swell(now, BREATH_MS, BREATH_LOW));
        break;
    case SHOW_OFF:
        break;
    }
}

/* At the seat's end of every bar four lights fill up while its button is held. */
static void overlay_hold(const Buttons *buttons, Rgb *out, uint32_t now)
{
    for (uint8_t seat = 0; seat < SEATS; seat++) {
        const uint16_t held = buttons_held_ms(buttons, seat, now);
        if (held < HOLD_SHOWN_FROM_MS) {
            continue;
        }
        /* The last light means that the two seconds are reached: whoever lets go before it gets a short press. */
        const uint16_t filling = (uint16_t)((held < HOLD_MS ? held : (uint16_t)HOLD_MS) - HOLD_SHOWN_FROM_MS);
        const uint8_t full = (uint8_t)(1u + filling * (BALANCE - 1u) / HOLD_FILLS_MS);
        for (uint8_t light = 0; light < full; light++) {
            out[seat ? BAR_LIGHTS - 1 - light : light] = WHITE;
        }
    }
}

static void put(Picture *picture, const Settings *settings, uint8_t bar, uint8_t light, Rgb colour)
{
    const Bar *place = &settings->bars[bar];
    const uint8_t at = (uint8_t)(place->first + (place->reversed ? BAR_LIGHTS - 1 - light : light));
    if (at < settings->chain) {
        uint8_t *pixel = picture->wire + 3 * at;
        pixel[0] = colour.r;
        pixel[1] = colour.g;
        pixel[2] = colour.b;
    }
}

static void compose_game(Picture *picture, const Settings *settings, const Buttons *buttons, uint32_t now)
{
    const uint32_t passed = now - picture->fade_since;
    if (passed >= FADE_MS) {
        picture->fading = false;
    }
    const uint8_t share = picture->fading ? (uint8_t)((passed + 20u) * 255u / (FADE_MS + 20u)) : 255;
    for (uint8_t bar = 0; bar < BARS; bar++) {
        Rgb lights[BAR_LIGHTS];
        compose_bar(picture, bar, lights, now);
        for (uint8_t light = 0; light < BAR_LIGHTS; light++) {
            const uint8_t at = (uint8_t)(bar * BAR_LIGHTS + light);
            if (picture->fading) {
                const Rgb from = picture->from[at];
                lights[light] = (Rgb){blended(from.r, lights[light].r, share), blended(from.g, lights[light].g, share),
                                      blended(from.b, lights[light].b, share)};
            }
            picture->shown[at] = lights[light];
        }
        overlay_hold(buttons, lights, now);
        for (uint8_t light = 0; light < BAR_LIGHTS; light++) {
            put(picture, settings, bar, light, lights[light]);
        }
    }
}

static void compose_test(Picture *picture, const Settings *settings, uint32_t now)
{
    static const Rgb red = {255, 0, 0};
    static const Rgb green = {0, 255, 0};
    static const Rgb blue = {0, 0, 255};
    uint8_t index = picture->test_index;
    switch (picture->test) {
    case 1:
        if (index == TEST_WALKS) {
            index = (uint8_t)((now - picture->mode_since) / WALK_MS % settings->chain);
        }
        if (index < settings->chain) {
            memset(picture->wire + 3 * index, 255, 3);
        }
        break;
    case 6:
        for (uint8_t bar = 0; bar < BARS; bar++) {
            put(picture, settings, bar, 0, red);
            put(picture, settings, bar, BALANCE, WHITE);
            put(picture, settings, bar, BAR_LIGHTS - 1, blue);
            for (uint8_t count = 0; count <= bar; count++) {
                put(picture, settings, bar, (uint8_t)(BALANCE - 1 - count), green);
            }
        }
        break;
    default:
        /* 2 white, 3 red, 4 green, 5 blue */
        for (uint8_t at = 0; at < 3 * settings->chain; at++) {
            picture->wire[at] = picture->test == 2 || at % 3 == picture->test - 3 ? 255 : 0;
        }
        break;
    }
}

void picture_compose(Picture *picture, const Settings *settings, const Buttons *buttons, uint32_t now)
{
    memset(picture->wire, 0, sizeof picture->wire);
    const bool raw = picture->mode == PICTURE_RAW && !picture->lost;
    const bool test = picture->mode == PICTURE_TEST && !picture->lost;
    if (raw || test) {
        /* Nothing here fades, though a host that comes back has begun a fade; and the next one starts from darkness. */
        picture->fading = false;
        memset(picture->shown, 0, sizeof picture->shown);
    }
    if (raw) {
        memcpy(picture->wire, picture->raw, (uint16_t)(3 * settings->chain));
    } else if (test) {
        compose_test(picture, settings, now);
    } else {
        compose_game(picture, settings, buttons, now);
    }
    if (picture->lost && now - picture->lost_since >= PULSE_FOR_MS + PULSE_FADES_MS) {
        picture->lost_over = true;
    }
    for (uint8_t light = 0; light < settings->chain; light++) {
        wire_light(picture->wire + 3 * light, settings, raw);
    }
    picture->limit = wire_keep_budget(picture->wire, settings);
}

bool picture_moves(const Picture *picture, const Buttons *buttons, uint32_t now)
{
    if ((picture->lost && !picture->lost_over) || picture->fading || buttons_held_ms(buttons, 0, now) || buttons_held_ms(buttons, 1, now)) {
        return true;
    }
    if (picture->lost) {
        return false;
    }
    switch (picture->mode) {
    case PICTURE_GREETING:
        return now - picture->mode_since < GREETING_END_MS + 100u;
    case PICTURE_TEST:
        return picture->test == 1 && picture->test_index == TEST_WALKS;
    case PICTURE_LIGHTS:
        if (picture->lights[LIGHTS_SHOW] == SHOW_PLAY) {
            return ((picture->lights[LIGHTS_BARS] | picture->lights[LIGHTS_BARS + 1] | picture->lights[LIGHTS_BARS + 2]) & BAR_EFFECT) != 0;
        }
        return picture->lights[LIGHTS_SHOW] != SHOW_OFF;
    case PICTURE_RAW:
        break;
    }
    return false;
}
