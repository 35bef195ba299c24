#include "board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/avr_eeprom.h>
#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_interrupts.h>
#include <simavr/sim_io.h>

enum {
    LIGHTS_PIN = 6,
    NEAR_PIN = 2,
    FAR_PIN = 3,
    DOR_BIT = 3,
    MCUSR_ADDRESS = 0x54,
    PORF = 1,
    EXTRF = 2,
    WDRF = 8,
    FIFO_DEPTH = 2,
    IN_ROOM = 1 << 17,
    OUT_ROOM = 1 << 17,
    BATCH_CYCLES = 64,
    FLASH_BYTES = 32768,
    /* WS2812B: 0.4, 0.8, 0.85 and 0.45 us, each +-0.15 us, in cycles of 62.5 ns rounded inwards. */
    T0H_MIN = 4, T0H_MAX = 8,
    T1H_MIN = 11, T1H_MAX = 15,
    T0L_MIN = 12, T0L_MAX = 16,
    T1L_MIN = 5, T1L_MAX = 9,
    GAP_MAX = 96,               /* 6 us: some strips latch after that */
    LATCH = 800                 /* 50 us */
};

typedef struct {
    avr_io_write_t write;
    void *param;
} Hooked;

struct Board {
    avr_t *avr;
    avr_uart_t *uart;
    void (*core_reset)(avr_t *avr);
    Hooked ubrrl, ubrrh, ucsra;
    int was_reset;
    int crashed;

    uint8_t *in;                /* bytes on their way to the board */
    uint32_t in_head, in_tail;
    int arriving;
    uint8_t fifo[FIFO_DEPTH + 1];
    uint32_t fifo_count;
    int overran;
    uint32_t host_baud;

    uint8_t *out;               /* bytes on their way to the host, with the cycle of their stop bit */
    uint64_t *out_at;
    uint32_t out_head, out_tail;
    uint64_t out_free;
    LineCount line;

    int button[2];

    int pin;
    uint64_t rose, fell;
    uint32_t bit_count;
    int last_bit;
    uint8_t wire[3 * BOARD_LIGHTS_MAX];
    uint8_t picture[3 * BOARD_LIGHTS_MAX];
    uint32_t picture_bytes;
    uint64_t picture_number, picture_cycle;
    LightTiming timing;
    void (*told)(void *context, const uint8_t *wire, uint32_t bytes, uint64_t cycle);
    void *told_context;
};

/* ---- the serial line ---- */

static uint32_t divisor(const Board *board)
{
    const avr_t *avr = board->avr;
    const uint32_t ubrr = avr->data[board->uart->ubrrl.reg] | (uint32_t)(avr->data[board->uart->ubrrh.reg] & 15) << 8;
    const uint32_t doubled = avr_regbit_get(board->avr, board->uart->u2x) ? 8 : 16;
    return (ubrr + 1) * doubled;
}

uint32_t board_baud(const Board *board)
{
    return BOARD_HZ / divisor(board);
}

static uint64_t byte_cycles(const Board *board)
{
    return 10u * divisor(board);
}

static int speeds_agree(const Board *board)
{
    const uint32_t board_speed = board_baud(board);
    const uint32_t apart = board_speed > board->host_baud ? board_speed - board->host_baud : board->host_baud - board_speed;
    return apart * 1000u <= board->host_baud * 45u;
}

static uint8_t heard(const Board *board, uint8_t byte)
{
    /* Sampled at the wrong speed: not the true bits, but bytes that nobody can take for them. */
    return speeds_agree(board) ? byte : (uint8_t)((byte ^ 0x5A) | 0x80);
}

/* simavr does not know this chip's DOR0. */
static void show_overrun(Board *board)
{
    uint8_t *status = &board->avr->data[board->uart->r_ucsra];
    *status = (uint8_t)((*status & ~(1 << DOR_BIT)) | board->overran << DOR_BIT);
}

/* RXC is a level: as long as a byte is unread, the flag is up and the interrupt asks. */
static void show_receiver(Board *board)
{
    avr_t *avr = board->avr;
    show_overrun(board);
    if (board->fifo_count) {
        avr_regbit_set(avr, board->uart->rxc.raised);
        if (!board->uart->rxc.pending) {
            avr_raise_interrupt(avr, &board->uart->rxc);
        }
    } else {
        avr_regbit_clear(avr, board->uart->rxc.raised);
        if (board->uart->rxc.pending) {
            avr_clear_interrupt(avr, &board->uart->rxc);
        }
    }
}

