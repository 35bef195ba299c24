/* Memory map, clocks, timer, watchdog, pins and interrupts of the RP2040, as far as the program uses them. What it uses and is not
   here, or uses before it is switched on, ends the program with a message: a mistake shall be seen. */
#include "chip.h"

#include <stdio.h>
#include <string.h>

enum {
    RESETS = 0xC000, XOSC = 0x24000, PLL_USB = 0x2C000, CLOCKS = 0x8000, WATCHDOG = 0x58000, TIMER = 0x54000, CHIP_RESET = 0x64000,
    IO_BANK0 = 0x14000, PADS_BANK0 = 0x1C000,
    BLOCK_IO = 5, BLOCK_PADS = 8, BLOCK_PIO0 = 10, BLOCK_PLL_USB = 13, BLOCK_TIMER = 21, BLOCK_USB = 24,
    FUNCTION_SIO = 5,
    PAD_INPUT = 1 << 6, PAD_PULL_UP = 1 << 3
};

void chip_crash(Chip *chip, const char *why, uint32_t where)
{
    if (!chip->cpu.faulted) {
        fprintf(stderr, "rp2040: %s (%08x, program at %08x)\n", why, where, chip->cpu.r[15]);
    }
    chip->cpu.faulted = 1;
}

uint32_t chip_irqs(const Chip *chip)
{
    return ((chip->intr & chip->inte & 1) | (usb_ints(chip) ? 1u << 5 : 0)) & chip->nvic_enable;
}

void chip_irq_changed(Chip *chip)
{
    if (chip_irqs(chip)) {
        chip->cpu.asleep = 0;
    }
}

void chip_drive(Chip *chip, int level)
{
    strip_decoder_edge(&chip->strip, level, chip->cycle);
}

/* Crystal of 12 MHz, the loop as the datasheet's example for USB has it, and the system on it. */
static int clock_is_right(const Chip *chip)
{
    const uint32_t *apb = chip->apb;
    return apb[(PLL_USB + 0x8) / 4] == 100 && apb[(PLL_USB + 0xC) / 4] == (5u << 16 | 5u << 12) &&
           (apb[(PLL_USB + 0x4) / 4] & 0x29) == 0 && (apb[(CLOCKS + 0x3C) / 4] & 0xE1) == 0x21;
}

static int held(const Chip *chip, int block)
{
    return chip->resets >> block & 1;
}

static uint32_t gpio_in(const Chip *chip)
{
    uint32_t in = 0;
    for (int seat = 0; seat < 2; seat++) {
        const uint32_t gpio = seat ? FAR_GPIO : NEAR_GPIO;
        const uint32_t pad = chip->apb[(PADS_BANK0 + 4 + 4 * gpio) / 4];
        /* Without the pull-up an open contact reads low. */
        if ((pad & PAD_INPUT) && (pad & PAD_PULL_UP) && !chip->button[seat]) {
            in |= 1u << gpio;
        }
    }
    return in;
}

static uint32_t microseconds(const Chip *chip)
{
    return chip->timer_from == NEVER ? 0 : (uint32_t)((chip->cycle - chip->timer_from) / CYCLES_A_US);
}

static uint32_t apb_read(Chip *chip, uint32_t offset)
{
    switch (offset) {
    case RESETS: return chip->resets;
    case RESETS + 8: return ~chip->resets & 0x01FFFFFF;
    case XOSC + 4: return chip->apb[XOSC / 4] >> 12 == 0xFAB ? 1u << 31 : 0;
    case PLL_USB: return chip->apb[PLL_USB / 4] | (chip->apb[(PLL_USB + 4) / 4] & 0x21 ? 0 : 1u << 31);
    case CLOCKS + 0x38: return 1u << (chip->apb[(CLOCKS + 0x30) / 4] & 3);
    case CLOCKS + 0x44: return 1u << (chip->apb[(CLOCKS + 0x3C) / 4] & 1);
    case WATCHDOG + 4: return 0;
    case WATCHDOG + 8: return chip->watchdog_reason;
    case WATCHDOG + 0x2C: return chip->watchdog_tick;
    case TIMER + 0x28: return microseconds(chip);
    case TIMER + 0x34: return chip->intr;
    case TIMER + 0x38: return chip->inte;
    case CHIP_RESET + 8: return chip->reset_flags;
    default: break;
    }
    if (offset >= WATCHDOG + 0xC && offset < WATCHDOG + 0x2C) {
        return chip->scratch[(offset - WATCHDOG - 0xC) / 4];
    }
    return chip->apb[offset / 4];
}

