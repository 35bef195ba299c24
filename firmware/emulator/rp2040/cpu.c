/* Encodings and their meaning: ARMv6-M Architecture Reference Manual, chapters A5 and A6. Cycles: Cortex-M0+ manual, 3.3. */
#include "cpu.h"

#include <stddef.h>

enum { SP = 13, LR = 14, PC = 15, ROM_END = 0x4000 };

static void fault(Cpu *cpu, uint32_t at)
{
    cpu->faulted = 1;
    cpu->fault_at = at;
}

static uint32_t load(Cpu *cpu, Chip *chip, uint32_t address, uint32_t size)
{
    if (address & (size - 1)) {
        fault(cpu, cpu->r[PC] - 2);
        return 0;
    }
    return bus_read(chip, address, size);
}

static void store(Cpu *cpu, Chip *chip, uint32_t address, uint32_t size, uint32_t value)
{
    if (address & (size - 1)) {
        fault(cpu, cpu->r[PC] - 2);
        return;
    }
    bus_write(chip, address, size, value);
}

static void flags_nz(Cpu *cpu, uint32_t value)
{
    cpu->n = value >> 31;
    cpu->z = value == 0;
}

static uint32_t add(Cpu *cpu, uint32_t a, uint32_t b, uint32_t carry)
{
    const uint64_t wide = (uint64_t)a + b + carry;
    const uint32_t sum = (uint32_t)wide;
    flags_nz(cpu, sum);
    cpu->c = wide >> 32 != 0;
    cpu->v = (~(a ^ b) & (a ^ sum)) >> 31;
    return sum;
}

static uint32_t shifted(Cpu *cpu, uint32_t value, uint32_t by, int kind)
{
    /* kind: 0 left, 1 right, 2 right with the sign, 3 round. by may be 0: then the carry stays. */
    if (by == 0) {
        flags_nz(cpu, value);
        return value;
    }
    uint32_t result;
    switch (kind) {
    case 0:
        cpu->c = by <= 32 ? (int)((value >> (32 - by)) & 1) : 0;
        result = by < 32 ? value << by : 0;
        break;
    case 1:
        cpu->c = by <= 32 ? (int)((value >> (by - 1)) & 1) : 0;
        result = by < 32 ? value >> by : 0;
        break;
    case 2:
        by = by > 32 ? 32 : by;
        cpu->c = (int)((value >> (by - 1)) & 1);
        result = (uint32_t)((int32_t)value >> (by < 32 ? by : 31));
        break;
    default:
        by &= 31;
        result = by ? value >> by | value << (32 - by) : value;
        cpu->c = (int)(result >> 31);
        break;
    }
    flags_nz(cpu, result);
    return result;
}

static int holds(const Cpu *cpu, uint32_t condition)
{
    int is;
    switch (condition >> 1) {
    case 0: is = cpu->z; break;
    case 1: is = cpu->c; break;
    case 2: is = cpu->n; break;
    case 3: is = cpu->v; break;
    case 4: is = cpu->c && !cpu->z; break;
    case 5: is = cpu->n == cpu->v; break;
    case 6: is = cpu->n == cpu->v && !cpu->z; break;
    default: is = 1; break;
    }
    return condition & 1 ? !is : is;
}

static void jump(Cpu *cpu, Chip *chip, uint32_t to)
{
    if (!(to & 1)) {
        fault(cpu, cpu->r[PC] - 2);     /* there is no ARM state */
        return;
    }
    to &= ~1u;
    cpu->r[PC] = to;
    if (to < ROM_END) {
        if (!rom_call(chip, to)) {
            fault(cpu, to);
            return;
        }
        cpu->r[PC] = cpu->r[LR] & ~1u;
    }
}

