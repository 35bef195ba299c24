/* A Cortex-M0+ core: the ARMv6-M instruction set, without exceptions but for the fault, which ends the program. */
#ifndef ALLFRONTS_RP2040_CPU_H
#define ALLFRONTS_RP2040_CPU_H

#include <stdint.h>

typedef struct Chip Chip;

typedef struct {
    uint32_t r[16];             /* 13 stack, 14 link, 15 the address of the next instruction */
    int n, z, c, v;
    uint32_t primask;
    int asleep;                 /* in WFI, until an interrupt is pending */
    int faulted;
    uint32_t fault_at;
} Cpu;

/* One instruction; returns the cycles it took. */
uint32_t cpu_step(Cpu *cpu, Chip *chip);

/* The bus: chip.c. Addresses are aligned to their size, else the core faults before. */
uint32_t bus_read(Chip *chip, uint32_t address, uint32_t size);
void bus_write(Chip *chip, uint32_t address, uint32_t size, uint32_t value);
uint16_t bus_fetch(Chip *chip, uint32_t address);
/* A call of a function of the chip's ROM: done at once, as if the ROM had run. */
int rom_call(Chip *chip, uint32_t address);

#endif
