/* The whole board: takes bytes, answers, keeps the lights and the buttons. One poll after the other, for ever; no heap, nothing global. */
#ifndef ALLFRONTS_CONTROLLER_H
#define ALLFRONTS_CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>

#include "buttons.h"
#include "frame.h"
#include "hal.h"
#include "picture.h"
#include "settings.h"
#include "version.h"

enum {
    PROTOCOL_MAJOR = 1,
    PROTOCOL_MINOR = 1,
    HELLO_BYTES = 22,
    STATS_BYTES = 44,
    HOST_LOST_MS = 2000,
    PICTURE_MS = 20,        /* 50 a second while anything moves */
    REFRESH_MS = 500,       /* a still picture is sent again, for a strip that was plugged in late */
    WAITING_MAX = 4,
    BOOT_STORED_AFTER_MS = 100,     /* a supply that bounces while it is plugged in does not come to writing */
    SUPPLY_LEAST_MV = 4000          /* below it nothing is written: 16 MHz wants 3.8 V */
};

typedef enum {
    TYPE_HELLO = 0x01, TYPE_PING = 0x02, TYPE_LIGHTS = 0x03, TYPE_PIXELS = 0x04, TYPE_SHOW = 0x05, TYPE_SETTINGS_GET = 0x06,
    TYPE_SETTINGS_SET = 0x07, TYPE_SETTINGS_SAVE = 0x08, TYPE_STATS = 0x09, TYPE_SELF_TEST = 0x0A, TYPE_BYE = 0x0B, TYPE_HANG = 0x0F,
    TYPE_HELLO_EVENT = 0x41, TYPE_BUTTON = 0x42, TYPE_EVENT_ACK = 0x50, TYPE_REPLY = 0x80, TYPE_ERROR = 0xFF
} Type;

typedef enum { ERROR_UNKNOWN_TYPE = 1, ERROR_BAD_LENGTH, ERROR_BAD_VALUE, ERROR_EEPROM } ErrorCode;
typedef enum { BOARD_ATMEGA328P = 1, BOARD_VIRTUAL, BOARD_RP2040, BOARD_SKETCH, BOARD_PC } Board;
typedef enum { CAUSE_UNTOLD, CAUSE_POWER_ON, CAUSE_RESET_PIN, CAUSE_BROWN_OUT, CAUSE_WATCHDOG, CAUSE_WATCHDOG_HARD } ResetCause;
enum { CAN_LIGHTS = 1, CAN_PIXELS = 2, CAN_SELF_TEST = 4, CAN_KEEP = 8, CAN_HANG = 16 };
enum { PING_HOST_WAS_LOST = 1, PING_RAW_PIXELS = 2, PING_SELF_TEST = 4, PING_NO_LIGHTS_YET = 8 };

/* Where what stands in the bodies: PROTOCOL.md, sections 3, 4, 7 and 8. */
enum {
    HELLO_MAGIC = 0, HELLO_PROTOCOL = 2, HELLO_FIRMWARE = 4, HELLO_BOARD = 7, HELLO_CAUSE = 8, HELLO_SETTINGS = 9, HELLO_BOOT = 10,
    HELLO_UPTIME = 12, HELLO_CHAIN_MAX = 16, HELLO_BUTTONS = 17, HELLO_CAPABILITIES = 18, HELLO_BODY_MAX = 20, HELLO_CHAIN = 21
};
enum { PONG_TOKEN = 0, PONG_UPTIME = 4, PONG_BOOT = 8, PONG_FLAGS = 10, PONG_BYTES = 11 };
enum { SHOWN_SHOWS = 0, SHOWN_LIMIT = 2, SHOWN_BYTES = 3 };
enum { ERROR_CODE = 0, ERROR_TYPE = 1, ERROR_DETAIL = 2, ERROR_BYTES = 3 };
enum { BUTTON_NUMBER = 0, BUTTON_SEAT = 1, BUTTON_KIND = 2, BUTTON_AT = 3, BUTTON_HELD = 7, BUTTON_BOOT = 9, BUTTON_BYTES = 11 };
enum {
    STATS_UPTIME = 0, STATS_FRAMES_GOOD = 4, STATS_SHOWS = 8, STATS_BAD = 12, STATS_OVERRUN = 20, STATS_RING_FULL = 22,
    STATS_FRAMING = 24, STATS_ERRORS_SENT = 26, STATS_REPLIES_DROPPED = 28, STATS_EVENTS_RESENT = 30, STATS_EVENTS_DROPPED = 32,
    STATS_HOST_LOST = 34, STATS_BUDGET_LIMITED = 36, STATS_LONGEST_LOOP = 38, STATS_LONGEST_SHOW = 40, STATS_SUPPLY = 42
};

typedef struct {
    uint32_t frames_good;
    uint32_t shows;
    uint16_t bad[4];            /* long, cobs, short, check */
    uint16_t errors_sent;
    uint16_t replies_dropped;
    uint16_t events_resent;
    uint16_t host_lost;
    uint16_t budget_limited;
    uint16_t longest_loop_ms;
} Stats;

typedef struct {
    uint8_t type;
    uint8_t seq;
} Waiting;                      /* a request answered once the lights show it */

typedef struct {
    const Hal *hal;
    Board board;
    ResetCause cause;
    uint16_t capabilities;
    uint16_t boot;
    SettingsState settings_state;
    bool lost_since_lights;
    bool lights_came;
    bool gone;                  /* the host has said BYE: it is not missed */
    bool boot_stored;
    bool show_now;              /* something changed that no one waits for */
    bool moved;                 /* the picture was in motion at the last poll */
    uint32_t started;
    uint32_t last_poll;
    uint32_t last_heard;
    uint32_t last_show;
    uint32_t event_sent;
    uint8_t event_sent_number;  /* 0: none is on its way */
    uint8_t waiting_count;
    Waiting waiting[WAITING_MAX];
    uint8_t reply[FRAME_PLAIN_MAX];
    Settings settings;
    Stats stats;
    FrameDecoder decoder;
    Buttons buttons;
    Picture picture;
} Controller;

/* Loads the settings, counts the start, says HELLO_EVENT. */
void controller_start(Controller *controller, const Hal *hal, Board board, ResetCause cause, uint16_t capabilities);
/* Says HELLO_EVENT: for boards whose line a host opens without restarting them. */
void controller_greet(Controller *controller);
/* To be called at least every millisecond for exact button times; each call is bounded. */
void controller_poll(Controller *controller);

#endif
