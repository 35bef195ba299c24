/* Device side of USB 2.0 (chapter 9) and of the communication class for modems (CDC 1.2, PSTN 1.2), as far as a serial port needs it. */
#include "usb.h"

#include "rp2040.h"
#include "usb_descriptors.h"

enum {
    /* Offsets in the controller's memory: endpoint controls, buffer controls, buffers. */
    DPRAM_SETUP = 0x00,
    DPRAM_EP0_BUFFER = 0x100,
    DPRAM_NOTICE_BUFFER = 0x180,
    DPRAM_OUT_BUFFER = 0x1C0,
    DPRAM_IN_BUFFER = 0x200,

    /* Buffer control: 4.1.2.5 */
    BUFFER_LENGTH = 0x3FF,
    BUFFER_AVAILABLE = 1 << 10,
    BUFFER_STALL = 1 << 11,
    BUFFER_DATA1 = 1 << 13,
    BUFFER_FULL = 1 << 15,

    REQUEST_GET_STATUS = 0,
    REQUEST_CLEAR_FEATURE = 1,
    REQUEST_SET_FEATURE = 3,
    REQUEST_SET_ADDRESS = 5,
    REQUEST_GET_DESCRIPTOR = 6,
    REQUEST_GET_CONFIGURATION = 8,
    REQUEST_SET_CONFIGURATION = 9,
    REQUEST_GET_INTERFACE = 10,
    REQUEST_SET_INTERFACE = 11,
    CDC_SET_LINE_CODING = 0x20,
    CDC_GET_LINE_CODING = 0x21,
    CDC_SET_CONTROL_LINE_STATE = 0x22,
    CDC_SEND_BREAK = 0x23,

    LINE_CODING_BYTES = 7,
    CONTROL_LINE_DTR = 1,
    BOOT_LOADER_BAUD = 1200,

    RECEIVE_RING = 256,         /* powers of two */
    SEND_RING = 512,
    PACKET_MOST = 63            /* one below the endpoint's size, so that a packet always ends the transfer */
};

#define EP_ENABLE (1u << 31)
#define EP_INTERRUPT_EACH (1u << 29)
#define EP_BULK (2u << 26)
#define EP_INTERRUPT (3u << 26)

#define SIE_STATUS_SETUP (1u << 17)
#define SIE_STATUS_BUS_RESET (1u << 19)
#define SIE_CTRL_PULL_UP (1u << 16)
#define SIE_CTRL_EP0_INTERRUPT (1u << 29)
#define INT_BUFF_STATUS (1u << 4)
#define INT_BUS_RESET (1u << 12)
#define INT_SETUP (1u << 16)

#define EP_CONTROL(endpoint, out) REGISTER(USB_DPRAM + 8u * (endpoint) + 4u * (out))
#define BUFFER_CONTROL(endpoint, out) REGISTER(USB_DPRAM + 0x80u + 8u * (endpoint) + 4u * (out))
#define BUFFER_BIT(endpoint, out) (1u << (2u * (endpoint) + (out)))

enum { IN, OUT };

typedef struct {
    uint8_t type, request;
    uint16_t value, index, length;
} Setup;

static struct {
    uint8_t address;            /* to be taken once the status stage is over */
    bool configured;
    bool open;                  /* DTR, or a host that speaks without it */
    bool opened;
    bool boot_loader;
    bool receives_coding;
    bool in_busy;
    bool out_waits;             /* a packet lies in the buffer for which the ring had no room */
    uint8_t pid[USB_ENDPOINTS][2];
    const uint8_t *reply;       /* rest of a control transfer to the host */
    uint16_t reply_left;
    uint8_t coding[LINE_CODING_BYTES];
    uint8_t scratch[64];
    const char *serial;
} usb;

static uint8_t received[RECEIVE_RING];
static uint16_t received_head, received_tail;
static uint8_t sent[SEND_RING];
static uint16_t sent_head, sent_tail;

static void copy_in(uint32_t offset, const uint8_t *from, uint16_t count)
{
    volatile uint8_t *to = (volatile uint8_t *)(USB_DPRAM + offset);
    while (count--) {
        *to++ = *from++;
    }
}

