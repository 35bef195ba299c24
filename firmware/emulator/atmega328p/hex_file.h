/* Intel HEX. */
#ifndef ALLFRONTS_HEX_FILE_H
#define ALLFRONTS_HEX_FILE_H

#include <stdint.h>

/* Fills flash[0..room) where the file says. *start gets the lowest address. 0 for a file that cannot be read, is damaged, or does not fit. */
int hex_file_load(const char *path, uint8_t *flash, uint32_t room, uint32_t *start);

#endif
