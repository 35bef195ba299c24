#ifndef ALLFRONTS_STRIP_H
#define ALLFRONTS_STRIP_H

#include <stdint.h>

void strip_start(void);
/* Writes the strip with interrupts off, 30 us a light; the UART is emptied once a light. The caller
   leaves 0.3 ms between two pictures, so that the strip latches the first. */
void strip_show(const uint8_t *wire, uint8_t bytes);

#endif
