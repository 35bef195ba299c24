/* The emulated Raspberry Pi Pico behind the interface of board.h. */
#include "chip.h"

#include <stdlib.h>
#include <string.h>

enum { RESET_POWER = 1 << 8, RESET_RUN = 1 << 16, REASON_WATCHDOG = 1 };

struct Board {
    Chip chip;
};

uint32_t board_hz(void)
{
    return CHIP_HZ;
}

static void start(Chip *chip)
{
    memset(chip->apb, 0, sizeof chip->apb);
    memset(&chip->cpu, 0, sizeof chip->cpu);
    for (uint32_t gpio = 0; gpio < 30; gpio++) {
        chip->apb[(0x14004 + 8 * gpio) / 4] = 31;
        chip->apb[(0x1C004 + 4 * gpio) / 4] = 0x56;
    }
    chip->apb[0x2C004 / 4] = 0x2D;      /* the loop is off */
    chip->resets = 0x01FFFFFF & ~(1u << 6 | 1u << 9);
    chip->gpio_out = chip->gpio_oe = chip->nvic_enable = chip->vtor = 0;
    chip->timer_from = chip->alarm_at = chip->watchdog_at = NEVER;
    chip->intr = chip->inte = 0;
    chip->watchdog_on = 0;
    chip->watchdog_tick = 0;
    chip->flash_is_memory = chip->flash_commands = chip->boot_loader = 0;
    chip->next_event = 0;
    pio_reset(chip);
    usb_reset(chip);
    strip_decoder_edge(&chip->strip, 0, chip->cycle);
    if (!boot_from_flash(chip)) {
        chip->boot_loader = 1;          /* as the ROM does with a flash that holds no program */
    }
    chip->line.resets++;
}

static void pin_reset(Chip *chip, uint32_t flags)
{
    memset(chip->scratch, 0, sizeof chip->scratch);
    chip->watchdog_reason = 0;
    chip->reset_flags = flags;
    start(chip);
}

void board_reset(Board *board)
{
    pin_reset(&board->chip, RESET_RUN);
}

void board_power_cycle(Board *board)
{
    Chip *chip = &board->chip;
    for (uint32_t at = 0; at < SRAM_BYTES; at++) {
        chip->sram[at] = (uint8_t)(at * 167u + 13u);    /* RAM wakes with anything in it */
    }
    chip->usb.out_tail = chip->usb.out_head;
    chip->usb.in_tail = chip->usb.in_head;
    pin_reset(chip, RESET_POWER);
}