static avr_cycle_count_t byte_arrives(avr_t *avr, avr_cycle_count_t when, void *param);

static void start_byte(Board *board)
{
    if (!board->arriving && board->in_head != board->in_tail) {
        board->arriving = 1;
        avr_cycle_timer_register(board->avr, byte_cycles(board), byte_arrives, board);
    }
}

static avr_cycle_count_t byte_arrives(avr_t *avr, avr_cycle_count_t when, void *param)
{
    Board *board = param;
    const uint8_t byte = board->in[board->in_tail];
    board->in_tail = (board->in_tail + 1) % IN_ROOM;
    board->arriving = 0;
    board->line.received++;
    if (!avr_regbit_get(avr, board->uart->rxen)) {
        board->line.unheard++;
    } else if (board->fifo_count > FIFO_DEPTH) {
        /* Two unread and one waiting in the shift register: this one pushes it out. */
        board->fifo[FIFO_DEPTH] = heard(board, byte);
        board->overran = 1;
        board->line.overrun++;
        show_receiver(board);
    } else {
        board->fifo[board->fifo_count++] = heard(board, byte);
        show_receiver(board);
    }
    if (board->in_head == board->in_tail) {
        return 0;
    }
    board->arriving = 1;
    return when + byte_cycles(board);
}

static uint8_t udr_read(avr_t *avr, avr_io_addr_t address, void *param)
{
    Board *board = param;
    const uint8_t byte = board->fifo[0];
    (void)address;
    if (board->fifo_count) {
        board->fifo_count--;
        memmove(board->fifo, board->fifo + 1, FIFO_DEPTH);
    }
    board->overran = 0;
    avr->data[board->uart->r_udr] = byte;
    show_receiver(board);
    return byte;
}

static uint8_t ucsra_read(avr_t *avr, avr_io_addr_t address, void *param)
{
    Board *board = param;
    avr_regbit_setto(avr, board->uart->rxc.raised, board->fifo_count != 0);
    show_overrun(board);
    return avr->data[address];
}

/* simavr counts 11 bits a byte, whatever is set; 8N1 has 10. */
static void speed_written(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    Board *board = param;
    const Hooked *hooked = address == board->uart->r_ucsra ? &board->ucsra
                         : address == board->uart->ubrrl.reg ? &board->ubrrl : &board->ubrrh;
    if (hooked->write) {
        hooked->write(avr, address, value, hooked->param);
    } else {
        avr->data[address] = value;
    }
    board->uart->cycles_per_byte = byte_cycles(board);
    avr_regbit_setto(avr, board->uart->rxc.raised, board->fifo_count != 0);
}

static void byte_sent(avr_irq_t *irq, uint32_t value, void *param)
{
    Board *board = param;
    (void)irq;
    const uint64_t from = board->out_free > board->avr->cycle ? board->out_free : board->avr->cycle;
    board->out_free = from + byte_cycles(board);
    const uint32_t next = (board->out_head + 1) % OUT_ROOM;
    board->line.sent++;
    if (next != board->out_tail) {
        board->out[board->out_head] = heard(board, (uint8_t)value);
        board->out_at[board->out_head] = board->out_free;
        board->out_head = next;
    }
}

void board_write(Board *board, const uint8_t *bytes, uint32_t count)
{
    for (uint32_t at = 0; at < count; at++) {
        const uint32_t next = (board->in_head + 1) % IN_ROOM;
        if (next == board->in_tail) {
            break;
        }
        board->in[board->in_head] = bytes[at];
        board->in_head = next;
    }
    start_byte(board);
}

uint32_t board_write_waiting(const Board *board)
{
    return (board->in_head - board->in_tail + IN_ROOM) % IN_ROOM;
}

uint32_t board_read(Board *board, uint8_t *bytes, uint64_t *at, uint32_t room)
{
    uint32_t count = 0;
    while (count < room && board->out_tail != board->out_head && board->out_at[board->out_tail] <= board->avr->cycle) {
        bytes[count] = board->out[board->out_tail];
        if (at) {
            at[count] = board->out_at[board->out_tail];
        }
        board->out_tail = (board->out_tail + 1) % OUT_ROOM;
        count++;
    }
    return count;
}

void board_host_baud(Board *board, uint32_t baud)
{
    board->host_baud = baud;
}

