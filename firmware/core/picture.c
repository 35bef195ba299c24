#include "picture.h"

#include <string.h>

enum {
    BLINK_MS = 300,
    BREATH_MS = 2400,
    BREATH_LOW = 80,
    PULSE_MS = 3000,
    PULSE_LOW = 60,
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

static const Rgb DARK = {0, 0, 0};
static const Rgb SOFT_WHITE = {150, 135, 105};
static const Rgb AMBER = {255, 140, 0};
static const Rgb WHITE = {255, 255, 255};

/* round(255 * (i / 255) ^ 2.2): the eye's brightness to the light's. */
static ROM uint8_t GAMMA[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4,
    4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10,
    11, 11, 11, 12, 12, 13, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18, 19, 19,
    20, 20, 21, 22, 22, 23, 23, 24, 25, 25, 26, 26, 27, 28, 28, 29, 30, 30, 31, 32,
    33, 33, 34, 35, 35, 36, 37, 38, 39, 39, 40, 41, 42, 43, 43, 44, 45, 46, 47, 48,
    49, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67,
    68, 69, 70, 71, 73, 74, 75, 76, 77, 78, 79, 81, 82, 83, 84, 85, 87, 88, 89, 90,
    91, 93, 94, 95, 97, 98, 99, 100, 102, 103, 105, 106, 107, 109, 110, 111, 113, 114, 116, 117,
    119, 120, 121, 123, 124, 126, 127, 129, 130, 132, 133, 135, 137, 138, 140, 141, 143, 145, 146, 148,
    149, 151, 153, 154, 156, 158, 159, 161, 163, 165, 166, 168, 170, 172, 173, 175, 177, 179, 181, 182,
    184, 186, 188, 190, 192, 194, 196, 197, 199, 201, 203, 205, 207, 209, 211, 213, 215, 217, 219, 221,
    223, 225, 227, 229, 231, 234, 236, 238, 240, 242, 244, 246, 248, 251, 253, 255,
};

/* Place in the wire's three bytes of red, green and blue, for GRB, RGB, GBR, BRG, BGR, RBG. */
static ROM uint8_t ORDER[6][3] = {{1, 0, 2}, {0, 1, 2}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}, {0, 2, 1}};