static void set_resets(Chip *chip, uint32_t value)
{
    const uint32_t fresh = value & ~chip->resets;
    chip->resets = value;
    if (fresh >> BLOCK_PIO0 & 1) {
        pio_reset(chip);
    }
    if (fresh >> BLOCK_USB & 1) {
        usb_reset(chip);
    }
    if (fresh >> BLOCK_TIMER & 1) {
        chip->intr = chip->inte = 0;
        chip->alarm_at = NEVER;
    }
    if (!(value >> BLOCK_TIMER & 1) && chip->timer_from == NEVER && (chip->watchdog_tick & 0x3FF) == (0x200 | 12)) {
        chip->timer_from = chip->cycle;
    }
}

static void watchdog_load(Chip *chip, uint32_t value)
{
    chip->watchdog_load = value & 0xFFFFFF;
    chip->watchdog_at = chip->cycle + (uint64_t)chip->watchdog_load * CYCLES_A_US / 2;     /* it counts by two */
}

static void apb_write(Chip *chip, uint32_t offset, uint32_t value)
{
    const uint32_t block = offset & ~0x3FFFu;
    if ((block == TIMER && held(chip, BLOCK_TIMER)) || (block == PLL_USB && held(chip, BLOCK_PLL_USB)) ||
        (block == IO_BANK0 && held(chip, BLOCK_IO)) || (block == PADS_BANK0 && held(chip, BLOCK_PADS))) {
        chip_crash(chip, "written while it is held in reset", offset + 0x40000000);
        return;
    }
    chip->next_event = 0;
    switch (offset) {
    case RESETS: set_resets(chip, value & 0x01FFFFFF); return;
    case WATCHDOG:
        chip->watchdog_on = value >> 30 & 1;
        chip->apb[offset / 4] = value & 0x40000000;
        return;
    case WATCHDOG + 4: watchdog_load(chip, value); return;
    case WATCHDOG + 0x2C: chip->watchdog_tick = value; return;
    case TIMER + 0x10: {
        const uint32_t wait = value - microseconds(chip);
        chip->alarm_at = chip->timer_from + (uint64_t)(microseconds(chip) + (uint64_t)wait) * CYCLES_A_US;
        return;
    }
    case TIMER + 0x34: chip->intr &= ~value; return;
    case TIMER + 0x38: chip->inte = value; chip_irq_changed(chip); return;
    default: break;
    }
    if (offset >= WATCHDOG + 0xC && offset < WATCHDOG + 0x2C) {
        chip->scratch[(offset - WATCHDOG - 0xC) / 4] = value;
        return;
    }
    chip->apb[offset / 4] = value;
}

static uint32_t rom_read(uint32_t address)
{
    switch (address) {
    case 0x14: return 0x200;    /* table of functions */
    case 0x18: return 0x41;     /* the function that finds one */
    default: return 0;
    }
}

static uint32_t word_read(Chip *chip, uint32_t address)
{
    const uint32_t plain = address & ~0x3000u;
    if (address >= 0x40000000 && address < 0x40070000) {
        return apb_read(chip, plain - 0x40000000);
    }
    if (address >= 0x50110000 && address < 0x50114000) {
        return held(chip, BLOCK_USB) ? 0 : usb_read(chip, plain - 0x50110000);
    }
    if (address >= 0x50200000 && address < 0x50204000) {
        return held(chip, BLOCK_PIO0) ? 0 : pio_read(chip, plain - 0x50200000);
    }
    switch (address) {
    case 0xD0000000: return 0;
    case 0xD0000004: return gpio_in(chip);
    case 0xD0000010: return chip->gpio_out;
    case 0xD0000020: return chip->gpio_oe;
    case 0xE000E100: return chip->nvic_enable;
    case 0xE000ED08: return chip->vtor;
    default: break;
    }
    chip_crash(chip, "read where nothing is", address);
    return 0;
}