/* ---- the lights ---- */

static void extremes(uint32_t *least, uint32_t *most, uint32_t value)
{
    if (value < *least) {
        *least = value;
    }
    if (value > *most) {
        *most = value;
    }
}

static void end_picture(Board *board)
{
    if (board->bit_count == 0) {
        return;
    }
    if (board->bit_count % 24) {
        board->timing.bad_bits++;
    }
    board->picture_bytes = board->bit_count / 8;
    memcpy(board->picture, board->wire, board->picture_bytes);
    board->picture_number++;
    board->picture_cycle = board->fell;
    board->timing.pictures++;
    board->bit_count = 0;
    if (board->told) {
        board->told(board->told_context, board->picture, board->picture_bytes, board->picture_cycle);
    }
}

static void light_pin(avr_irq_t *irq, uint32_t value, void *param)
{
    Board *board = param;
    LightTiming *timing = &board->timing;
    const uint64_t now = board->avr->cycle;
    const int pin = (value & 1) != 0;
    (void)irq;
    if (pin == board->pin) {
        return;
    }
    board->pin = pin;
    if (pin) {
        const uint64_t low = now - board->fell;
        if (board->bit_count && low >= LATCH) {
            end_picture(board);
        }
        if (board->bit_count) {
            if (board->bit_count % 24 == 0) {
                uint32_t unused = 0;
                extremes(&unused, &timing->gap_max, (uint32_t)low);
                if (low > GAP_MAX) {
                    timing->bad_bits++;
                }
            } else if (board->last_bit) {
                extremes(&timing->one_low_min, &timing->one_low_max, (uint32_t)low);
                timing->bad_bits += low < T1L_MIN || low > T1L_MAX;
            } else {
                extremes(&timing->zero_low_min, &timing->zero_low_max, (uint32_t)low);
                timing->bad_bits += low < T0L_MIN || low > T0L_MAX;
            }
        } else if (board->timing.pictures && low < timing->pause_min) {
            timing->pause_min = (uint32_t)low;
        }
        board->rose = now;
        return;
    }
    const uint64_t high = now - board->rose;
    const int bit = high > (T0H_MAX + T1H_MIN) / 2;
    timing->bits++;
    if (bit) {
        extremes(&timing->one_high_min, &timing->one_high_max, (uint32_t)high);
        timing->bad_bits += high < T1H_MIN || high > T1H_MAX;
    } else {
        extremes(&timing->zero_high_min, &timing->zero_high_max, (uint32_t)high);
        timing->bad_bits += high < T0H_MIN || high > T0H_MAX;
    }
    board->last_bit = bit;
    if (board->bit_count < 24 * BOARD_LIGHTS_MAX) {
        uint8_t *byte = &board->wire[board->bit_count / 8];
        *byte = (uint8_t)(*byte << 1 | bit);
        board->bit_count++;
    } else {
        timing->bad_bits++;
    }
    board->fell = now;
}

uint32_t board_lights(const Board *board, uint8_t *wire, uint64_t *number, uint64_t *cycle)
{
    memcpy(wire, board->picture, board->picture_bytes);
    *number = board->picture_number;
    *cycle = board->picture_cycle;
    return board->picture_bytes;
}

void board_timing(const Board *board, LightTiming *timing)
{
    *timing = board->timing;
}

void board_line(const Board *board, LineCount *line)
{
    *line = board->line;
}

void board_on_picture(Board *board, void (*told)(void *context, const uint8_t *wire, uint32_t bytes, uint64_t cycle), void *context)
{
    board->told = told;
    board->told_context = context;
}

/* ---- buttons ---- */

static void drive_button(Board *board, int seat)
{
    const int pin = seat ? FAR_PIN : NEAR_PIN;
    const uint32_t level = !board->button[seat];
    /* Both: the pull-up that simavr asserts at each write of the port would let a held button go. */
    avr_ioport_external_t external = {.name = 'D', .mask = 1 << NEAR_PIN | 1 << FAR_PIN};
    external.value = (uint8_t)((!board->button[0]) << NEAR_PIN | (!board->button[1]) << FAR_PIN);
    avr_ioctl(board->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('D'), &external);
    avr_irq_t *irq = avr_io_getirq(board->avr, AVR_IOCTL_IOPORT_GETIRQ('D'), pin);
    /* The pin's value is filtered: after a reset it reads 0 until it changes. */
    avr_raise_irq(irq, !level);
    avr_raise_irq(irq, level);
}

