/* The USB device controller, and a host that enumerates the board and speaks with its serial port. The host does one transaction an
   endpoint every 50 us, as long as one of 64 bytes takes at full speed. Chapter 4.1 of the datasheet; USB 2.0, chapters 8 and 9. */
#include "chip.h"

#include <stdio.h>
#include <string.h>

enum {
    STEP_CYCLES = 50 * CYCLES_A_US,
    SETTLE_US = 3000,           /* from the pull-up to the reset of the bus; a real host takes 100 ms and more */
    AVAILABLE = 1 << 10, STALL = 1 << 11, DATA1 = 1 << 13, FULL = 1 << 15, LENGTH = 0x3FF,
    BITS_SETUP = 1 << 17, BITS_BUS_RESET = 1 << 19,
    INT_BUFF_STATUS = 1 << 4, INT_BUS_RESET = 1 << 12, INT_SETUP = 1 << 16,
    PULL_UP = 1 << 16,
    IN = 0, OUT = 1,
    ADDRESS = 5, DATA_ENDPOINT = 2,
    STEP_NONE = 0, STEP_RESET, STEP_DEVICE_HEAD, STEP_ADDRESS, STEP_DEVICE, STEP_CONFIGURATION_HEAD, STEP_CONFIGURATION, STEP_LANGUAGES,
    STEP_SERIAL, STEP_CONFIGURE, STEP_READY
};

static uint32_t control_of(const Chip *chip, uint32_t endpoint, uint32_t out)
{
    uint32_t value;
    memcpy(&value, chip->dpram + 0x80 + 8 * endpoint + 4 * out, 4);
    return value;
}

static void set_control(Chip *chip, uint32_t endpoint, uint32_t out, uint32_t value)
{
    memcpy(chip->dpram + 0x80 + 8 * endpoint + 4 * out, &value, 4);
}

static uint32_t buffer_of(const Chip *chip, uint32_t endpoint, uint32_t out)
{
    uint32_t value = 0x100;
    if (endpoint) {
        memcpy(&value, chip->dpram + 8 * endpoint + 4 * out, 4);
        value &= 0xFFC0;
    }
    return value % DPRAM_BYTES;
}

void usb_reset(Chip *chip)
{
    Usb *usb = &chip->usb;
    if (usb->number) {
        /* The device is gone, and what was on its way with it. */
        usb->out_tail = usb->out_head;
    }
    usb->addr_endp = usb->main_ctrl = usb->sie_ctrl = usb->sie_status = usb->buff_status = usb->stall_arm = usb->muxing = usb->pwr = 0;
    usb->inte = 0;
    usb->attached = usb->step = 0;
    usb->number = 0;
    usb->open = usb->wants_open = usb->wants_coding = 0;
    usb->transfer.stage = 0;
    usb->next = NEVER;
}

uint32_t usb_ints(const Chip *chip)
{
    const Usb *usb = &chip->usb;
    const uint32_t raw = (usb->buff_status ? INT_BUFF_STATUS : 0u) | (usb->sie_status & BITS_BUS_RESET ? INT_BUS_RESET : 0u) |
                         (usb->sie_status & BITS_SETUP ? INT_SETUP : 0u);
    return raw & usb->inte;
}

uint32_t usb_read(Chip *chip, uint32_t offset)
{
    const Usb *usb = &chip->usb;
    switch (offset) {
    case 0x00: return usb->addr_endp;
    case 0x40: return usb->main_ctrl;
    case 0x4C: return usb->sie_ctrl;
    case 0x50: return usb->sie_status;
    case 0x58: return usb->buff_status;
    case 0x68: return usb->stall_arm;
    case 0x74: return usb->muxing;
    case 0x78: return usb->pwr;
    case 0x90: return usb->inte;
    case 0x98: return usb_ints(chip);
    default: return 0;
    }
}

void usb_write(Chip *chip, uint32_t offset, uint32_t value)
{
    Usb *usb = &chip->usb;
    switch (offset) {
    case 0x00: usb->addr_endp = value; break;
    case 0x40: usb->main_ctrl = value; break;
    case 0x4C: usb->sie_ctrl = value; break;
    case 0x50: usb->sie_status &= ~value; break;
    case 0x58: usb->buff_status &= ~value; break;
    case 0x68: usb->stall_arm = value; break;
    case 0x74: usb->muxing = value; break;
    case 0x78: usb->pwr = value; break;
    case 0x90: usb->inte = value; break;
    default: break;
    }
    const int attached = (usb->sie_ctrl & PULL_UP) && (usb->main_ctrl & 1) && (usb->muxing & 9) == 9 && (usb->pwr & 12) == 12;
    if (attached && !usb->attached) {
        usb->wait_until = chip->cycle + (uint64_t)SETTLE_US * CYCLES_A_US;
        usb->next = usb->wait_until;
        usb->step = STEP_RESET;
    }
    usb->attached = attached;
    chip->next_event = 0;
    chip_irq_changed(chip);
}

static void fault(Usb *usb, const char *what)
{
    fprintf(stderr, "rp2040: usb: %s\n", what);
    usb->faults++;
}