/* The controller's clock may differ from the core's: all is written first, and three cycles later that it may be taken (4.1.2.5.1). */
static void arm(uint8_t endpoint, uint8_t out, uint16_t length)
{
    const uint32_t control = length | (usb.pid[endpoint][out] ? BUFFER_DATA1 : 0u) | (out ? 0u : (uint32_t)BUFFER_FULL);
    usb.pid[endpoint][out] ^= 1;
    BUFFER_CONTROL(endpoint, out) = control;
    __asm__ volatile("nop\n nop\n nop");
    BUFFER_CONTROL(endpoint, out) = control | BUFFER_AVAILABLE;
}

static void send_control_part(void)
{
    const uint16_t part = usb.reply_left < EP0_BYTES ? usb.reply_left : EP0_BYTES;
    copy_in(DPRAM_EP0_BUFFER, usb.reply, part);
    usb.reply += part;
    usb.reply_left = (uint16_t)(usb.reply_left - part);
    arm(0, IN, part);
}

static void reply(const Setup *setup, const uint8_t *bytes, uint16_t count)
{
    usb.reply = bytes;
    usb.reply_left = count < setup->length ? count : setup->length;
    send_control_part();
}

static void accept(void)
{
    usb.reply_left = 0;
    arm(0, IN, 0);
}

static void refuse(void)
{
    REGISTER(USB_EP_STALL_ARM) = 3;
    BUFFER_CONTROL(0, IN) = BUFFER_STALL;
    BUFFER_CONTROL(0, OUT) = BUFFER_STALL;
}

static void start_endpoint(uint8_t endpoint, uint8_t out, uint32_t kind, uint32_t buffer)
{
    usb.pid[endpoint][out] = 0;
    EP_CONTROL(endpoint, out) = EP_ENABLE | EP_INTERRUPT_EACH | kind | buffer;
    BUFFER_CONTROL(endpoint, out) = 0;
}

static void configure(bool on)
{
    usb.configured = on;
    usb.open = usb.in_busy = usb.out_waits = false;
    received_head = received_tail = sent_head = sent_tail = 0;
    if (on) {
        start_endpoint(NOTICE_ENDPOINT, IN, EP_INTERRUPT, DPRAM_NOTICE_BUFFER);
        start_endpoint(DATA_ENDPOINT, OUT, EP_BULK, DPRAM_OUT_BUFFER);
        start_endpoint(DATA_ENDPOINT, IN, EP_BULK, DPRAM_IN_BUFFER);
        arm(DATA_ENDPOINT, OUT, DATA_BYTES);
    }
}

static void text_descriptor(const Setup *setup, const char *text)
{
    uint16_t at = 2;
    while (*text && at + 2u <= sizeof usb.scratch) {
        usb.scratch[at++] = (uint8_t)*text++;
        usb.scratch[at++] = 0;
    }
    usb.scratch[0] = (uint8_t)at;
    usb.scratch[1] = DESCRIPTOR_STRING;
    reply(setup, usb.scratch, at);
}

static void get_descriptor(const Setup *setup)
{
    static const char *const texts[] = {"All Fronts", "All Fronts lights"};
    const uint8_t number = (uint8_t)setup->value;
    switch (setup->value >> 8) {
    case DESCRIPTOR_DEVICE:
        reply(setup, DEVICE_DESCRIPTOR, sizeof DEVICE_DESCRIPTOR);
        return;
    case DESCRIPTOR_CONFIGURATION:
        reply(setup, CONFIGURATION_DESCRIPTOR, sizeof CONFIGURATION_DESCRIPTOR);
        return;
    case DESCRIPTOR_STRING:
        if (number == 0) {
            reply(setup, LANGUAGES, sizeof LANGUAGES);
        } else if (number == STRING_SERIAL) {
            text_descriptor(setup, usb.serial);
        } else if (number < STRING_SERIAL) {
            text_descriptor(setup, texts[number - 1]);
        } else {
            refuse();
        }
        return;
    default:
        refuse();
    }
}

static void line_state(uint16_t state)
{
    const bool dtr = (state & CONTROL_LINE_DTR) != 0;
    const uint32_t baud = (uint32_t)usb.coding[0] | (uint32_t)usb.coding[1] << 8 | (uint32_t)usb.coding[2] << 16;
    if (!dtr && usb.open && baud == BOOT_LOADER_BAUD) {
        usb.boot_loader = true;
    }
    if (dtr && !usb.open) {
        /* What the last host did not fetch is not for this one. */
        sent_head = sent_tail = 0;
        usb.opened = true;
    }
    usb.open = dtr;
}

