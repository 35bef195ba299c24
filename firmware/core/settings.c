#include "settings.h"

#include "frame.h"

void settings_default(Settings *settings)
{
    settings->brightness = 128;
    settings->order = 0;
    settings->chain = BARS * BAR_LIGHTS;
    settings->budget_ma = 400;
    for (uint8_t bar = 0; bar < BARS; bar++) {
        settings->bars[bar].first = (uint8_t)(bar * BAR_LIGHTS);
        settings->bars[bar].reversed = 0;
    }
    settings->options = 0;
    settings->generation = 0;
}

void settings_pack(const Settings *settings, uint8_t *body)
{
    body[0] = SETTINGS_VERSION;
    body[1] = settings->brightness;
    body[2] = settings->order;
    body[3] = settings->chain;
    body[4] = (uint8_t)(settings->budget_ma & 0xFFu);
    body[5] = (uint8_t)(settings->budget_ma >> 8);
    for (uint8_t bar = 0; bar < BARS; bar++) {
        body[6 + 2 * bar] = settings->bars[bar].first;
        body[7 + 2 * bar] = settings->bars[bar].reversed;
    }
    body[12] = settings->options;
}

static bool bars_overlap(uint8_t a, uint8_t b)
{
    return a < b ? b - a < BAR_LIGHTS : a - b < BAR_LIGHTS;
}

int8_t settings_unpack(Settings *settings, const uint8_t *body)
{
    const uint16_t budget = (uint16_t)(body[4] | (uint16_t)((uint16_t)body[5] << 8));
    if (body[0] != SETTINGS_VERSION) {
        return 0;
    }
    if (body[1] == 0) {
        return 1;
    }
    if (body[2] > 5) {
        return 2;
    }
    if (body[3] < BAR_LIGHTS || body[3] > CHAIN_MAX) {
        return 3;
    }
    if (budget < 50 || budget > 3000) {
        return 4;
    }
    for (int8_t bar = 0; bar < BARS; bar++) {
        const int8_t at = (int8_t)(6 + 2 * bar);
        if (body[at] > CHAIN_MAX - BAR_LIGHTS) {
            return at;
        }
        for (int8_t other = 6; other < at; other = (int8_t)(other + 2)) {
            if (bars_overlap(body[other], body[at])) {
                return at;
            }
        }
        if (body[at + 1] > 1) {
            return (int8_t)(at + 1);
        }
    }
    if (body[12] > OPTION_BUTTONS_SWAPPED) {
        return 12;
    }
    settings->brightness = body[1];
    settings->order = body[2];
    settings->chain = body[3];
    settings->budget_ma = budget;
    for (uint8_t bar = 0; bar < BARS; bar++) {
        settings->bars[bar].first = body[6 + 2 * bar];
        settings->bars[bar].reversed = body[7 + 2 * bar];
    }
    settings->options = body[12];
    return -1;
}

enum { COPY_BYTES = SETTINGS_BYTES + 4, CHECKED_BYTES = SETTINGS_BYTES + 2 };

static uint16_t copy_check(const uint8_t *copy)
{
    uint16_t crc = 0xFFFF;
    for (uint8_t at = 0; at < CHECKED_BYTES; at++) {
        crc = check_3740(crc, copy[at]);
    }
    return crc;
}

/* One of the two copies. `written` tells an erased memory (all 0xFF) from a damaged copy. */
static bool copy_load(Settings *settings, const Hal *hal, uint8_t slot, bool *written)
{
    uint8_t copy[COPY_BYTES];
    bool erased = true;
    for (uint8_t at = 0; at < COPY_BYTES; at++) {
        copy[at] = hal->load((uint16_t)(slot * SETTINGS_SLOT_BYTES + at));
        erased = erased && copy[at] == 0xFF;
    }
    *written = !erased;
    const uint16_t crc = (uint16_t)(copy[CHECKED_BYTES] | (uint16_t)((uint16_t)copy[CHECKED_BYTES + 1] << 8));
    if (copy[0] != SETTINGS_MAGIC || crc != copy_check(copy) || settings_unpack(settings, copy + 2) >= 0) {
        return false;
    }
    settings->generation = copy[1];
    return true;
}

SettingsState settings_load(Settings *settings, const Hal *hal)
{
    Settings second;
    bool first_written;
    bool second_written;
    const bool first_good = copy_load(settings, hal, 0, &first_written);
    const bool second_good = copy_load(&second, hal, 1, &second_written);
    /* Generations count up round 255, so the newer one is ahead by less than half the circle. */
    if (second_good && (!first_good || (uint8_t)(second.generation - settings->generation) < 128)) {
        *settings = second;
    }
    if (first_good || second_good) {
        return SETTINGS_SAVED;
    }
    settings_default(settings);
    return first_written || second_written ? SETTINGS_DAMAGED : SETTINGS_DEFAULTS;
}

bool settings_save(Settings *settings, const Hal *hal)
{
    uint8_t copy[COPY_BYTES];
    const uint8_t generation = (uint8_t)(settings->generation + 1);
    /* Odd generations lie in the second slot, so a save never touches the newest good copy. */
    const uint16_t slot = (uint16_t)((generation & 1u) * SETTINGS_SLOT_BYTES);
    copy[0] = SETTINGS_MAGIC;
    copy[1] = generation;
    settings_pack(settings, copy + 2);
    const uint16_t crc = copy_check(copy);
    copy[CHECKED_BYTES] = (uint8_t)(crc & 0xFFu);
    copy[CHECKED_BYTES + 1] = (uint8_t)(crc >> 8);
    for (uint8_t at = 0; at < COPY_BYTES; at++) {
        hal->store((uint16_t)(slot + at), copy[at]);
    }
    for (uint8_t at = 0; at < COPY_BYTES; at++) {
        if (hal->load((uint16_t)(slot + at)) != copy[at]) {
            return false;
        }
    }
    settings->generation = generation;
    return true;
}