/* ---- control transfers ---- */

static void begin(Chip *chip, uint8_t type, uint8_t request, uint16_t value, uint16_t index, uint16_t length)
{
    Transfer *transfer = &chip->usb.transfer;
    const uint8_t setup[8] = {type, request, (uint8_t)value, (uint8_t)(value >> 8), (uint8_t)index, (uint8_t)(index >> 8),
                              (uint8_t)length, (uint8_t)(length >> 8)};
    memcpy(transfer->setup, setup, 8);
    transfer->done = 0;
    transfer->pid = 1;
    transfer->stage = 1;
}

/* A packet from the board: its length, or -1 where it has none ready. */
static int32_t packet_in(Chip *chip, uint32_t endpoint, int *pid, uint8_t *bytes, uint32_t room)
{
    const uint32_t control = control_of(chip, endpoint, IN);
    if (endpoint == 0 && (control & STALL) && (chip->usb.stall_arm & 1)) {
        return -2;
    }
    if (!(control & AVAILABLE) || !(control & FULL)) {
        return -1;
    }
    const uint32_t count = control & LENGTH;
    const int wrong = ((control & DATA1) != 0) != *pid;
    set_control(chip, endpoint, IN, control & ~(uint32_t)(AVAILABLE | FULL));
    chip->usb.buff_status |= 1u << (2 * endpoint);
    if (wrong || count > 64 || count > room) {
        fault(&chip->usb, wrong ? "a packet with the wrong data PID" : "a packet that is too long");
        return -1;
    }
    memcpy(bytes, chip->dpram + buffer_of(chip, endpoint, IN), count);
    *pid ^= 1;
    return (int32_t)count;
}

/* A packet for the board: 1 if it took it. */
static int packet_out(Chip *chip, uint32_t endpoint, int *pid, const uint8_t *bytes, uint32_t count)
{
    const uint32_t control = control_of(chip, endpoint, OUT);
    if (!(control & AVAILABLE)) {
        return 0;
    }
    if (((control & DATA1) != 0) != *pid) {
        fault(&chip->usb, "the board waits for the other data PID");
    }
    memcpy(chip->dpram + buffer_of(chip, endpoint, OUT), bytes, count);
    set_control(chip, endpoint, OUT, (control & ~(uint32_t)(AVAILABLE | LENGTH)) | FULL | count);
    chip->usb.buff_status |= 1u << (2 * endpoint + 1);
    *pid ^= 1;
    return 1;
}

/* One step of the transfer under way: 1 when it is over, -1 when the board refused it. */
static int transfer_step(Chip *chip)
{
    Usb *usb = &chip->usb;
    Transfer *transfer = &usb->transfer;
    const uint32_t wanted = (uint32_t)transfer->setup[6] | (uint32_t)transfer->setup[7] << 8;
    const int to_host = transfer->setup[0] >> 7;
    uint8_t packet[64] = {0};
    int32_t count;
    switch (transfer->stage) {
    case 1:
        if ((usb->addr_endp & 0x7F) != usb->device_address) {
            return 0;   /* nobody hears it */
        }
        memcpy(chip->dpram, transfer->setup, 8);
        set_control(chip, 0, IN, 0);
        set_control(chip, 0, OUT, 0);
        usb->stall_arm = 0;
        usb->sie_status |= BITS_SETUP;
        transfer->stage = wanted ? 2 : 3;
        return 0;
    case 2:
        if (!to_host) {
            if (packet_out(chip, 0, &transfer->pid, transfer->data, wanted)) {
                transfer->stage = 3;
                transfer->pid = 1;
            }
            return 0;
        }
        count = packet_in(chip, 0, &transfer->pid, packet, TRANSFER_DATA_MOST - transfer->done);
        if (count == -2) {
            return -1;
        }
        if (count >= 0) {
            memcpy(transfer->data + transfer->done, packet, (uint32_t)count);
            transfer->done += (uint32_t)count;
            if (count < 64 || transfer->done >= wanted) {
                transfer->stage = 3;
                transfer->pid = 1;
            }
        }
        return 0;
    default:
        if (to_host) {
            return packet_out(chip, 0, &transfer->pid, packet, 0);
        }
        count = packet_in(chip, 0, &transfer->pid, packet, sizeof packet);
        return count == -2 ? -1 : count == 0;
    }
}

/* ---- enumeration ---- */

static void ask_next(Chip *chip)
{
    Usb *usb = &chip->usb;
    switch (usb->step) {
    case STEP_DEVICE_HEAD: begin(chip, 0x80, 6, 0x0100, 0, 8); return;
    case STEP_ADDRESS: begin(chip, 0x00, 5, ADDRESS, 0, 0); return;
    case STEP_DEVICE: begin(chip, 0x80, 6, 0x0100, 0, 18); return;
    case STEP_CONFIGURATION_HEAD: begin(chip, 0x80, 6, 0x0200, 0, 9); return;
    case STEP_CONFIGURATION: begin(chip, 0x80, 6, 0x0200, 0, (uint16_t)(usb->transfer.data[2] | usb->transfer.data[3] << 8)); return;
    case STEP_LANGUAGES: begin(chip, 0x80, 6, 0x0300, 0, 255); return;
    case STEP_SERIAL: begin(chip, 0x80, 6, 0x0303, 0x0409, 255); return;
    case STEP_CONFIGURE: begin(chip, 0x00, 9, 1, 0, 0); return;
    default: return;
    }
}

