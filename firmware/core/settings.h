/* What is kept for one table: the strip, its bars, its brightness. PROTOCOL.md section 6. */
#ifndef ALLFRONTS_SETTINGS_H
#define ALLFRONTS_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "hal.h"

enum {
    CHAIN_MAX = 36,
    BARS = 3,
    BAR_LIGHTS = 9,
    SETTINGS_BYTES = 13,
    SETTINGS_VERSION = 1,
    SETTINGS_SLOT_BYTES = 32,
    SETTINGS_MAGIC = 0xA7,
    BOOT_ADDRESS = 64       /* the count of starts, u16 */
};

enum { OPTION_BUTTONS_SWAPPED = 1 };

typedef enum { SETTINGS_DEFAULTS, SETTINGS_SAVED, SETTINGS_DAMAGED } SettingsState;

typedef struct {
    uint8_t first;
    uint8_t reversed;
} Bar;

typedef struct {
    uint8_t brightness;
    uint8_t order;
    uint8_t chain;
    uint16_t budget_ma;
    Bar bars[BARS];
    uint8_t options;
    uint8_t generation;     /* of the copy last loaded or saved */
} Settings;

void settings_default(Settings *settings);
SettingsState settings_load(Settings *settings, const Hal *hal);
bool settings_save(Settings *settings, const Hal *hal);    /* false: what was written does not read back */

void settings_pack(const Settings *settings, uint8_t *body);
/* -1, or the offset of the first bad byte; settings are then as before. */
int8_t settings_unpack(Settings *settings, const uint8_t *body);

#endif
