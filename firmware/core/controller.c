#include "controller.h"

#include <string.h>

enum {
    TAKEN_IN_A_POLL = 64,       /* bytes; so that a full line cannot keep the lights from moving */
    SHOWN_REPLY_ROOM = 12       /* type, seq, three bytes, four of checks, COBS, delimiter, one to spare */
};

static void put16(uint8_t *at, uint16_t value)
{
    at[0] = (uint8_t)(value & 0xFFu);
    at[1] = (uint8_t)(value >> 8);
}

static void put32(uint8_t *at, uint32_t value)
{
    put16(at, (uint16_t)(value & 0xFFFFu));
    put16(at + 2, (uint16_t)(value >> 16));
}

static void count(uint16_t *counter)
{
    if (*counter < 0xFFFFu) {
        (*counter)++;
    }
}

/* The body stands at controller->reply + 2. */
static void answer(Controller *controller, uint8_t type, uint8_t seq, uint8_t length)
{
    if (controller->hal->room() < length + 8u) {
        count(&controller->stats.replies_dropped);
        return;
    }
    controller->reply[0] = type;
    controller->reply[1] = seq;
    frame_send(controller->reply, (uint8_t)(length + 2), controller->hal->send);
}

static void refuse(Controller *controller, uint8_t type, uint8_t seq, ErrorCode code, uint8_t detail)
{
    uint8_t *body = controller->reply + 2;
    count(&controller->stats.errors_sent);
    body[ERROR_CODE] = (uint8_t)code;
    body[ERROR_TYPE] = type;
    body[ERROR_DETAIL] = detail;
    answer(controller, TYPE_ERROR, seq, ERROR_BYTES);
}

static void answer_hello(Controller *controller, uint8_t type, uint8_t seq)
{
    uint8_t *body = controller->reply + 2;
    body[HELLO_MAGIC] = 'A';
    body[HELLO_MAGIC + 1] = 'F';
    body[HELLO_PROTOCOL] = PROTOCOL_MAJOR;
    body[HELLO_PROTOCOL + 1] = PROTOCOL_MINOR;
    body[HELLO_FIRMWARE] = FIRMWARE_MAJOR;
    body[HELLO_FIRMWARE + 1] = FIRMWARE_MINOR;
    body[HELLO_FIRMWARE + 2] = FIRMWARE_PATCH;
    body[HELLO_BOARD] = (uint8_t)controller->board;
    body[HELLO_CAUSE] = (uint8_t)controller->cause;
    body[HELLO_SETTINGS] = (uint8_t)controller->settings_state;
    put16(body + HELLO_BOOT, controller->boot);
    put32(body + HELLO_UPTIME, controller->hal->millis());
    body[HELLO_CHAIN_MAX] = CHAIN_MAX;
    body[HELLO_BUTTONS] = SEATS;
    put16(body + HELLO_CAPABILITIES, controller->capabilities);
    body[HELLO_BODY_MAX] = FRAME_BODY_MAX;
    body[HELLO_CHAIN] = controller->settings.chain;
    answer(controller, type, seq, HELLO_BYTES);
}

static void answer_ping(Controller *controller, uint8_t seq, const uint8_t *token)
{
    uint8_t *body = controller->reply + 2;
    memcpy(body + PONG_TOKEN, token, 4);
    put32(body + PONG_UPTIME, controller->hal->millis());
    put16(body + PONG_BOOT, controller->boot);
    body[PONG_FLAGS] = (uint8_t)((controller->lost_since_lights ? PING_HOST_WAS_LOST : 0) |
                         (controller->picture.mode == PICTURE_RAW ? PING_RAW_PIXELS : 0) |
                         (controller->picture.mode == PICTURE_TEST ? PING_SELF_TEST : 0) |
                         (controller->lights_came ? 0 : PING_NO_LIGHTS_YET));
    answer(controller, TYPE_REPLY | TYPE_PING, seq, PONG_BYTES);
}

