/* From colours to the strip's bytes: gamma, brightness, colour order, current budget. */
#ifndef ALLFRONTS_WIRE_H
#define ALLFRONTS_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "settings.h"

enum {
    LIGHT_MA = 1,               /* a light that is dark */
    CHANNEL_MA = 20             /* a channel at full */
};

/* v * level / 255, rounded down; 255 leaves v as it is. */
static inline uint8_t scale(uint8_t v, uint8_t level)
{
    return (uint8_t)((uint16_t)((uint16_t)v * (uint16_t)(level + 1u)) >> 8);
}

/* A light's red, green and blue become what the strip is sent for it. `raw` leaves out gamma. */
void wire_light(uint8_t *pixel, const Settings *settings, bool raw);
/* Dims the whole chain so that its current fits. Returns 255, or the level to which it was dimmed. */
uint8_t wire_keep_budget(uint8_t *wire, const Settings *settings);
/* Milliamperes that `chain` lights draw with these bytes, rounded up. */
uint16_t wire_current_ma(const uint8_t *wire, uint8_t chain);

#endif