/* v * level / 255, rounded down; 255 leaves v as it is. */
static uint8_t scale(uint8_t v, uint8_t level)
{
    return (uint8_t)((uint16_t)((uint16_t)v * (uint16_t)(level + 1u)) >> 8);
}

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
    const uint8_t *at = lights + (seat ? 6 : 3);
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
    if (body[0] > SHOW_IDLE) {
        return 0;
    }
    if (body[1] > 1) {
        return 1;
    }
    const bool won = body[0] == SHOW_BATTLE_WON || body[0] == SHOW_WAR_WON;
    if (won ? body[2] > 1 : body[2] != 255) {
        return 2;
    }
    for (int8_t at = 9; at < LIGHTS_BYTES; at++) {
        const uint8_t bar = body[at];
        const uint8_t steps = bar & 7u;
        if ((bar & 0x80u) || (bar & 0x60u) == 0x60u || steps > 4 || ((bar & 0x10u) && steps)) {
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
    if (picture->mode != PICTURE_LIGHTS || picture->lights[0] != body[0] || picture->lights[2] != body[2]) {
        picture->mode_since = now;
    }
    picture->mode = PICTURE_LIGHTS;
    memcpy(picture->lights, body, LIGHTS_BYTES);
    fade(picture, now);
    picture->fading = (body[1] & 1u) == 0;
    return -1;
}

void picture_raw(Picture *picture)
{
    picture->mode = PICTURE_RAW;
    picture->fading = false;
    memset(picture->shown, 0, sizeof picture->shown);
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
    picture->fading = false;
    memset(picture->shown, 0, sizeof picture->shown);
}

void picture_lose(Picture *picture, bool lost, uint32_t now)
{
    if (picture->lost == lost) {
        return;
    }
    picture->lost = lost;
    if (lost) {
        picture->lost_since = now;
        picture->fading = false;
    } else {
        fade(picture, now);
    }
}

static void compose_play(const Picture *picture, uint8_t bar, Rgb *out, uint32_t now)
{
    const uint8_t what = picture->lights[9 + bar];
    const uint8_t steps = what & 7u;
    const uint8_t side = (uint8_t)(what >> 3) & 1u;
    const bool tie = (what & 0x10u) != 0;
    const uint8_t effect = (uint8_t)(what >> 5) & 3u;
    if (steps == 0 && !tie && effect == 0) {
        return;
    }
    const Rgb colour = seat_colour(picture->lights, side);
    uint8_t level = 255;
    if (effect == 1) {
        level = (now / BLINK_MS) % 2 ? 0 : 255;
    } else if (effect == 2) {
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
    const uint8_t winner = picture->lights[2];
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
    const uint8_t winner = picture->lights[2];
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

static void compose_bar(const Picture *picture, uint8_t bar, Rgb *out, uint32_t now)
{
    for (uint8_t light = 0; light < BAR_LIGHTS; light++) {
        out[light] = DARK;
    }
    const uint32_t passed = now - picture->mode_since;
    if (picture->lost) {
        const uint8_t level = swell(now - picture->lost_since, PULSE_MS, PULSE_LOW);
        out[BALANCE] = dimmed(AMBER, level);
        out[BALANCE - 1] = out[BALANCE + 1] = dimmed(AMBER, (uint8_t)(level / 2));
        return;
    }
    if (picture->mode == PICTURE_GREETING) {
        compose_greeting(out, passed);
        return;
    }
    switch ((Show)picture->lights[0]) {
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

static uint32_t channels(const uint8_t *wire, uint8_t chain)
{
    uint32_t sum = 0;
    for (uint8_t at = 0; at < 3 * chain; at++) {
        sum += wire[at];
    }
    return sum;
}

uint16_t picture_current_ma(const uint8_t *wire, uint8_t chain)
{
    return (uint16_t)((uint16_t)(chain * LIGHT_MA) + (channels(wire, chain) * CHANNEL_MA + 254u) / 255u);
}

/* Dims the whole picture so that its current fits. Floors throughout, so the sum after it never exceeds the budget. */
static void keep_budget(Picture *picture, const Settings *settings)
{
    const uint32_t sum = channels(picture->wire, settings->chain);
    const uint16_t dark = (uint16_t)(settings->chain * LIGHT_MA);
    const uint32_t allowed = settings->budget_ma > dark ? (uint32_t)(settings->budget_ma - dark) * 255u / CHANNEL_MA : 0;
    picture->limit = 255;
    if (sum <= allowed) {
        return;
    }
    const uint32_t parts = allowed * 256u / sum;
    picture->limit = parts ? (uint8_t)(parts - 1) : 0;
    for (uint8_t at = 0; at < 3 * settings->chain; at++) {
        picture->wire[at] = parts ? scale(picture->wire[at], picture->limit) : 0;
    }
}

void picture_compose(Picture *picture, const Settings *settings, const Buttons *buttons, uint32_t now)
{
    memset(picture->wire, 0, sizeof picture->wire);
    const bool raw = picture->mode == PICTURE_RAW && !picture->lost;
    if (raw) {
        picture->fading = false;    /* a host that comes back begins one, and nothing here fades */
        memcpy(picture->wire, picture->raw, (uint16_t)(3 * settings->chain));
    } else if (picture->mode == PICTURE_TEST && !picture->lost) {
        picture->fading = false;
        compose_test(picture, settings, now);
    } else {
        compose_game(picture, settings, buttons, now);
    }
    for (uint8_t light = 0; light < settings->chain; light++) {
        uint8_t *pixel = picture->wire + 3 * light;
        const Rgb colour = {pixel[0], pixel[1], pixel[2]};
        ROM uint8_t *place = ORDER[settings->order];
        pixel[place[0]] = scale(raw ? colour.r : GAMMA[colour.r], settings->brightness);
        pixel[place[1]] = scale(raw ? colour.g : GAMMA[colour.g], settings->brightness);
        pixel[place[2]] = scale(raw ? colour.b : GAMMA[colour.b], settings->brightness);
    }
    keep_budget(picture, settings);
}

bool picture_moves(const Picture *picture, const Buttons *buttons, uint32_t now)
{
    if (picture->lost || picture->fading || buttons_held_ms(buttons, 0, now) || buttons_held_ms(buttons, 1, now)) {
        return true;
    }
    switch (picture->mode) {
    case PICTURE_GREETING:
        return now - picture->mode_since < GREETING_END_MS + 100u;
    case PICTURE_TEST:
        return picture->test == 1 && picture->test_index == TEST_WALKS;
    case PICTURE_LIGHTS:
        if (picture->lights[0] == SHOW_PLAY) {
            return ((picture->lights[9] | picture->lights[10] | picture->lights[11]) & 0x60u) != 0;
        }
        return picture->lights[0] != SHOW_OFF;
    case PICTURE_RAW:
        break;
    }
    return false;
}