static void answer_stats(Controller *controller, uint8_t seq)
{
    const Stats *stats = &controller->stats;
    LineCounters line;
    controller->hal->counters(&line);
    uint8_t *body = controller->reply + 2;
    put32(body + STATS_UPTIME, controller->hal->millis());
    put32(body + STATS_FRAMES_GOOD, stats->frames_good);
    put32(body + STATS_SHOWS, stats->shows);
    for (uint8_t kind = 0; kind < 4; kind++) {
        put16(body + STATS_BAD + 2 * kind, stats->bad[kind]);
    }
    put16(body + STATS_OVERRUN, line.overrun);
    put16(body + STATS_RING_FULL, line.ring_full);
    put16(body + STATS_FRAMING, line.framing);
    put16(body + STATS_ERRORS_SENT, stats->errors_sent);
    put16(body + STATS_REPLIES_DROPPED, stats->replies_dropped);
    put16(body + STATS_EVENTS_RESENT, stats->events_resent);
    put16(body + STATS_EVENTS_DROPPED, controller->buttons.dropped);
    put16(body + STATS_HOST_LOST, stats->host_lost);
    put16(body + STATS_BUDGET_LIMITED, stats->budget_limited);
    put16(body + STATS_LONGEST_LOOP, stats->longest_loop_ms);
    put16(body + STATS_LONGEST_SHOW, line.show_us);
    put16(body + STATS_SUPPLY, controller->hal->supply_mv());
    answer(controller, TYPE_REPLY | TYPE_STATS, seq, STATS_BYTES);
}

static void answer_settings(Controller *controller, uint8_t type, uint8_t seq)
{
    settings_pack(&controller->settings, controller->reply + 2);
    answer(controller, (uint8_t)(TYPE_REPLY | type), seq, SETTINGS_BYTES);
}

static void show(Controller *controller, uint32_t now)
{
    picture_compose(&controller->picture, &controller->settings, &controller->buttons, now);
    if (controller->picture.limit != 255) {
        count(&controller->stats.budget_limited);
    }
    controller->hal->show(controller->picture.wire, (uint8_t)(3 * controller->settings.chain));
    controller->stats.shows++;
    controller->last_show = now;
    controller->show_now = false;
    for (uint8_t at = 0; at < controller->waiting_count; at++) {
        uint8_t *body = controller->reply + 2;
        put16(body + SHOWN_SHOWS, (uint16_t)(controller->stats.shows & 0xFFFFu));
        body[SHOWN_LIMIT] = controller->picture.limit;
        answer(controller, (uint8_t)(TYPE_REPLY | controller->waiting[at].type), controller->waiting[at].seq, SHOWN_BYTES);
    }
    controller->waiting_count = 0;
}

static void answer_when_shown(Controller *controller, uint8_t type, uint8_t seq, uint32_t now)
{
    controller->waiting[controller->waiting_count++] = (Waiting){type, seq};
    if (controller->waiting_count == WAITING_MAX) {
        show(controller, now);
    }
}

/* The length a request's body must have; 255: the type is not known. */
static uint8_t length_wanted(uint8_t type, uint8_t length)
{
    switch (type) {
    case TYPE_HELLO:
        return length;
    case TYPE_PING:
    case TYPE_HANG:
        return 4;
    case TYPE_LIGHTS:
        return LIGHTS_BYTES;
    case TYPE_PIXELS:
        return length >= 4 && length % 3 == 1 && length <= 58 ? length : 4;
    case TYPE_SHOW:
    case TYPE_SETTINGS_GET:
    case TYPE_SETTINGS_SAVE:
    case TYPE_STATS:
    case TYPE_BYE:
    case TYPE_EVENT_ACK:
        return 0;
    case TYPE_SETTINGS_SET:
        return SETTINGS_BYTES;
    case TYPE_SELF_TEST:
        return 2;
    default:
        return 255;
    }
}