/* Walks the configuration's descriptors: lengths add up, and the endpoints are those of a serial port. */
static int configuration_good(const Transfer *transfer)
{
    uint32_t at = 0;
    uint32_t endpoints = 0;
    while (at + 2 <= transfer->done && transfer->data[at] >= 2) {
        if (transfer->data[at + 1] == 5 && (transfer->data[at + 3] & 3) == 2) {
            endpoints |= transfer->data[at + 2] & 0x80 ? 1 : 2;
            if ((transfer->data[at + 2] & 0xF) != DATA_ENDPOINT) {
                return 0;
            }
        }
        at += transfer->data[at];
    }
    return at == transfer->done && at == (uint32_t)(transfer->data[2] | transfer->data[3] << 8) && endpoints == 3;
}

static void answered(Chip *chip)
{
    Usb *usb = &chip->usb;
    const Transfer *transfer = &usb->transfer;
    switch (usb->step) {
    case STEP_DEVICE_HEAD:
    case STEP_DEVICE:
        if (transfer->data[0] != 18 || transfer->data[1] != 1 || transfer->data[7] != 64) {
            fault(usb, "the device descriptor");
        }
        break;
    case STEP_ADDRESS:
        usb->device_address = ADDRESS;
        break;
    case STEP_CONFIGURATION:
        if (!configuration_good(transfer)) {
            fault(usb, "the configuration's descriptors");
        }
        break;
    case STEP_SERIAL:
        memset(usb->serial, 0, sizeof usb->serial);
        for (uint32_t at = 2; at < transfer->data[0] && at / 2 < sizeof usb->serial; at += 2) {
            usb->serial[at / 2 - 1] = (char)transfer->data[at];
        }
        break;
    case STEP_CONFIGURE:
        usb->number = ++usb->enumerated;
        usb->in_pid = usb->out_pid = 0;
        break;
    default:
        break;
    }
    usb->step++;
    if (usb->step < STEP_READY) {
        ask_next(chip);
    }
}

static void port_wishes(Chip *chip)
{
    Usb *usb = &chip->usb;
    if (usb->wants_coding) {
        const uint8_t coding[7] = {(uint8_t)usb->baud, (uint8_t)(usb->baud >> 8), (uint8_t)(usb->baud >> 16), (uint8_t)(usb->baud >> 24),
                                   0, 0, 8};
        usb->wants_coding = 0;
        begin(chip, 0x21, 0x20, 0, 0, 7);
        memcpy(usb->transfer.data, coding, sizeof coding);
    } else if (usb->open != usb->wants_open) {
        usb->open = usb->wants_open;
        begin(chip, 0x21, 0x22, usb->open ? 3 : 0, 0, 0);
    }
}

static void serial_data(Chip *chip)
{
    Usb *usb = &chip->usb;
    uint8_t packet[64] = {0};
    uint32_t count = 0;
    while (count < sizeof packet && usb->out_tail + count != usb->out_head) {
        packet[count] = usb->out[(usb->out_tail + count) % LINE_ROOM];
        count++;
    }
    if (count && packet_out(chip, DATA_ENDPOINT, &usb->out_pid, packet, count)) {
        usb->out_tail += count;
        chip->line.received += count;
    }
    if (!usb->open) {
        return;     /* the driver asks for data only while the port is open */
    }
    const int32_t came = packet_in(chip, DATA_ENDPOINT, &usb->in_pid, packet, sizeof packet);
    for (int32_t at = 0; at < came; at++) {
        if (usb->in_head - usb->in_tail < LINE_ROOM) {
            usb->in[usb->in_head % LINE_ROOM] = packet[at];
            usb->in_at[usb->in_head % LINE_ROOM] = chip->cycle;
            usb->in_head++;
        }
        chip->line.sent++;
    }
}

void usb_run(Chip *chip)
{
    Usb *usb = &chip->usb;
    if (chip->cycle < usb->next) {
        return;
    }
    usb->next = chip->cycle + STEP_CYCLES;
    if (usb->step == STEP_RESET) {
        usb->device_address = 0;
        usb->sie_status |= BITS_BUS_RESET;
        usb->step = STEP_DEVICE_HEAD;
        usb->next = chip->cycle + 20 * STEP_CYCLES;
        ask_next(chip);
    } else if (usb->transfer.stage) {
        const int over = transfer_step(chip);
        if (over) {
            usb->transfer.stage = 0;
            if (over < 0) {
                fault(usb, "the board refused a request");
            } else if (usb->step < STEP_READY) {
                answered(chip);
            }
        }
    } else if (usb->step == STEP_READY) {
        port_wishes(chip);
    }
    if (usb->number) {
        serial_data(chip);
    }
    chip_irq_changed(chip);
}