void board_button(Board *board, int seat, int down)
{
    board->button[seat != 0] = down != 0;
    drive_button(board, seat != 0);
}

/* ---- the chip ---- */

/* avr_t has no field for its owner, and a thread runs one board at a time. */
static _Thread_local Board *one_resetting;

static void told_of_reset(avr_t *avr)
{
    Board *board = one_resetting;
    if (board->core_reset) {
        board->core_reset(avr);
    }
    board->was_reset = 1;
}

static void no_sleep(avr_t *avr, avr_cycle_count_t how_long)
{
    (void)avr;
    (void)how_long;
}

static void after_reset(Board *board)
{
    avr_t *avr = board->avr;
    board->was_reset = 0;
    board->line.resets++;
    if (avr->data[MCUSR_ADDRESS] & WDRF) {
        board->line.watchdog_resets++;
    }
    /* avr_reset dropped every timer. The byte on the line goes on; what was unread is gone. */
    board->fifo_count = 0;
    board->overran = 0;
    board->arriving = 0;
    start_byte(board);
    /* The buttons' pins are also INT0 and INT1; simavr looks at those every few cycles while they are low, which takes 16 times as long. */
    for (int at = 0; at < 2; at++) {
        avr_unconnect_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), NEAR_PIN + at), avr_io_getirq(avr, AVR_IOCTL_EXTINT_GETIRQ(), EXTINT_IRQ_OUT_INT0 + at));
    }
    drive_button(board, 0);
    drive_button(board, 1);
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
}

static void reset_with(Board *board, uint8_t cause)
{
    one_resetting = board;
    avr_reset(board->avr);
    board->avr->data[MCUSR_ADDRESS] = cause;
    after_reset(board);
}

void board_reset(Board *board)
{
    reset_with(board, EXTRF);
}

void board_power_cycle(Board *board)
{
    /* RAM wakes with anything in it, and what was on the line is gone. */
    board->in_tail = board->in_head;
    board->out_tail = board->out_head;
    board->out_free = 0;
    for (uint32_t at = 0x100; at <= board->avr->ramend; at++) {
        board->avr->data[at] = (uint8_t)(at * 167u + 13u);
    }
    reset_with(board, PORF);
}

static avr_cycle_count_t slice_ends(avr_t *avr, avr_cycle_count_t when, void *param)
{
    /* Only here so that a sleeping chip does not jump over the end of the slice. */
    (void)avr;
    (void)when;
    (void)param;
    return 0;
}

void board_run(Board *board, uint64_t cycles)
{
    avr_t *avr = board->avr;
    const uint64_t end = avr->cycle + cycles;
    one_resetting = board;
    avr_cycle_timer_register(avr, cycles, slice_ends, board);
    while (avr->cycle < end && !board->crashed) {
        const int state = avr_run(avr);
        if (board->was_reset) {
            after_reset(board);
            if (avr->cycle < end) {
                avr_cycle_timer_register(avr, end - avr->cycle, slice_ends, board);
            }
        }
        if (state == cpu_Done || state == cpu_Crashed) {
            board->crashed = 1;
        }
    }
    avr_cycle_timer_cancel(avr, slice_ends, board);
    if (board->bit_count && !board->pin && avr->cycle - board->fell >= LATCH) {
        end_picture(board);
    }
}

uint64_t board_cycle(const Board *board)
{
    return board->avr->cycle;
}

int board_crashed(const Board *board)
{
    return board->crashed;
}

/* Intel HEX of up to 64 KiB. *start gets the lowest address. 0 for a file that cannot be read, is damaged, or does not fit. */
static int load_hex(avr_t *avr, const char *path, uint32_t *start)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        return 0;
    }
    char line[600];
    int good = 1;
    *start = FLASH_BYTES;
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
        good = address + record[0] <= FLASH_BYTES;
        if (good) {
            memcpy(avr->flash + address, record + 4, record[0]);
            if (record[0] && address < *start) {
                *start = address;
            }
        }
    }
    fclose(file);
    return good && *start < FLASH_BYTES;
}

static int ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static void quiet(avr_t *avr, const int level, const char *format, va_list rest)
{
    (void)avr;
    if (level <= LOG_ERROR) {
        vfprintf(stderr, format, rest);
    }
}

