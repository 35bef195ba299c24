/* One state machine of the programmable input and output, with the instructions that need no input: RP2040 datasheet, chapter 3. */
#include "chip.h"

#include <string.h>

enum { FUNCTION_PIO0 = 6 };

void pio_reset(Chip *chip)
{
    memset(&chip->pio, 0, sizeof chip->pio);
    chip->pio.next = NEVER;
}

static uint32_t divisor(const Pio *pio)
{
    const uint32_t whole = pio->clkdiv >> 16;
    return whole ? whole : 65536;
}

static void put_pin(Chip *chip)
{
    const Pio *pio = &chip->pio;
    const uint32_t function = chip->apb[(0x14004 + 8 * LIGHTS_GPIO) / 4] & 31;
    chip_drive(chip, function == FUNCTION_PIO0 && (pio->pins & pio->dirs) >> LIGHTS_GPIO & 1);
}

static void side_set(Chip *chip, uint32_t op)
{
    Pio *pio = &chip->pio;
    const uint32_t count = pio->pinctrl >> 29;
    const uint32_t base = pio->pinctrl >> 10 & 31;
    if (count == 1) {
        pio->pins = (pio->pins & ~(1u << base)) | (op >> 12 & 1) << base;
        put_pin(chip);
    } else if (count) {
        chip_crash(chip, "a side-set of more than one pin is not modelled", op);
    }
}

static int pulled(Pio *pio)
{
    if (pio->fifo_count == 0) {
        return 0;
    }
    pio->osr = pio->fifo[pio->fifo_head];
    pio->fifo_head = (pio->fifo_head + 1) % 8;
    pio->fifo_count--;
    const uint32_t threshold = pio->shiftctrl >> 25 & 31;
    pio->osr_left = threshold ? threshold : 32;
    return 1;
}

/* Returns 0 if it stalls. */
static int execute(Chip *chip, uint32_t op)
{
    Pio *pio = &chip->pio;
    const uint32_t what = op >> 5 & 7;
    switch (op >> 13) {
    case 0: {
        int taken;
        switch (what) {
        case 0: taken = 1; break;
        case 1: taken = pio->x == 0; break;
        case 2: taken = pio->x-- != 0; break;
        case 3: taken = pio->y == 0; break;
        case 4: taken = pio->y-- != 0; break;
        case 5: taken = pio->x != pio->y; break;
        default: chip_crash(chip, "this jump of the PIO is not modelled", op); return 0;
        }
        if (taken) {
            pio->pc = op & 31;
            return 2;
        }
        return 1;
    }
    case 3: {
        const uint32_t count = op & 31 ? op & 31 : 32;
        if (pio->osr_left == 0) {
            if (!(pio->shiftctrl & 1u << 17) || !pulled(pio)) {
                pio->fdebug |= 1u << 24;
                return 0;
            }
        }
        if (pio->shiftctrl & 1u << 19) {
            chip_crash(chip, "shifting out to the right is not modelled", op);
        }
        const uint32_t value = pio->osr >> (32 - count);
        pio->osr = count < 32 ? pio->osr << count : 0;
        pio->osr_left = pio->osr_left > count ? pio->osr_left - count : 0;
        if (pio->osr_left == 0) {
            (void)pulled(pio);      /* by itself, as soon as it is empty */
        }
        if (what == 1) {
            pio->x = value;
        } else if (what == 2) {
            pio->y = value;
        } else if (what != 3) {
            chip_crash(chip, "this destination of an OUT is not modelled", op);
        }
        return 1;
    }
    case 5:
        if (what == 2 && (op & 0x1F) == 2) {
            return 1;               /* mov y, y */
        }
        chip_crash(chip, "this MOV of the PIO is not modelled", op);
        return 0;
    case 7: {
        const uint32_t count = pio->pinctrl >> 26 & 7;
        const uint32_t base = pio->pinctrl >> 5 & 31;
        const uint32_t mask = ((1u << count) - 1) << base;
        uint32_t *target = what == 4 ? &pio->dirs : &pio->pins;
        *target = (*target & ~mask) | ((op & 31) << base & mask);
        put_pin(chip);
        return 1;
    }
    default:
        chip_crash(chip, "this instruction of the PIO is not modelled", op);
        return 0;
    }
}

void pio_run(Chip *chip)
{
    Pio *pio = &chip->pio;
    while (pio->enabled && chip->cycle >= pio->next) {
        const uint64_t now = chip->cycle;
        const uint32_t op = pio->program[pio->pc];
        const uint64_t at = pio->next;
        chip->cycle = at;           /* the pin changes then and not when this is worked out */
        side_set(chip, op);
        const int done = execute(chip, op);
        chip->cycle = now;
        if (!done) {
            pio->stalled = 1;
            pio->next = NEVER;
            return;
        }
        if (done == 1) {
            pio->pc = pio->pc == (pio->execctrl >> 12 & 31) ? pio->execctrl >> 7 & 31 : (pio->pc + 1) & 31;
        }
        const uint32_t delay = op >> 8 & ((1u << (5 - (pio->pinctrl >> 29))) - 1);
        pio->next = at + (uint64_t)(1 + delay) * divisor(pio);
    }
}

uint32_t pio_read(Chip *chip, uint32_t offset)
{
    const Pio *pio = &chip->pio;
    switch (offset) {
    case 0x00: return (uint32_t)pio->enabled;
    case 0x04: return 0x0F000F00u | (pio->fifo_count == 8 ? 1u << 16 : 0) | (pio->fifo_count == 0 ? 1u << 24 : 0);
    case 0x08: return pio->fdebug;
    case 0xC8: return pio->clkdiv;
    case 0xCC: return pio->execctrl;
    case 0xD0: return pio->shiftctrl;
    case 0xD4: return pio->pc;
    case 0xDC: return pio->pinctrl;
    default: return 0;
    }
}

void pio_write(Chip *chip, uint32_t offset, uint32_t value)
{
    Pio *pio = &chip->pio;
    if (offset >= 0x48 && offset < 0xC8) {
        pio->program[(offset - 0x48) / 4] = value & 0xFFFF;
        return;
    }
    switch (offset) {
    case 0x00:
        if (value & 0xE) {
            chip_crash(chip, "only state machine 0 is modelled", value);
        }
        pio->enabled = value & 1;
        pio->next = pio->enabled ? chip->cycle : NEVER;
        pio->stalled = 0;
        break;
    case 0x08:
        pio->fdebug &= ~value;
        if (pio->stalled) {
            pio->fdebug |= 1u << 24;    /* it still stalls */
        }
        break;
    case 0x10:
        if (pio->fifo_count == 8) {
            pio->fdebug |= 1u << 16;
            break;
        }
        pio->fifo[(pio->fifo_head + pio->fifo_count) % 8] = value;
        pio->fifo_count++;
        if (pio->stalled) {
            pio->stalled = 0;
            pio->next = chip->cycle + divisor(pio) - chip->cycle % divisor(pio);
        }
        break;
    case 0xC8: pio->clkdiv = value; break;
    case 0xCC: pio->execctrl = value; break;
    case 0xD0:
        pio->shiftctrl = value;
        pio->fifo_count = pio->fifo_head = pio->osr_left = 0;
        if (!(value & 1u << 30)) {
            chip_crash(chip, "the queue of four words is not modelled", value);
        }
        break;
    case 0xD8:
        side_set(chip, value);
        if (execute(chip, value) == 0) {
            chip_crash(chip, "an instruction from the core stalls", value);
        }
        break;
    case 0xDC: pio->pinctrl = value; break;
    default: break;
    }
    chip->next_event = 0;
}
