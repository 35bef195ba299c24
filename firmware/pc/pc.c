#include "pc.h"

#include <string.h>

enum { LINE_BYTES = 1 << 16 };

static Controller controller;
static uint32_t now;
static uint8_t heard[LINE_BYTES];
static uint32_t heard_head, heard_tail;
static uint8_t said[LINE_BYTES];
static uint32_t said_count;
static uint8_t shown[PIXEL_BYTES];
static uint8_t shown_bytes;
static uint32_t shows, hangs, over_budget;
static uint16_t worst_ma;
static uint8_t pressed;
static uint8_t line_room = 255;
static uint8_t eeprom[PC_EEPROM_BYTES];
static uint8_t eeprom_broken;
static uint16_t supply;

static uint32_t millis(void)
{
    return now;
}

static int16_t receive(void)
{
    if (heard_tail == heard_head) {
        return -1;
    }
    return heard[heard_tail++ % LINE_BYTES];
}

static uint8_t room(void)
{
    return line_room;
}

static void put(uint8_t byte)
{
    if (said_count < LINE_BYTES) {
        said[said_count++] = byte;
    }
}

static void show(const uint8_t *wire, uint8_t bytes)
{
    memcpy(shown, wire, bytes);
    shown_bytes = bytes;
    shows++;
    const uint16_t ma = wire_current_ma(wire, (uint8_t)(bytes / 3));
    if (ma > worst_ma) {
        worst_ma = ma;
    }
    /* Below one milliampere a light there is nothing left to dim. */
    const uint16_t dark = (uint16_t)(bytes / 3 * LIGHT_MA);
    const uint16_t allowed = controller.settings.budget_ma > dark ? controller.settings.budget_ma : dark;
    if (ma > allowed) {
        over_budget++;
    }
}

static uint8_t buttons(void)
{
    return pressed;
}

static uint8_t load(uint16_t address)
{
    return eeprom[address % PC_EEPROM_BYTES];
}

static void store(uint16_t address, uint8_t value)
{
    if (!eeprom_broken) {
        eeprom[address % PC_EEPROM_BYTES] = value;
    }
}

static void hang(void)
{
    hangs++;
}

static void counters(LineCounters *line)
{
    *line = (LineCounters){0};
}

static uint16_t supply_mv(void)
{
    return supply;
}

static const Hal HAL = {
    .millis = millis, .receive = receive, .room = room, .send = put, .show = show,
    .buttons = buttons, .load = load, .store = store, .hang = hang, .counters = counters, .supply_mv = supply_mv,
};

void pc_erase(void)
{
    memset(eeprom, 0xFF, sizeof eeprom);
}

void pc_power_on(uint8_t cause)
{
    now = 0;
    heard_head = heard_tail = 0;
    said_count = 0;
    shown_bytes = 0;
    shows = hangs = over_budget = 0;
    worst_ma = 0;
    pressed = 0;
    line_room = 255;
    eeprom_broken = 0;
    supply = 0;
    controller_start(&controller, &HAL, BOARD_PC, (ResetCause)cause, CAN_LIGHTS | CAN_PIXELS | CAN_SELF_TEST | CAN_KEEP | CAN_HANG);
}

void pc_poll(void)
{
    controller_poll(&controller);
}

void pc_advance(uint32_t ms)
{
    for (uint32_t passed = 0; passed < ms; passed++) {
        now++;
        controller_poll(&controller);
    }
}

void pc_jump(uint32_t ms)
{
    now += ms;
    controller_poll(&controller);
}

uint32_t pc_now(void)
{
    return now;
}

void pc_hear(const uint8_t *bytes, uint32_t count)
{
    for (uint32_t at = 0; at < count && heard_head - heard_tail < LINE_BYTES; at++) {
        heard[heard_head++ % LINE_BYTES] = bytes[at];
    }
}

uint32_t pc_said(uint8_t *bytes, uint32_t most)
{
    const uint32_t count = said_count < most ? said_count : most;
    memcpy(bytes, said, count);
    said_count = 0;
    return count;
}

void pc_press(uint8_t mask)
{
    pressed = mask;
}

uint32_t pc_wire(uint8_t *bytes)
{
    memcpy(bytes, shown, shown_bytes);
    return shown_bytes;
}

uint32_t pc_shows(void)
{
    return shows;
}

uint32_t pc_hangs(void)
{
    return hangs;
}

uint8_t *pc_eeprom(void)
{
    return eeprom;
}

void pc_break_eeprom(uint8_t broken)
{
    eeprom_broken = broken;
}

void pc_supply(uint16_t millivolts)
{
    supply = millivolts;
}

void pc_room(uint8_t bytes)
{
    line_room = bytes;
}

uint16_t pc_worst_ma(void)
{
    return worst_ma;
}

uint32_t pc_over_budget(void)
{
    return over_budget;
}

uint32_t pc_decode(const uint8_t *stream, uint32_t count, uint8_t *out, uint32_t most)
{
    FrameDecoder decoder;
    frame_decoder_start(&decoder);
    uint32_t written = 0;
    for (uint32_t at = 0; at < count; at++) {
        const FrameVerdict verdict = frame_take(&decoder, stream[at]);
        if (verdict == FRAME_NONE) {
            continue;
        }
        const uint8_t length = verdict == FRAME_GOOD ? decoder.length : 0;
        if (written + 2u + length > most) {
            return UINT32_MAX;
        }
        out[written++] = (uint8_t)verdict;
        out[written++] = length;
        memcpy(out + written, decoder.plain, length);
        written += length;
    }
    return written;
}

static uint8_t *encoded;

static void put_encoded(uint8_t byte)
{
    *encoded++ = byte;
}

uint32_t pc_encode(const uint8_t *plain, uint8_t length, uint8_t *out)
{
    uint8_t frame[FRAME_PLAIN_MAX];
    memcpy(frame, plain, length);
    encoded = out;
    frame_send(frame, length, put_encoded);
    return (uint32_t)(encoded - out);
}
