#ifndef ALLFRONTS_PICO_STRIP_H
#define ALLFRONTS_PICO_STRIP_H

#include <stdint.h>

void strip_start(void);
/* Writes the strip, 30 us a light, and returns when the last bit is out. `meanwhile` is called while it waits for room. The caller
   leaves 0.3 ms between two pictures, so that the strip latches the first. */
void strip_show(const uint8_t *wire, uint8_t bytes, void (*meanwhile)(void));

#endif