static void data_processing(Cpu *cpu, uint32_t op)
{
    uint32_t *d = &cpu->r[op & 7];
    const uint32_t m = cpu->r[op >> 3 & 7];
    switch (op >> 6 & 15) {
    case 0: *d &= m; flags_nz(cpu, *d); break;
    case 1: *d ^= m; flags_nz(cpu, *d); break;
    case 2: *d = shifted(cpu, *d, m & 0xFF, 0); break;
    case 3: *d = shifted(cpu, *d, m & 0xFF, 1); break;
    case 4: *d = shifted(cpu, *d, m & 0xFF, 2); break;
    case 5: *d = add(cpu, *d, m, (uint32_t)cpu->c); break;
    case 6: *d = add(cpu, *d, ~m, (uint32_t)cpu->c); break;
    case 7: *d = shifted(cpu, *d, m & 0xFF, 3); break;
    case 8: flags_nz(cpu, *d & m); break;
    case 9: *d = add(cpu, 0, ~m, 1); break;
    case 10: (void)add(cpu, *d, ~m, 1); break;
    case 11: (void)add(cpu, *d, m, 0); break;
    case 12: *d |= m; flags_nz(cpu, *d); break;
    case 13: *d *= m; flags_nz(cpu, *d); break;
    case 14: *d &= ~m; flags_nz(cpu, *d); break;
    default: *d = ~m; flags_nz(cpu, *d); break;
    }
}

/* High registers and branches by register. */
static uint32_t special(Cpu *cpu, Chip *chip, uint32_t op)
{
    const uint32_t d = (op & 7) | (op >> 4 & 8);
    const uint32_t number = op >> 3 & 15;
    const uint32_t m = number == PC ? cpu->r[PC] + 2 : cpu->r[number];
    uint32_t result;
    switch (op >> 8 & 3) {
    case 0:
        result = (d == PC ? cpu->r[PC] + 2 : cpu->r[d]) + m;
        break;
    case 1:
        (void)add(cpu, d == PC ? cpu->r[PC] + 2 : cpu->r[d], ~m, 1);
        return 1;
    case 2:
        result = m;
        break;
    default:
        if (op & 0x80) {
            cpu->r[LR] = cpu->r[PC] | 1;
        }
        jump(cpu, chip, m);
        return 2;
    }
    if (d == PC) {
        cpu->r[PC] = result & ~1u;
        return 2;
    }
    cpu->r[d] = d == SP ? result & ~3u : result;
    return 1;
}

static uint32_t load_store_register(Cpu *cpu, Chip *chip, uint32_t op)
{
    const uint32_t address = cpu->r[op >> 3 & 7] + cpu->r[op >> 6 & 7];
    uint32_t *t = &cpu->r[op & 7];
    switch (op >> 9 & 7) {
    case 0: store(cpu, chip, address, 4, *t); break;
    case 1: store(cpu, chip, address, 2, *t); break;
    case 2: store(cpu, chip, address, 1, *t); break;
    case 3: *t = (uint32_t)(int32_t)(int8_t)load(cpu, chip, address, 1); break;
    case 4: *t = load(cpu, chip, address, 4); break;
    case 5: *t = load(cpu, chip, address, 2); break;
    case 6: *t = load(cpu, chip, address, 1); break;
    default: *t = (uint32_t)(int32_t)(int16_t)load(cpu, chip, address, 2); break;
    }
    return 2;
}

static uint32_t push(Cpu *cpu, Chip *chip, uint32_t list)
{
    uint32_t count = 0;
    for (uint32_t bits = list; bits; bits &= bits - 1) {
        count++;
    }
    uint32_t address = cpu->r[SP] -= 4 * count;
    for (uint32_t number = 0; number < 15; number++) {
        if (list >> number & 1) {
            store(cpu, chip, address, 4, cpu->r[number]);
            address += 4;
        }
    }
    return 1 + count;
}

static uint32_t pop(Cpu *cpu, Chip *chip, uint32_t list)
{
    uint32_t count = 0;
    for (uint32_t number = 0; number < 8; number++) {
        if (list >> number & 1) {
            cpu->r[number] = load(cpu, chip, cpu->r[SP], 4);
            cpu->r[SP] += 4;
            count++;
        }
    }
    if (list & 0x100) {
        const uint32_t to = load(cpu, chip, cpu->r[SP], 4);
        cpu->r[SP] += 4;
        count++;
        jump(cpu, chip, to);
        return 3 + count;
    }
    return 1 + count;
}

