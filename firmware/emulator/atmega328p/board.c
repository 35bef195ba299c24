#include "board_inside.h"
#include "hex_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/avr_eeprom.h>
#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>
#include <simavr/sim_elf.h>

enum {
    LIGHTS_PIN = 6,
    NEAR_PIN = 2,
    FAR_PIN = 3,
    MCUSR_ADDRESS = 0x54,
    EECR_ADDRESS = 0x3F,
    EEPE_BIT = 2,
    EEMPE_BIT = 4,
    EEPROM_WRITE_US = 3400,     /* erase and write of a byte, by the datasheet */
    PORF = 1,
    EXTRF = 2,
    BORF = 4,
    WDRF = 8,
    BATCH_CYCLES = 64,
    FLASH_BYTES = 32768
};

static void light_pin(avr_irq_t *irq, uint32_t value, void *param)
{
    Board *board = param;
    (void)irq;
    strip_decoder_edge(&board->strip, (value & 1) != 0, board->avr->cycle);
}

uint32_t board_lights(const Board *board, uint8_t *wire, uint64_t *number, uint64_t *cycle)
{
    memcpy(wire, board->strip.picture, board->strip.picture_bytes);
    *number = board->strip.picture_number;
    *cycle = board->strip.picture_cycle;
    return board->strip.picture_bytes;
}

void board_timing(const Board *board, LightTiming *timing)
{
    *timing = board->strip.timing;
}

void board_line(const Board *board, LineCount *line)
{
    *line = board->line;
}

void board_on_picture(Board *board, void (*told)(void *context, const uint8_t *wire, uint32_t bytes, uint64_t cycle), void *context)
{
    board->strip.told = told;
    board->strip.told_context = context;
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

/* ---- the EEPROM's time: simavr writes at once ---- */

static avr_cycle_count_t eeprom_done(avr_t *avr, avr_cycle_count_t when, void *param)
{
    Board *board = param;
    (void)when;
    board->eeprom_busy = 0;
    avr->data[EECR_ADDRESS] &= (uint8_t)~EEPE_BIT;
    return 0;
}

static void eecr_written(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    Board *board = param;
    const int begins = !board->eeprom_busy && (value & EEPE_BIT) && (avr->data[address] & EEMPE_BIT);
    if (board->eecr.write) {
        board->eecr.write(avr, address, value, board->eecr.param);
    } else {
        avr->data[address] = value;
    }
    if (begins) {
        board->eeprom_busy = 1;
        avr_cycle_timer_register_usec(avr, EEPROM_WRITE_US, eeprom_done, board);
    }
    if (board->eeprom_busy) {
        avr->data[address] |= EEPE_BIT;
    }
}

static void eeprom_start(Board *board)
{
    avr_t *avr = board->avr;
    const uint32_t io = AVR_DATA_TO_IO(EECR_ADDRESS);
    board->eecr.write = avr->io[io].w.c;
    board->eecr.param = avr->io[io].w.param;
    avr->io[io].w.c = eecr_written;
    avr->io[io].w.param = board;
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
    line_after_reset(board);
    board->eeprom_busy = 0;
    board->avr->data[EECR_ADDRESS] &= (uint8_t)~EEPE_BIT;
    /* The buttons' pins are also INT0 and INT1; simavr looks at those every few cycles while they are low, which takes 16 times as long. */
    for (int at = 0; at < 2; at++) {
        avr_unconnect_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), NEAR_PIN + at),
                          avr_io_getirq(avr, AVR_IOCTL_EXTINT_GETIRQ(), EXTINT_IRQ_OUT_INT0 + at));
    }
    drive_button(board, 0);
    drive_button(board, 1);
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

void board_brown_out(Board *board)
{
    reset_with(board, BORF);
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
    strip_decoder_wait(&board->strip, avr->cycle);
}

uint64_t board_cycle(const Board *board)
{
    return board->avr->cycle;
}

int board_crashed(const Board *board)
{
    return board->crashed;
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

void board_supply(Board *board, uint32_t millivolts)
{
    board->avr->vcc = board->avr->avcc = millivolts;
}

uint32_t board_hz(void)
{
    return CHIP_HZ;
}

int board_load(Board *board, const char *program)
{
    avr_t *avr = board->avr;
    uint32_t start = 0;
    if (ends_with(program, ".hex")) {
        return hex_file_load(program, avr->flash, FLASH_BYTES, &start);
    }
    elf_firmware_t firmware;
    memset(&firmware, 0, sizeof firmware);
    if (elf_read_firmware(program, &firmware) != 0 || firmware.flashsize == 0) {
        return 0;
    }
    memcpy(avr->flash + firmware.flashbase, firmware.flash, firmware.flashsize);
    return 1;
}

void board_open(Board *board, int open)
{
    if (open) {
        board_reset(board);
    }
}

uint32_t board_port(const Board *board)
{
    (void)board;
    return 1;
}

const char *board_serial(const Board *board)
{
    (void)board;
    return "";
}

int board_boot_loader(const Board *board)
{
    (void)board;
    return 0;
}

Board *board_new(const char *program, const char *bootloader, int paint)
{
    Board *board = calloc(1, sizeof *board);
    avr_global_logger_set(quiet);
    avr_t *avr = board->avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr->frequency = CHIP_HZ;
    avr->vcc = avr->avcc = avr->aref = 5000;    /* millivolts, for the converter */
    avr->sleep = no_sleep;
    avr->run_cycle_limit = BATCH_CYCLES;
    avr->codeend = avr->flashend;
    memset(avr->flash, 0xFF, FLASH_BYTES);
    if (program && *program && !board_load(board, program)) {
        free(board);
        return NULL;
    }
    avr->reset_pc = 0;
    if (bootloader && *bootloader) {
        uint32_t start = 0;
        if (!hex_file_load(bootloader, avr->flash, FLASH_BYTES, &start)) {
            free(board);
            return NULL;
        }
        avr->reset_pc = start;
    }

    line_start(board);
    eeprom_start(board);
    strip_decoder_start(&board->strip, CHIP_HZ);

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

uint32_t board_kept_bytes(void)
{
    return EEPROM_BYTES;
}

void board_kept_get(Board *board, uint8_t *bytes)
{
    avr_eeprom_desc_t all = {.ee = NULL, .offset = 0, .size = EEPROM_BYTES};
    all.ee = bytes;
    avr_ioctl(board->avr, AVR_IOCTL_EEPROM_GET, &all);
    if (all.ee != bytes) {
        memcpy(bytes, all.ee, EEPROM_BYTES);
    }
}

void board_kept_set(Board *board, const uint8_t *bytes)
{
    avr_eeprom_desc_t all = {.ee = (uint8_t *)bytes, .offset = 0, .size = EEPROM_BYTES};
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
