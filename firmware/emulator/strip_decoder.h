/* What a WS2812B strip makes of its data pin, and whether every pulse is inside what the data sheets take. Times in LightTiming are in
   units of 1 / TIMING_HZ; cycles are the board's, whose number a second is told at the start and divides TIMING_HZ. */
#ifndef ALLFRONTS_STRIP_DECODER_H
#define ALLFRONTS_STRIP_DECODER_H

#include <stdint.h>

#include "board.h"

typedef struct {
    uint32_t units;                             /* of time a cycle */
    int pin;
    uint64_t rose, fell;
    uint32_t bit_count;
    int last_bit;
    uint8_t wire[3 * BOARD_LIGHTS_MAX];         /* arriving */
    uint8_t picture[3 * BOARD_LIGHTS_MAX];      /* latched */
    uint32_t picture_bytes;
    uint64_t picture_number, picture_cycle;
    LightTiming timing;
    void (*told)(void *context, const uint8_t *wire, uint32_t bytes, uint64_t cycle);
    void *told_context;
} StripDecoder;

void strip_decoder_start(StripDecoder *strip, uint32_t hz);
void strip_decoder_edge(StripDecoder *strip, int pin, uint64_t cycle);
/* Latches what has come if the pin has been low for long enough. */
void strip_decoder_wait(StripDecoder *strip, uint64_t cycle);

#endif