static uint32_t miscellaneous(Cpu *cpu, Chip *chip, uint32_t op, uint32_t at)
{
    uint32_t *d = &cpu->r[op & 7];
    const uint32_t m = cpu->r[op >> 3 & 7];
    switch (op >> 8 & 15) {
    case 0:
        cpu->r[SP] += op & 0x80 ? 0u - 4 * (op & 0x7F) : 4 * (op & 0x7F);
        return 1;
    case 2:
        switch (op >> 6 & 3) {
        case 0: *d = (uint32_t)(int32_t)(int16_t)m; break;
        case 1: *d = (uint32_t)(int32_t)(int8_t)m; break;
        case 2: *d = m & 0xFFFF; break;
        default: *d = m & 0xFF; break;
        }
        return 1;
    case 4: case 5:
        return push(cpu, chip, (op & 0xFF) | (op & 0x100 ? 1u << LR : 0));
    case 6:
        if ((op & 0xFFEF) == 0xB662) {
            cpu->primask = op >> 4 & 1;
            return 1;
        }
        break;
    case 10:
        switch (op >> 6 & 3) {
        case 0: *d = __builtin_bswap32(m); return 1;
        case 1: *d = (m & 0x00FF00FF) << 8 | (m >> 8 & 0x00FF00FF); return 1;
        case 3: *d = (uint32_t)(int32_t)(int16_t)(uint16_t)((m & 0xFF) << 8 | (m >> 8 & 0xFF)); return 1;
        default: break;
        }
        break;
    case 12: case 13:
        return pop(cpu, chip, op & 0x1FF);
    case 15:
        if ((op & 0xFF) == 0x30) {
            cpu->asleep = 1;    /* WFI; the other hints do nothing */
        }
        return 1;
    default:
        break;
    }
    fault(cpu, at);
    return 1;
}

static uint32_t multiple(Cpu *cpu, Chip *chip, uint32_t op)
{
    const uint32_t base = op >> 8 & 7;
    const uint32_t list = op & 0xFF;
    uint32_t address = cpu->r[base];
    uint32_t count = 0;
    for (uint32_t number = 0; number < 8; number++) {
        if (!(list >> number & 1)) {
            continue;
        }
        if (op & 0x800) {
            cpu->r[number] = load(cpu, chip, address, 4);
        } else {
            store(cpu, chip, address, 4, cpu->r[number]);
        }
        address += 4;
        count++;
    }
    if (!(op & 0x800) || !(list >> base & 1)) {
        cpu->r[base] = address;
    }
    return 1 + count;
}

static uint32_t wide(Cpu *cpu, Chip *chip, uint32_t op, uint32_t at)
{
    const uint32_t second = bus_fetch(chip, cpu->r[PC]);
    cpu->r[PC] += 2;
    if ((second & 0xD000) == 0xD000 && (op & 0xF800) == 0xF000) {
        const uint32_t s = op >> 10 & 1;
        const uint32_t i1 = !((second >> 13 & 1) ^ s);
        const uint32_t i2 = !((second >> 11 & 1) ^ s);
        uint32_t offset = (op & 0x3FF) << 12 | (second & 0x7FF) << 1 | i1 << 23 | i2 << 22;
        if (s) {
            offset |= 0xFF000000;
        }
        cpu->r[LR] = cpu->r[PC] | 1;
        cpu->r[PC] += offset;
        return 3;
    }
    if ((op & 0xFFF0) == 0xF3B0) {
        return 3;       /* barriers: DSB, DMB, ISB */
    }
    if ((op & 0xFFE0) == 0xF380 && (second & 0xFF00) == 0x8800) {
        const uint32_t value = cpu->r[op & 15];
        if ((second & 0xFF) == 8) {
            cpu->r[SP] = value & ~3u;
        } else if ((second & 0xFF) == 16) {
            cpu->primask = value & 1;
        }
        return 3;
    }
    if (op == 0xF3EF && (second & 0xF000) == 0x8000) {
        cpu->r[second >> 8 & 15] = (second & 0xFF) == 16 ? cpu->primask : (second & 0xFF) == 8 ? cpu->r[SP] : 0;
        return 3;
    }
    fault(cpu, at);
    return 1;
}

