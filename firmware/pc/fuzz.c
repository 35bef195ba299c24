/* Anything a line can bring: as raw bytes; framed with right checks, so that it comes past the decoder; and framed with a length and
   values that are in range, so that it comes past the refusals.
   With libFuzzer, or with its own main (FUZZ_ALONE) that makes random input for compilers that have none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pc.h"

static void demand(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "broken: %s\n", what);
        abort();
    }
}

static void look(void)
{
    static uint8_t said[1 << 16];
    static uint8_t verdicts[1 << 17];
    const uint32_t count = pc_said(said, sizeof said);
    /* Whatever was heard: all that the board says is whole frames, and no show is above its budget. */
    demand(count == 0 || said[count - 1] == 0, "an answer ends with its delimiter");
    const uint32_t length = pc_decode(said, count, verdicts, sizeof verdicts);
    demand(length != UINT32_MAX, "the answers can be decoded");
    for (uint32_t at = 0; at < length; at += 2u + verdicts[at + 1]) {
        demand(verdicts[at] == FRAME_GOOD, "every answer is a good frame");
    }
    demand(pc_over_budget() == 0, "the current budget holds");
}

/* Makes a request of what looks like one: returns its length. */
static uint8_t tame(uint8_t *plain, uint8_t length)
{
    static const uint8_t types[] = {TYPE_HELLO, TYPE_PING, TYPE_LIGHTS, TYPE_PIXELS, TYPE_SHOW, TYPE_SETTINGS_GET, TYPE_SETTINGS_SET,
                                    TYPE_SETTINGS_SAVE, TYPE_STATS, TYPE_SELF_TEST, TYPE_BYE, TYPE_HANG, TYPE_EVENT_ACK};
    uint8_t *body = plain + 2;
    plain[0] = types[plain[0] % sizeof types];
    switch (plain[0]) {
    case TYPE_HELLO:
        return length;
    case TYPE_PING:
        return 2 + 4;
    case TYPE_LIGHTS:
        body[0] = body[0] % (SHOW_IDLE + 1);
        body[1] &= 1;
        body[2] = body[0] == SHOW_BATTLE_WON || body[0] == SHOW_WAR_WON ? body[2] & 1 : 255;
        for (uint8_t at = 9; at < LIGHTS_BYTES; at++) {
            const uint8_t effect = (uint8_t)((body[at] >> 5) % 3 << 5);
            body[at] = (uint8_t)(effect | (body[at] & 8) | ((body[at] & 16) ? 16 : body[at] % 5));
        }
        return 2 + LIGHTS_BYTES;
    case TYPE_PIXELS:
        body[0] %= CHAIN_MAX;
        return (uint8_t)(2 + 1 + 3 * (1 + body[1] % 19));
    case TYPE_SETTINGS_SET: {
        static const uint8_t firsts[][BARS] = {{0, 9, 18}, {27, 0, 14}, {18, 9, 0}, {1, 12, 24}};
        const uint8_t which = body[6] & 3;
        body[0] = SETTINGS_VERSION;
        body[1] |= 1;
        body[2] %= 6;
        body[3] = (uint8_t)(BAR_LIGHTS + body[3] % (CHAIN_MAX - BAR_LIGHTS + 1));
        body[4] |= 50;
        body[5] %= 11;
        for (uint8_t bar = 0; bar < BARS; bar++) {
            body[6 + 2 * bar] = firsts[which][bar];
            body[7 + 2 * bar] &= 1;
        }
        body[12] &= 1;
        return 2 + SETTINGS_BYTES;
    }
    case TYPE_SELF_TEST:
        body[0] %= SELF_TESTS;
        body[1] = body[0] == 1 ? (body[1] & 1 ? TEST_WALKS : body[1] % BAR_LIGHTS) : 0;
        return 2 + 2;
    case TYPE_HANG:
        memcpy(body, "HANG", 4);
        return 2 + 4;
    default:
        return 2;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    const uint8_t way = *data++;
    size--;
    pc_erase();
    pc_power_on(way % 6);
    pc_break_eeprom((way & 16) != 0);
    if (way & 1) {
        pc_hear(data, (uint32_t)size);
        pc_advance(5 + (uint32_t)size / 8);
        pc_jump(PICTURE_MS);
        look();
        return 0;
    }
    while (size > 2) {
        /* length, milliseconds before it, buttons, then the frame */
        uint8_t length = (uint8_t)(2 + data[0] % (FRAME_BODY_MAX + 1));
        pc_press(data[1] & 3);
        if (data[1] == 255) {
            pc_power_on(data[0] % 6);    /* with what was kept */
            pc_break_eeprom((way & 16) != 0);
        }
        pc_jump(DEBOUNCE_MS);
        pc_jump((uint32_t)(data[1] >> 2) * ((data[1] & 4) ? 100u : 1u));
        pc_jump(PICTURE_MS);
        data += 2;
        size -= 2;
        const uint8_t taken = size < length ? (uint8_t)size : length;
        uint8_t plain[FRAME_PLAIN_MAX] = {0};
        uint8_t wire[FRAME_SEND_ROOM];
        memcpy(plain, data, taken);
        if (way & 2) {
            length = tame(plain, length);
        }
        /* A line that is slow to take answers. */
        pc_room((way & 4) && (data[0] & 1) ? 90 : 255);
        const uint32_t bytes = pc_encode(plain, length, wire);
        for (uint8_t copy = 0; copy <= data[0] >> 6; copy++) {
            pc_hear(wire, bytes);    /* up to four without a pause, whatever the protocol says */
        }
        pc_advance(5);
        look();
        data += taken;
        size -= taken;
    }
    pc_jump(30);
    look();
    return 0;
}

#ifdef FUZZ_ALONE
int main(int count, char **words)
{
    const uint32_t rounds = count > 1 ? (uint32_t)strtoul(words[1], NULL, 10) : 1000;
    const uint32_t seed = count > 2 ? (uint32_t)strtoul(words[2], NULL, 10) : 1;
    static const uint8_t types[] = {1, 2, 3, 3, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11, 15, 0x50, 0x77};
    srand(seed);
    for (uint32_t round = 0; round < rounds; round++) {
        uint8_t data[400];
        const size_t size = 2 + (size_t)rand() % (sizeof data - 2);
        for (size_t at = 0; at < size; at++) {
            /* Small numbers often, so that many values are in range. */
            data[at] = (uint8_t)(rand() % 3 ? rand() : rand() % 12);
        }
        for (size_t at = 3; at + 2 < size; at += 5) {
            if (rand() % 3 == 0) {
                data[at] = types[(size_t)rand() % sizeof types];
            }
        }
        LLVMFuzzerTestOneInput(data, size);
    }
    printf("%u rounds\n", rounds);
    return 0;
}
#endif
