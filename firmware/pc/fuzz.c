/* Anything a line can bring, in two ways: as raw bytes, and framed with right checks so that it comes past the decoder.
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    const uint8_t way = *data++;
    size--;
    pc_erase();
    pc_power_on(way % 6);
    if (way & 1) {
        pc_hear(data, (uint32_t)size);
        pc_advance(5 + (uint32_t)size / 8);
        pc_jump(PICTURE_MS);
        look();
        return 0;
    }
    while (size > 2) {
        /* length, milliseconds before it, buttons, then the frame */
        const uint8_t length = (uint8_t)(2 + data[0] % (FRAME_BODY_MAX + 1));
        pc_press(data[1] & 3);
        pc_jump(DEBOUNCE_MS);
        pc_jump((uint32_t)(data[1] >> 2) * ((data[1] & 4) ? 100u : 1u));
        pc_jump(PICTURE_MS);
        data += 2;
        size -= 2;
        const uint8_t taken = size < length ? (uint8_t)size : length;
        uint8_t plain[FRAME_PLAIN_MAX] = {0};
        uint8_t wire[FRAME_SEND_ROOM];
        memcpy(plain, data, taken);
        pc_hear(wire, pc_encode(plain, length, wire));
        pc_advance(2);
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
    static const uint8_t types[] = {1, 2, 3, 3, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 15, 0x50, 0x77};
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