static void class_request(const Setup *setup)
{
    switch (setup->request) {
    case CDC_SET_LINE_CODING:
        usb.receives_coding = true;
        arm(0, OUT, EP0_BYTES);
        return;
    case CDC_GET_LINE_CODING:
        reply(setup, usb.coding, LINE_CODING_BYTES);
        return;
    case CDC_SET_CONTROL_LINE_STATE:
        line_state(setup->value);
        accept();
        return;
    case CDC_SEND_BREAK:
        accept();
        return;
    default:
        refuse();
    }
}

static void standard_request(const Setup *setup)
{
    switch (setup->request) {
    case REQUEST_GET_DESCRIPTOR:
        get_descriptor(setup);
        return;
    case REQUEST_SET_ADDRESS:
        usb.address = (uint8_t)(setup->value & 0x7F);
        accept();
        return;
    case REQUEST_SET_CONFIGURATION:
        configure(setup->value == 1);
        accept();
        return;
    case REQUEST_GET_CONFIGURATION:
        usb.scratch[0] = usb.configured;
        reply(setup, usb.scratch, 1);
        return;
    case REQUEST_GET_STATUS:
        usb.scratch[0] = usb.scratch[1] = 0;
        reply(setup, usb.scratch, 2);
        return;
    case REQUEST_GET_INTERFACE:
        usb.scratch[0] = 0;
        reply(setup, usb.scratch, 1);
        return;
    case REQUEST_CLEAR_FEATURE:
        if ((setup->index & 0xFu) == DATA_ENDPOINT && (setup->type & 0x1Fu) == 2) {
            usb.pid[DATA_ENDPOINT][setup->index & 0x80u ? IN : OUT] = 0;
        }
        accept();
        return;
    case REQUEST_SET_FEATURE:
    case REQUEST_SET_INTERFACE:
        accept();
        return;
    default:
        refuse();
    }
}

static void take_setup(void)
{
    const volatile uint8_t *bytes = (const volatile uint8_t *)(USB_DPRAM + DPRAM_SETUP);
    const Setup setup = {bytes[0], bytes[1], (uint16_t)(bytes[2] | bytes[3] << 8), (uint16_t)(bytes[4] | bytes[5] << 8),
                         (uint16_t)(bytes[6] | bytes[7] << 8)};
    REGISTER(USB_SIE_STATUS) = SIE_STATUS_SETUP;
    /* Data and status of every control transfer begin with DATA1. */
    usb.pid[0][IN] = usb.pid[0][OUT] = 1;
    usb.reply_left = 0;
    usb.receives_coding = false;
    if ((setup.type >> 5 & 3u) == 1) {
        class_request(&setup);
    } else {
        standard_request(&setup);
    }
}

static void control_sent(void)
{
    if (usb.address) {
        REGISTER(USB_ADDR_ENDP) = usb.address;
        usb.address = 0;
    } else if (usb.reply_left) {
        send_control_part();
    } else {
        arm(0, OUT, EP0_BYTES);     /* the status stage of a transfer to the host; unused by others */
    }
}

static void control_received(void)
{
    if (usb.receives_coding) {
        const volatile uint8_t *bytes = (const volatile uint8_t *)(USB_DPRAM + DPRAM_EP0_BUFFER);
        const uint32_t count = BUFFER_CONTROL(0, OUT) & BUFFER_LENGTH;
        for (uint8_t at = 0; at < LINE_CODING_BYTES && at < count; at++) {
            usb.coding[at] = bytes[at];
        }
        usb.receives_coding = false;
        accept();
    }
}

static uint16_t receive_room(void)
{
    return (uint16_t)(RECEIVE_RING - 1 - ((received_head - received_tail) & (RECEIVE_RING - 1)));
}