static void hook(avr_t *avr, Board *board, Hooked *hooked, avr_io_addr_t address)
{
    const uint32_t io = AVR_DATA_TO_IO(address);
    hooked->write = avr->io[io].w.c;
    hooked->param = avr->io[io].w.param;
    avr->io[io].w.c = speed_written;
    avr->io[io].w.param = board;
}

Board *board_new(const char *program, const char *bootloader, int paint)
{
    Board *board = calloc(1, sizeof *board);
    avr_global_logger_set(quiet);
    avr_t *avr = board->avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr->frequency = BOARD_HZ;
    avr->sleep = no_sleep;
    avr->run_cycle_limit = BATCH_CYCLES;
    avr->codeend = avr->flashend;
    memset(avr->flash, 0xFF, FLASH_BYTES);
    uint32_t start = 0;
    if (program && *program) {
        if (ends_with(program, ".hex")) {
            if (!load_hex(avr, program, &start)) {
                free(board);
                return NULL;
            }
        } else {
            elf_firmware_t firmware;
            memset(&firmware, 0, sizeof firmware);
            if (elf_read_firmware(program, &firmware) != 0 || firmware.flashsize == 0) {
                free(board);
                return NULL;
            }
            memcpy(avr->flash + firmware.flashbase, firmware.flash, firmware.flashsize);
        }
    }
    avr->reset_pc = 0;
    if (bootloader && *bootloader) {
        if (!load_hex(avr, bootloader, &start)) {
            free(board);
            return NULL;
        }
        avr->reset_pc = start;
    }

    for (avr_io_t *io = avr->io_port; io; io = io->next) {
        if (strcmp(io->kind, "uart") == 0) {
            board->uart = (avr_uart_t *)io;
        }
    }
    board->in = calloc(IN_ROOM, 1);
    board->out = calloc(OUT_ROOM, 1);
    board->out_at = calloc(OUT_ROOM, sizeof *board->out_at);
    board->host_baud = 115200;
    board->timing.zero_high_min = board->timing.one_high_min = board->timing.zero_low_min = board->timing.one_low_min = UINT32_MAX;
    board->timing.pause_min = UINT32_MAX;

    hook(avr, board, &board->ubrrl, board->uart->ubrrl.reg);
    hook(avr, board, &board->ubrrh, board->uart->ubrrh.reg);
    hook(avr, board, &board->ucsra, board->uart->r_ucsra);
    avr->io[AVR_DATA_TO_IO(board->uart->r_udr)].r.c = udr_read;
    avr->io[AVR_DATA_TO_IO(board->uart->r_udr)].r.param = board;
    avr->io[AVR_DATA_TO_IO(board->uart->r_ucsra)].r.c = ucsra_read;
    avr->io[AVR_DATA_TO_IO(board->uart->r_ucsra)].r.param = board;
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), byte_sent, board);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), LIGHTS_PIN), light_pin, board);

    board->core_reset = avr->reset;
    avr->reset = told_of_reset;
    board_power_cycle(board);
    board->line.resets = 0;
    if (paint) {
        memset(avr->data + 0x100, 0xA5, avr->ramend + 1u - 0x100);
    }
    return board;
}

void board_free(Board *board)
{
    if (board) {
        avr_terminate(board->avr);
        free(board->in);
        free(board->out);
        free(board->out_at);
        free(board);
    }
}

void board_eeprom_get(Board *board, uint8_t *bytes)
{
    avr_eeprom_desc_t all = {.ee = NULL, .offset = 0, .size = BOARD_EEPROM_BYTES};
    all.ee = bytes;
    avr_ioctl(board->avr, AVR_IOCTL_EEPROM_GET, &all);
    if (all.ee != bytes) {
        memcpy(bytes, all.ee, BOARD_EEPROM_BYTES);
    }
}

void board_eeprom_set(Board *board, const uint8_t *bytes)
{
    avr_eeprom_desc_t all = {.ee = (uint8_t *)bytes, .offset = 0, .size = BOARD_EEPROM_BYTES};
    avr_ioctl(board->avr, AVR_IOCTL_EEPROM_SET, &all);
}

uint8_t board_ram(const Board *board, uint32_t address)
{
    return address <= board->avr->ramend ? board->avr->data[address] : 0;
}

void board_flash(const Board *board, uint8_t *bytes, uint32_t count)
{
    memcpy(bytes, board->avr->flash, count > FLASH_BYTES ? FLASH_BYTES : count);
}
