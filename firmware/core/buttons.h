/* Two buttons, one a seat: debounced presses with their times, and the queue that keeps them until the host has them. */
#ifndef ALLFRONTS_BUTTONS_H
#define ALLFRONTS_BUTTONS_H

#include <stdbool.h>
#include <stdint.h>

enum { SEATS = 2, DEBOUNCE_MS = 10, HOLD_MS = 2000, EVENTS_MAX = 8, EVENT_RESEND_MS = 250 };

typedef enum { BUTTON_DOWN = 1, BUTTON_SHORT = 2, BUTTON_HOLD = 3, BUTTON_RELEASED = 4 } ButtonKind;

typedef struct {
    uint8_t number;
    uint8_t seat;
    uint8_t kind;
    uint32_t at_ms;
    uint16_t held_ms;
} ButtonEvent;

typedef struct {
    bool known;             /* the first steady reading has come */
    bool down;              /* debounced */
    bool bouncing;          /* the reading differs from down since edge_ms */
    bool counted;           /* its down was told, so its release is to be told too */
    bool held;              /* the two seconds were told */
    uint32_t edge_ms;
    uint32_t down_ms;
} Button;

typedef struct {
    Button button[SEATS];
    ButtonEvent queue[EVENTS_MAX];
    uint8_t first;          /* place of the oldest event */
    uint8_t count;
    uint8_t number;         /* of the newest event */
    uint16_t dropped;
} Buttons;

void buttons_start(Buttons *buttons, uint32_t now);
void buttons_poll(Buttons *buttons, uint8_t raw, uint32_t now);
const ButtonEvent *buttons_oldest(const Buttons *buttons);     /* or null */
bool buttons_acknowledge(Buttons *buttons, uint8_t number);    /* true if it was the oldest */
/* Milliseconds a seat's button has been down, 0 if it is not. */
uint16_t buttons_held_ms(const Buttons *buttons, uint8_t seat, uint32_t now);

#endif