static void word_write(Chip *chip, uint32_t address, uint32_t value)
{
    const uint32_t plain = address & ~0x3000u;
    if ((address >= 0x40000000 && address < 0x40070000) || (address >= 0x50110000 && address < 0x50114000) ||
        (address >= 0x50200000 && address < 0x50204000)) {
        switch (address >> 12 & 3) {
        case 1: value ^= word_read(chip, plain); break;
        case 2: value |= word_read(chip, plain); break;
        case 3: value = word_read(chip, plain) & ~value; break;
        default: break;
        }
        if (plain < 0x40070000) {
            apb_write(chip, plain - 0x40000000, value);
        } else if (held(chip, plain >= 0x50200000 ? BLOCK_PIO0 : BLOCK_USB)) {
            chip_crash(chip, "written while it is held in reset", address);
        } else if (plain >= 0x50200000) {
            if (!clock_is_right(chip)) {
                chip_crash(chip, "the strip's timing counts on 48 MHz, which is not set", address);
            }
            pio_write(chip, plain - 0x50200000, value);
        } else {
            usb_write(chip, plain - 0x50110000, value);
        }
        return;
    }
    switch (address) {
    case 0xD0000014: chip->gpio_out |= value; return;
    case 0xD0000018: chip->gpio_out &= ~value; return;
    case 0xD0000024: chip->gpio_oe |= value; return;
    case 0xD0000028: chip->gpio_oe &= ~value; return;
    case 0xE000E100: chip->nvic_enable |= value; chip_irq_changed(chip); return;
    case 0xE000E180: chip->nvic_enable &= ~value; return;
    case 0xE000E280: return;    /* levels: what still asks is pending again at once */
    case 0xE000ED08: chip->vtor = value; return;
    default: break;
    }
    chip_crash(chip, "written where nothing is", address);
}

uint32_t bus_read(Chip *chip, uint32_t address, uint32_t size)
{
    const uint8_t *at;
    if (address >= 0x20000000 && address < 0x20000000u + SRAM_BYTES) {
        at = chip->sram + (address - 0x20000000);
    } else if (address >= 0x10000000 && address < 0x10000000u + FLASH_BYTES) {
        if (!chip->flash_is_memory) {
            chip_crash(chip, "the flash is read as memory while it is not", address);
            return 0;
        }
        at = chip->flash + (address - 0x10000000);
    } else if (address >= 0x50100000 && address < 0x50100000u + DPRAM_BYTES) {
        at = chip->dpram + (address - 0x50100000);
    } else if (address < 0x4000) {
        return rom_read(address);
    } else if (address >= 0x18000000 && address < 0x18000100) {
        return ssi_read(chip, address - 0x18000000);
    } else if (size != 4) {
        chip_crash(chip, "a register is read by halves", address);
        return 0;
    } else {
        return word_read(chip, address);
    }
    switch (size) {
    case 1: return at[0];
    case 2: return (uint32_t)at[0] | (uint32_t)at[1] << 8;
    default: {
        uint32_t word;
        memcpy(&word, at, 4);
        return word;
    }
    }
}

void bus_write(Chip *chip, uint32_t address, uint32_t size, uint32_t value)
{
    if (address >= 0x20000000 && address + size <= 0x20000000u + SRAM_BYTES) {
        memcpy(chip->sram + (address - 0x20000000), &value, size);
    } else if (address >= 0x50100000 && address + size <= 0x50100000u + DPRAM_BYTES) {
        memcpy(chip->dpram + (address - 0x50100000), &value, size);
    } else if (address >= 0x18000000 && address < 0x18000100) {
        ssi_write(chip, address - 0x18000000, value);
    } else if (size != 4) {
        chip_crash(chip, "a register is written by halves", address);
    } else {
        word_write(chip, address, value);
    }
}

uint16_t bus_fetch(Chip *chip, uint32_t address)
{
    uint16_t op;
    if (address >= 0x20000000 && address < 0x20000000u + SRAM_BYTES - 1) {
        memcpy(&op, chip->sram + (address - 0x20000000), 2);
        return op;
    }
    if (address >= 0x10000000 && address < 0x10000000u + FLASH_BYTES - 1) {
        return (uint16_t)bus_read(chip, address, 2);
    }
    chip_crash(chip, "a program runs where none is", address);
    return 0;
}