static uint32_t immediate(Cpu *cpu, uint32_t op)
{
    uint32_t *d = &cpu->r[op >> 8 & 7];
    const uint32_t value = op & 0xFF;
    switch (op >> 11 & 3) {
    case 0: *d = value; flags_nz(cpu, value); break;
    case 1: (void)add(cpu, *d, ~value, 1); break;
    case 2: *d = add(cpu, *d, value, 0); break;
    default: *d = add(cpu, *d, ~value, 1); break;
    }
    return 1;
}

static uint32_t shift_add(Cpu *cpu, uint32_t op)
{
    uint32_t *d = &cpu->r[op & 7];
    const uint32_t m = cpu->r[op >> 3 & 7];
    const uint32_t five = op >> 6 & 31;
    switch (op >> 11 & 3) {
    case 0: *d = shifted(cpu, m, five, 0); break;
    case 1: *d = shifted(cpu, m, five ? five : 32, 1); break;
    case 2: *d = shifted(cpu, m, five ? five : 32, 2); break;
    default: {
        const uint32_t other = op & 0x400 ? five & 7 : cpu->r[five & 7];
        *d = op & 0x200 ? add(cpu, m, ~other, 1) : add(cpu, m, other, 0);
        break;
    }
    }
    return 1;
}

uint32_t cpu_step(Cpu *cpu, Chip *chip)
{
    const uint32_t at = cpu->r[PC];
    const uint32_t op = bus_fetch(chip, at);
    cpu->r[PC] = at + 2;
    uint32_t *low = &cpu->r[op & 7];
    const uint32_t base = cpu->r[op >> 3 & 7];
    switch (op >> 12) {
    case 0: case 1:
        return shift_add(cpu, op);
    case 2: case 3:
        return immediate(cpu, op);
    case 4:
        if (op & 0x800) {
            cpu->r[op >> 8 & 7] = load(cpu, chip, ((at + 4) & ~3u) + 4 * (op & 0xFF), 4);
            return 2;
        }
        if (op & 0x400) {
            return special(cpu, chip, op);
        }
        data_processing(cpu, op);
        return 1;
    case 5:
        return load_store_register(cpu, chip, op);
    case 6:
    case 7: {
        const uint32_t size = op & 0x1000 ? 1 : 4;
        const uint32_t address = base + size * (op >> 6 & 31);
        if (op & 0x800) {
            *low = load(cpu, chip, address, size);
        } else {
            store(cpu, chip, address, size, *low);
        }
        return 2;
    }
    case 8:
        if (op & 0x800) {
            *low = load(cpu, chip, base + 2 * (op >> 6 & 31), 2);
        } else {
            store(cpu, chip, base + 2 * (op >> 6 & 31), 2, *low);
        }
        return 2;
    case 9: {
        const uint32_t address = cpu->r[SP] + 4 * (op & 0xFF);
        if (op & 0x800) {
            cpu->r[op >> 8 & 7] = load(cpu, chip, address, 4);
        } else {
            store(cpu, chip, address, 4, cpu->r[op >> 8 & 7]);
        }
        return 2;
    }
    case 10:
        cpu->r[op >> 8 & 7] = (op & 0x800 ? cpu->r[SP] : (at + 4) & ~3u) + 4 * (op & 0xFF);
        return 1;
    case 11:
        return miscellaneous(cpu, chip, op, at);
    case 12:
        return multiple(cpu, chip, op);
    case 13:
        if ((op >> 8 & 15) >= 14) {
            fault(cpu, at);     /* undefined, and a call of a supervisor that is not there */
            return 1;
        }
        if (holds(cpu, op >> 8 & 15)) {
            cpu->r[PC] = at + 4 + 2 * (uint32_t)(int32_t)(int8_t)(op & 0xFF);
            return 2;
        }
        return 1;
    case 14:
        if (op & 0x800) {
            fault(cpu, at);
            return 1;
        }
        cpu->r[PC] = at + 4 + (uint32_t)((int32_t)(op << 21) >> 20);
        return 2;
    default:
        return wide(cpu, chip, op, at);
    }
}
