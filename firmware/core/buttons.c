#include "buttons.h"

#include <stddef.h>

void buttons_start(Buttons *buttons, uint32_t now)
{
    for (uint8_t seat = 0; seat < SEATS; seat++) {
        buttons->button[seat] = (Button){.edge_ms = now};
    }
    buttons->first = 0;
    buttons->count = 0;
    buttons->number = 0;
    buttons->dropped = 0;
}

static uint16_t span(uint32_t from, uint32_t to)
{
    const uint32_t passed = to - from;
    return passed > 0xFFFFu ? 0xFFFFu : (uint16_t)passed;
}

static void tell(Buttons *buttons, uint8_t seat, ButtonKind kind, uint32_t at, uint16_t held)
{
    if (buttons->count == EVENTS_MAX) {
        if (buttons->dropped < 0xFFFFu) {
            buttons->dropped++;
        }
        return;
    }
    buttons->number = buttons->number == 255 ? 1 : (uint8_t)(buttons->number + 1);
    ButtonEvent *event = &buttons->queue[(buttons->first + buttons->count) % EVENTS_MAX];
    event->number = buttons->number;
    event->seat = seat;
    event->kind = (uint8_t)kind;
    event->at_ms = at;
    event->held_ms = held;
    buttons->count++;
}

static void settle(Buttons *buttons, uint8_t seat, bool down)
{
    Button *button = &buttons->button[seat];
    button->down = down;
    if (!button->known) {
        /* Down already at the start: jammed, or the cable is wrong. It counts only after it has been up. */
        button->known = true;
        return;
    }
    if (down) {
        button->down_ms = button->edge_ms;
        button->counted = true;
        button->held = false;
        tell(buttons, seat, BUTTON_DOWN, button->edge_ms, 0);
    } else if (button->counted) {
        button->counted = false;
        tell(buttons, seat, button->held ? BUTTON_RELEASED : BUTTON_SHORT, button->edge_ms, span(button->down_ms, button->edge_ms));
    }
}

void buttons_poll(Buttons *buttons, uint8_t raw, uint32_t now)
{
    for (uint8_t seat = 0; seat < SEATS; seat++) {
        Button *button = &buttons->button[seat];
        const bool reading = ((uint8_t)(raw >> seat) & 1u) != 0;
        if (button->known && reading == button->down) {
            button->bouncing = false;
        } else if (!button->bouncing) {
            button->bouncing = true;
            button->edge_ms = now;
        } else if (now - button->edge_ms >= DEBOUNCE_MS) {
            button->bouncing = false;
            settle(buttons, seat, reading);
        }
        /* A bounce that turns out to be the release came before the two seconds were over: wait for it. */
        if (button->counted && !button->held && !button->bouncing && now - button->down_ms >= HOLD_MS) {
            button->held = true;
            tell(buttons, seat, BUTTON_HOLD, button->down_ms + HOLD_MS, HOLD_MS);
        }
    }
}

const ButtonEvent *buttons_oldest(const Buttons *buttons)
{
    return buttons->count ? &buttons->queue[buttons->first] : NULL;
}

bool buttons_acknowledge(Buttons *buttons, uint8_t number)
{
    if (buttons->count == 0 || buttons->queue[buttons->first].number != number) {
        return false;
    }
    buttons->first = (uint8_t)((buttons->first + 1) % EVENTS_MAX);
    buttons->count--;
    return true;
}

uint16_t buttons_held_ms(const Buttons *buttons, uint8_t seat, uint32_t now)
{
    const Button *button = &buttons->button[seat];
    return button->counted && button->down ? span(button->down_ms, now) : 0;
}