/* -1, or the offset of the first bad byte. */
static int8_t obey(Controller *controller, uint8_t type, uint8_t seq, const uint8_t *body, uint8_t length, uint32_t now)
{
    switch ((Type)type) {
    case TYPE_HELLO:
        answer_hello(controller, TYPE_REPLY | TYPE_HELLO, seq);
        return -1;
    case TYPE_PING:
        answer_ping(controller, seq, body);
        return -1;
    case TYPE_LIGHTS: {
        const int8_t fault = picture_lights(&controller->picture, body, now);
        if (fault < 0) {
            controller->lost_since_lights = false;
            controller->lights_came = true;
            answer_when_shown(controller, type, seq, now);
        }
        return fault;
    }
    case TYPE_PIXELS:
        if (body[0] >= CHAIN_MAX || body[0] + length / 3 > CHAIN_MAX) {
            return 0;
        }
        memcpy(controller->picture.raw + 3 * body[0], body + 1, (uint8_t)(length - 1));
        answer(controller, TYPE_REPLY | TYPE_PIXELS, seq, 0);
        return -1;
    case TYPE_SHOW:
        picture_raw(&controller->picture);
        answer_when_shown(controller, type, seq, now);
        return -1;
    case TYPE_SETTINGS_GET:
        answer_settings(controller, type, seq);
        return -1;
    case TYPE_SETTINGS_SET: {
        const uint8_t chain_before = controller->settings.chain;
        const int8_t fault = settings_unpack(&controller->settings, body);
        if (fault < 0) {
            if (controller->settings.chain < chain_before) {
                /* The lights cut off would keep their last colour for ever. */
                memset(controller->picture.wire, 0, sizeof controller->picture.wire);
                controller->hal->show(controller->picture.wire, (uint8_t)(3 * chain_before));
            }
            controller->show_now = true;
            answer_settings(controller, type, seq);
        }
        return fault;
    }
    case TYPE_SETTINGS_SAVE:
        if (settings_save(&controller->settings, controller->hal)) {
            controller->settings_state = SETTINGS_SAVED;
            controller->reply[2] = controller->settings.generation;
            answer(controller, TYPE_REPLY | TYPE_SETTINGS_SAVE, seq, 1);
        } else {
            refuse(controller, type, seq, ERROR_EEPROM, 0);
        }
        return -1;
    case TYPE_STATS:
        answer_stats(controller, seq);
        return -1;
    case TYPE_SELF_TEST:
        if (body[0] >= SELF_TESTS) {
            return 0;
        }
        if (body[0] == 1 ? body[1] != TEST_WALKS && body[1] >= controller->settings.chain : body[1] != 0) {
            return 1;
        }
        picture_test(&controller->picture, body[0], body[1], now);
        answer_when_shown(controller, type, seq, now);
        return -1;
    case TYPE_BYE:
        picture_dark(&controller->picture, now);
        controller->gone = true;
        controller->lights_came = false;
        answer_when_shown(controller, type, seq, now);
        return -1;
    case TYPE_HANG:
        if (memcmp(body, "HANG", 4) != 0) {
            return 0;
        }
        controller->hal->hang();
        return -1;
    case TYPE_EVENT_ACK:
        if (buttons_acknowledge(&controller->buttons, seq)) {
            controller->event_sent_number = 0;
        }
        return -1;
    default:
        return -1;
    }
}

static void dispatch(Controller *controller, uint32_t now)
{
    const uint8_t type = controller->decoder.plain[0];
    const uint8_t seq = controller->decoder.plain[1];
    const uint8_t length = (uint8_t)(controller->decoder.length - FRAME_PLAIN_MIN);
    const uint8_t wanted = length_wanted(type, length);
    controller->stats.frames_good++;
    controller->last_heard = now;
    controller->gone = false;
    picture_lose(&controller->picture, false, now);
    if (wanted == 255 || (type == TYPE_HANG && !(controller->capabilities & CAN_HANG))) {
        refuse(controller, type, seq, ERROR_UNKNOWN_TYPE, 0);
    } else if (wanted != length) {
        refuse(controller, type, seq, ERROR_BAD_LENGTH, length);
    } else {
        const int8_t fault = obey(controller, type, seq, controller->decoder.plain + 2, length, now);
        if (fault >= 0) {
            refuse(controller, type, seq, ERROR_BAD_VALUE, (uint8_t)fault);
        }
    }
}

static void listen(Controller *controller, uint32_t now)
{
    for (uint8_t taken = 0; taken < TAKEN_IN_A_POLL; taken++) {
        /* Bytes wait in the target's ring until their answer has room: an answer is never lost to a slow line. */
        if (controller->hal->room() < FRAME_SEND_ROOM + controller->waiting_count * SHOWN_REPLY_ROOM) {
            return;
        }
        const int16_t byte = controller->hal->receive();
        if (byte < 0) {
            return;
        }
        const FrameVerdict verdict = frame_take(&controller->decoder, (uint8_t)byte);
        if (verdict == FRAME_GOOD) {
            dispatch(controller, now);
        } else if (verdict != FRAME_NONE) {
            count(&controller->stats.bad[verdict - FRAME_LONG]);
        }
    }
}