void board_brown_out(Board *board)
{
    board_power_cycle(board);   /* the chip tells the two by the same flag */
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void events(Chip *chip)
{
    pio_run(chip);
    usb_run(chip);
    if (chip->cycle >= chip->alarm_at) {
        chip->alarm_at = NEVER;
        chip->intr |= 1;
        chip_irq_changed(chip);
    }
    if (chip->watchdog_on && chip->cycle >= chip->watchdog_at) {
        chip->line.watchdog_resets++;
        chip->watchdog_reason = REASON_WATCHDOG;
        start(chip);
    }
    chip->next_event = earlier(earlier(chip->pio.next, chip->usb.next), earlier(chip->alarm_at, chip->watchdog_on ? chip->watchdog_at : NEVER));
}

void board_run(Board *board, uint64_t cycles)
{
    Chip *chip = &board->chip;
    /* Writing the flash takes its time at once, so the chip may be ahead of what was asked for until now. */
    const uint64_t end = chip->due += cycles;
    while (chip->cycle < end && !chip->cpu.faulted) {
        if (chip->cycle >= chip->next_event) {
            events(chip);
        }
        if (chip->boot_loader) {
            chip->cycle = end;
            if (chip->usb.number) {
                usb_reset(chip);
            }
        } else if (chip->cpu.asleep) {
            /* Looked at before it sleeps: what is pending ends the sleep at once. */
            chip_irq_changed(chip);
            if (chip->cpu.asleep) {
                const uint64_t to = earlier(end, chip->next_event);
                chip->cycle = to > chip->cycle ? to : chip->cycle + 1;
            }
        } else {
            chip->cycle += cpu_step(&chip->cpu, chip);
        }
    }
    strip_decoder_wait(&chip->strip, chip->cycle);
}

uint64_t board_cycle(const Board *board)
{
    return board->chip.cycle;
}

int board_crashed(const Board *board)
{
    return board->chip.cpu.faulted || board->chip.usb.faults;
}

Board *board_new(const char *program, const char *bootloader, int paint)
{
    Board *board = calloc(1, sizeof *board);
    Chip *chip = &board->chip;
    (void)bootloader;
    memset(chip->flash, 0xFF, sizeof chip->flash);
    if (program && *program && !flash_loaded(chip, program)) {
        free(board);
        return NULL;
    }
    static const uint8_t id[8] = {0xE6, 0x61, 0x41, 0x04, 0x03, 0x2B, 0x17, 0x21};
    memcpy(chip->flash_id, id, sizeof id);
    chip->usb.out = calloc(1, LINE_ROOM);
    chip->usb.in = calloc(1, LINE_ROOM);
    chip->usb.in_at = calloc(LINE_ROOM, sizeof *chip->usb.in_at);
    strip_decoder_start(&chip->strip, CHIP_HZ);
    board_power_cycle(board);
    chip->line.resets = 0;
    if (paint) {
        memset(chip->sram, 0xA5, SRAM_BYTES);
        start(chip);
        chip->line.resets = 0;
    }
    return board;
}

int board_load(Board *board, const char *program)
{
    return flash_loaded(&board->chip, program);
}

void board_free(Board *board)
{
    if (board) {
        free(board->chip.usb.out);
        free(board->chip.usb.in);
        free(board->chip.usb.in_at);
        free(board);
    }
}

void board_open(Board *board, int open)
{
    Usb *usb = &board->chip.usb;
    usb->wants_open = open != 0;
    if (open) {
        usb->wants_coding = 1;
        usb->baud = usb->baud ? usb->baud : 115200;
    }
}

void board_supply(Board *board, uint32_t millivolts)
{
    (void)board;
    (void)millivolts;
}

uint32_t board_port(const Board *board)
{
    return board->chip.usb.number;
}

int board_boot_loader(const Board *board)
{
    return board->chip.boot_loader;
}

const char *board_serial(const Board *board)
{
    return board->chip.usb.serial;
}

void board_write(Board *board, const uint8_t *bytes, uint32_t count)
{
    Usb *usb = &board->chip.usb;
    for (uint32_t at = 0; at < count && usb->out_head - usb->out_tail < LINE_ROOM - 1; at++) {
        usb->out[usb->out_head++ % LINE_ROOM] = bytes[at];
    }
}

uint32_t board_write_waiting(const Board *board)
{
    return board->chip.usb.out_head - board->chip.usb.out_tail;
}

uint32_t board_read(Board *board, uint8_t *bytes, uint64_t *at, uint32_t room)
{
    Usb *usb = &board->chip.usb;
    uint32_t count = 0;
    while (count < room && usb->in_tail != usb->in_head) {
        bytes[count] = usb->in[usb->in_tail % LINE_ROOM];
        if (at) {
            at[count] = usb->in_at[usb->in_tail % LINE_ROOM];
        }
        usb->in_tail++;
        count++;
    }
    return count;
}

void board_host_baud(Board *board, uint32_t baud)
{
    Usb *usb = &board->chip.usb;
    if (usb->baud != baud) {
        usb->baud = baud;
        usb->wants_coding = 1;
    }
}

uint32_t board_baud(const Board *board)
{
    return board->chip.usb.baud;
}

void board_button(Board *board, int seat, int down)
{
    board->chip.button[seat != 0] = down != 0;
}

uint32_t board_lights(const Board *board, uint8_t *wire, uint64_t *number, uint64_t *cycle)
{
    const StripDecoder *strip = &board->chip.strip;
    memcpy(wire, strip->picture, strip->picture_bytes);
    *number = strip->picture_number;
    *cycle = strip->picture_cycle;
    return strip->picture_bytes;
}

void board_timing(const Board *board, LightTiming *timing)
{
    *timing = board->chip.strip.timing;
}

void board_line(const Board *board, LineCount *line)
{
    *line = board->chip.line;
}

void board_on_picture(Board *board, void (*told)(void *context, const uint8_t *wire, uint32_t bytes, uint64_t cycle), void *context)
{
    board->chip.strip.told = told;
    board->chip.strip.told_context = context;
}

uint32_t board_kept_bytes(void)
{
    return KEPT_BYTES;
}

void board_kept_get(Board *board, uint8_t *bytes)
{
    memcpy(bytes, board->chip.flash + KEPT_AT, KEPT_BYTES);
}

void board_kept_set(Board *board, const uint8_t *bytes)
{
    memcpy(board->chip.flash + KEPT_AT, bytes, KEPT_BYTES);
}

uint8_t board_ram(const Board *board, uint32_t address)
{
    return address < SRAM_BYTES ? board->chip.sram[address] : 0;
}

void board_flash(const Board *board, uint8_t *bytes, uint32_t count)
{
    memcpy(bytes, board->chip.flash, count < FLASH_BYTES ? count : FLASH_BYTES);
}
