#include "hex_file.h"

#include <stdio.h>
#include <string.h>

int hex_file_load(const char *path, uint8_t *flash, uint32_t room, uint32_t *start)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        return 0;
    }
    char line[600];
    int good = 1;
    *start = room;
    while (good && fgets(line, sizeof line, file)) {
        uint8_t record[256 + 5];
        unsigned int length = 0, byte, sum = 0;
        while (length < sizeof record && line[0] == ':' && sscanf(line + 1 + 2 * length, "%2x", &byte) == 1) {
            record[length++] = (uint8_t)byte;
            sum += byte;
        }
        good = length >= 5 && length == record[0] + 5u && (sum & 255) == 0;
        if (!good || record[3] != 0) {
            continue;    /* of the other records none says where a small chip's bytes lie */
        }
        const uint32_t address = (uint32_t)record[1] << 8 | record[2];
        /* Debian's own build of Optiboot runs past the end of the chip. */
        good = address + record[0] <= room;
        if (good) {
            memcpy(flash + address, record + 4, record[0]);
            if (record[0] && address < *start) {
                *start = address;
            }
        }
    }
    fclose(file);
    return good && *start < room;
}
