#ifndef ALLFRONTS_PICO_WATCHDOG_H
#define ALLFRONTS_PICO_WATCHDOG_H

#include <stdbool.h>

void watchdog_start(void);
void watchdog_reset(void);
/* Patience while the flash is erased: 2 s and not 0.25 s. */
void watchdog_patience(bool patience);

#endif