/* A packet is taken whole or left: then the host is told to wait by the controller itself. */
static void take_data(void)
{
    const uint16_t count = (uint16_t)(BUFFER_CONTROL(DATA_ENDPOINT, OUT) & BUFFER_LENGTH);
    usb.out_waits = receive_room() < count;
    if (usb.out_waits) {
        return;
    }
    const volatile uint8_t *bytes = (const volatile uint8_t *)(USB_DPRAM + DPRAM_OUT_BUFFER);
    for (uint16_t at = 0; at < count; at++) {
        received[received_head] = bytes[at];
        received_head = (received_head + 1) & (RECEIVE_RING - 1);
    }
    if (count && !usb.open) {
        usb.open = usb.opened = true;   /* a host that does not raise DTR */
    }
    arm(DATA_ENDPOINT, OUT, DATA_BYTES);
}

static void send_data(void)
{
    uint8_t packet[PACKET_MOST];
    uint16_t count = 0;
    while (count < PACKET_MOST && sent_tail != sent_head) {
        packet[count++] = sent[sent_tail];
        sent_tail = (sent_tail + 1) & (SEND_RING - 1);
    }
    if (count) {
        copy_in(DPRAM_IN_BUFFER, packet, count);
        usb.in_busy = true;
        arm(DATA_ENDPOINT, IN, count);
    }
}

static void take_bus_reset(void)
{
    REGISTER(USB_SIE_STATUS) = SIE_STATUS_BUS_RESET;
    REGISTER(USB_ADDR_ENDP) = 0;
    usb.address = 0;
    configure(false);
}

void usb_poll(void)
{
    if (REGISTER(USB_SIE_STATUS) & SIE_STATUS_BUS_RESET) {
        take_bus_reset();
    }
    const uint32_t done = REGISTER(USB_BUFF_STATUS);
    if (done) {
        REGISTER(USB_BUFF_STATUS) = done;
        if (done & BUFFER_BIT(0, IN)) {
            control_sent();
        }
        if (done & BUFFER_BIT(0, OUT)) {
            control_received();
        }
        if (done & BUFFER_BIT(DATA_ENDPOINT, IN)) {
            usb.in_busy = false;
        }
        if (done & BUFFER_BIT(DATA_ENDPOINT, OUT)) {
            take_data();
        }
    }
    if (REGISTER(USB_SIE_STATUS) & SIE_STATUS_SETUP) {
        take_setup();
    }
    if (usb.out_waits) {
        take_data();
    }
    if (usb.configured && !usb.in_busy) {
        send_data();
    }
}

int16_t usb_receive(void)
{
    if (received_tail == received_head) {
        return -1;
    }
    const uint8_t byte = received[received_tail];
    received_tail = (received_tail + 1) & (RECEIVE_RING - 1);
    return byte;
}

uint8_t usb_room(void)
{
    const uint16_t room = (uint16_t)(SEND_RING - 1 - ((sent_head - sent_tail) & (SEND_RING - 1)));
    return usb.open && room < 255 ? (uint8_t)room : 255;
}

void usb_send(uint8_t byte)
{
    const uint16_t next = (sent_head + 1) & (SEND_RING - 1);
    /* Nobody listens, or the core did not ask for room: nothing is kept for later. */
    if (usb.open && next != sent_tail) {
        sent[sent_head] = byte;
        sent_head = next;
    }
}

bool usb_opened(void)
{
    const bool opened = usb.opened;
    usb.opened = false;
    return opened;
}

bool usb_wants_boot_loader(void)
{
    return usb.boot_loader;
}

void usb_start(const char *serial)
{
    usb.serial = serial;
    const uint8_t coding[LINE_CODING_BYTES] = {0x00, 0xC2, 0x01, 0x00, 0, 0, 8};   /* 115,200 baud, 8N1 */
    for (uint8_t at = 0; at < LINE_CODING_BYTES; at++) {
        usb.coding[at] = coding[at];
    }
    for (uint32_t at = 0; at < 0x100; at += 4) {
        REGISTER(USB_DPRAM + at) = 0;
    }
    REGISTER(USB_MUXING) = 1u | 1u << 3;            /* to the pins, by software */
    REGISTER(USB_PWR) = 1u << 2 | 1u << 3;          /* taken as plugged in: the board has no other supply */
    REGISTER(USB_MAIN_CTRL) = 1;
    REGISTER(USB_SIE_CTRL) = SIE_CTRL_EP0_INTERRUPT;
    REGISTER(USB_INTE) = INT_BUFF_STATUS | INT_BUS_RESET | INT_SETUP;
    SET_BITS(USB_SIE_CTRL) = SIE_CTRL_PULL_UP;
}
