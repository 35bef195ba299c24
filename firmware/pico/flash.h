/* The core's bytes that are kept without power, in two sectors of the flash. */
#ifndef ALLFRONTS_PICO_FLASH_H
#define ALLFRONTS_PICO_FLASH_H

#include <stdint.h>

enum { KEPT_BYTES = 128, FLASH_ID_BYTES = 8 };

void flash_start(void);
uint8_t flash_load(uint16_t address);
/* Written at once, about 1 ms; up to 0.4 s where a sector has to be erased, once in a thousand bytes. What cannot be written is not
   there for the next load either. */
void flash_store(uint16_t address, uint8_t value);
/* The flash chip's own number: no two boards have the same. */
void flash_id(uint8_t *id);
/* Restarts into the boot loader of the chip's ROM, which is a USB drive. */
void flash_boot_loader(void);

#endif