static void send_event(Controller *controller, uint32_t now)
{
    const ButtonEvent *event = buttons_oldest(&controller->buttons);
    if (!event) {
        return;
    }
    const bool again = controller->event_sent_number == event->number;
    if ((again && now - controller->event_sent < EVENT_RESEND_MS) || controller->hal->room() < FRAME_SEND_ROOM) {
        return;
    }
    uint8_t *body = controller->reply + 2;
    body[BUTTON_NUMBER] = event->number;
    body[BUTTON_SEAT] = event->seat;
    body[BUTTON_KIND] = event->kind;
    put32(body + BUTTON_AT, event->at_ms);
    put16(body + BUTTON_HELD, event->held_ms);
    put16(body + BUTTON_BOOT, controller->boot);
    answer(controller, TYPE_BUTTON, event->number, BUTTON_BYTES);
    if (again) {
        count(&controller->stats.events_resent);
    }
    controller->event_sent_number = event->number;
    controller->event_sent = now;
}

static uint8_t read_buttons(const Controller *controller)
{
    const uint8_t raw = controller->hal->buttons();
    if (controller->settings.options & OPTION_BUTTONS_SWAPPED) {
        return (uint8_t)((raw & 1u) << 1 | ((uint8_t)(raw >> 1) & 1u));
    }
    return raw;
}

/* One or two bytes of EEPROM a start: worn out after a hundred thousand starts. */
static void keep_boot(Controller *controller, uint32_t now)
{
    const uint16_t supply = controller->hal->supply_mv();
    if (controller->boot_stored || now - controller->started < BOOT_STORED_AFTER_MS || (supply && supply < SUPPLY_LEAST_MV)) {
        return;
    }
    controller->boot_stored = true;
    controller->hal->store(BOOT_ADDRESS, (uint8_t)(controller->boot & 0xFFu));
    controller->hal->store(BOOT_ADDRESS + 1, (uint8_t)(controller->boot >> 8));
}

void controller_start(Controller *controller, const Hal *hal, Board board, ResetCause cause, uint16_t capabilities)
{
    memset(controller, 0, sizeof *controller);
    const uint32_t now = hal->millis();
    controller->hal = hal;
    controller->board = board;
    controller->cause = cause;
    controller->capabilities = capabilities;
    controller->started = controller->last_poll = controller->last_heard = now;
    controller->last_show = now - REFRESH_MS;
    /* Power may have stayed on: whatever shone before this start, also beyond the chain that is set now, goes dark. */
    hal->show(controller->picture.wire, PIXEL_BYTES);
    controller->settings_state = settings_load(&controller->settings, hal);
    controller->boot = (uint16_t)(hal->load(BOOT_ADDRESS) | (uint16_t)((uint16_t)hal->load(BOOT_ADDRESS + 1) << 8));
    controller->boot++;
    frame_decoder_start(&controller->decoder);
    buttons_start(&controller->buttons, now);
    picture_start(&controller->picture, now);
    controller_greet(controller);
}

void controller_greet(Controller *controller)
{
    controller->hal->send(0);
    answer_hello(controller, TYPE_HELLO_EVENT, 0);
}

void controller_poll(Controller *controller)
{
    const uint32_t now = controller->hal->millis();
    const uint32_t loop = now - controller->last_poll;
    controller->last_poll = now;
    if (loop > controller->stats.longest_loop_ms) {
        controller->stats.longest_loop_ms = loop > 0xFFFFu ? 0xFFFFu : (uint16_t)loop;
    }
    buttons_poll(&controller->buttons, read_buttons(controller), now);
    listen(controller, now);
    send_event(controller, now);
    keep_boot(controller, now);
    if (!controller->picture.lost && !controller->gone && now - controller->last_heard >= HOST_LOST_MS) {
        picture_lose(&controller->picture, true, now);
        controller->lost_since_lights = true;
        count(&controller->stats.host_lost);
    }
    const bool moves = picture_moves(&controller->picture, &controller->buttons, now);
    if (controller->moved && !moves) {
        controller->show_now = true;    /* where the motion ended, such as a button let go */
    }
    controller->moved = moves;
    const uint32_t pause = moves ? PICTURE_MS : REFRESH_MS;
    if (controller->show_now || controller->waiting_count || now - controller->last_show >= pause) {
        show(controller, now);
    }
}
