/* What the lights show: from the compact frame to the strip's bytes. The grammar stands in PROTOCOL.md section 5. */
#ifndef ALLFRONTS_PICTURE_H
#define ALLFRONTS_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "buttons.h"
#include "settings.h"

enum {
    LIGHTS_BYTES = 12,
    PIXEL_BYTES = 3 * CHAIN_MAX,
    BALANCE = 4,                /* the middle light of nine */
    FADE_MS = 200,
    SELF_TESTS = 7,
    TEST_WALKS = 255
};

/* LIGHTS: where what stands in the body, and the bits of a bar's byte. */
enum {
    LIGHTS_SHOW = 0,
    LIGHTS_OPTIONS = 1,
    LIGHTS_WINNER = 2,
    LIGHTS_NEAR_COLOUR = 3,
    LIGHTS_FAR_COLOUR = 6,
    LIGHTS_BARS = 9,
    OPTION_CUT = 1,
    NO_WINNER = 255,
    BAR_STEPS = 0x07,
    BAR_FAR = 0x08,
    BAR_TIE = 0x10,
    BAR_EFFECT = 0x60,
    BAR_BLINKS = 0x20,
    BAR_BREATHES = 0x40,
    BAR_UNUSED = 0x80,
    STEPS_MOST = 4
};

typedef enum { SHOW_OFF, SHOW_PLAY, SHOW_BATTLE_WON, SHOW_WAR_WON, SHOW_IDLE } Show;
typedef enum { PICTURE_GREETING, PICTURE_LIGHTS, PICTURE_RAW, PICTURE_TEST } PictureMode;

typedef struct {
    uint8_t r, g, b;
} Rgb;

typedef struct {
    PictureMode mode;
    bool lost;                              /* the host is lost: the pulse lies over every mode */
    bool lost_over;                         /* the pulse has faded out */
    bool fading;
    uint32_t mode_since;                    /* when the greeting, the test or the present show began */
    uint32_t lost_since;
    uint32_t fade_since;
    uint8_t lights[LIGHTS_BYTES];
    uint8_t test;
    uint8_t test_index;
    uint8_t limit;                          /* of the picture last composed; 255: the budget did not bind */
    Rgb shown[BARS * BAR_LIGHTS];           /* before gamma, for the next fade to start from */
    Rgb from[BARS * BAR_LIGHTS];
    uint8_t raw[PIXEL_BYTES];
    uint8_t wire[PIXEL_BYTES];              /* what the strip is sent: 3 bytes a light of the chain, in its colour order */
} Picture;

void picture_start(Picture *picture, uint32_t now);
int8_t picture_lights(Picture *picture, const uint8_t *body, uint32_t now);     /* -1, or the offset of the first bad byte */
void picture_raw(Picture *picture);
/* Dark at once. */
void picture_dark(Picture *picture, uint32_t now);
void picture_test(Picture *picture, uint8_t test, uint8_t index, uint32_t now);
void picture_lose(Picture *picture, bool lost, uint32_t now);
/* Works out picture->wire and picture->limit. */
void picture_compose(Picture *picture, const Settings *settings, const Buttons *buttons, uint32_t now);
/* True while the next picture may differ from the last though nothing new was asked. */
bool picture_moves(const Picture *picture, const Buttons *buttons, uint32_t now);

#endif
