/* What the files of the emulated RP2040 share. One cycle is one of the 48 MHz that the program sets. */
#ifndef ALLFRONTS_RP2040_CHIP_H
#define ALLFRONTS_RP2040_CHIP_H

#include <stdint.h>

#include "../board.h"
#include "../strip_decoder.h"
#include "cpu.h"

enum {
    CHIP_HZ = 48000000,
    CYCLES_A_US = 48,
    SRAM_BYTES = 264 * 1024,
    FLASH_BYTES = 2 * 1024 * 1024,
    DPRAM_BYTES = 4096,
    APB_WORDS = 0x70000 / 4,
    SECTOR_BYTES = 4096,
    KEPT_AT = 0x10000,          /* the two sectors in which the program keeps its settings */
    KEPT_BYTES = 2 * SECTOR_BYTES,
    LINE_ROOM = 1 << 17,
    NEAR_GPIO = 2,
    FAR_GPIO = 3,
    LIGHTS_GPIO = 6
};

#define NEVER UINT64_MAX

/* State machine 0 of PIO0. */
typedef struct {
    uint32_t program[32];
    uint32_t clkdiv, execctrl, shiftctrl, pinctrl;
    int enabled, stalled;
    uint32_t pc, x, y, osr, osr_left;
    uint32_t fifo[8];
    uint32_t fifo_head, fifo_count;
    uint32_t fdebug;
    uint32_t pins, dirs;
    uint64_t next;              /* cycle of its next instruction */
} Pio;

enum { TRANSFER_DATA_MOST = 256 };

typedef struct {
    uint8_t setup[8];
    uint8_t data[TRANSFER_DATA_MOST];
    uint32_t done;
    int stage;                  /* 0 none, 1 setup, 2 data, 3 status */
    int pid;
} Transfer;

/* The controller's registers, and the host at the other end of the cable. */
typedef struct {
    uint32_t addr_endp, main_ctrl, sie_ctrl, sie_status, buff_status, stall_arm, muxing, pwr, inte;
    int attached;
    int step;                   /* of the enumeration; see usb_host.c */
    uint32_t number;            /* of the enumeration that succeeded; 0: there is no port */
    uint32_t enumerated;
    uint32_t device_address;
    int in_pid, out_pid;
    int open, wants_open;
    int wants_coding;
    uint32_t baud;
    uint64_t wait_until;
    Transfer transfer;
    char serial[64];
    uint8_t *out;               /* bytes for the board */
    uint32_t out_head, out_tail;
    uint8_t *in;                /* bytes from the board, with the cycle of their packet */
    uint64_t *in_at;
    uint32_t in_head, in_tail;
    uint32_t faults;            /* wrong data PIDs, stalls, and answers against the standard */
    uint64_t next;
} Usb;

struct Chip {
    Cpu cpu;
    uint64_t cycle, next_event, due;
    uint8_t sram[SRAM_BYTES];
    uint8_t flash[FLASH_BYTES];
    uint8_t dpram[DPRAM_BYTES];
    uint32_t apb[APB_WORDS];
    uint32_t resets;            /* blocks held in reset */
    uint32_t gpio_out, gpio_oe;
    uint32_t nvic_enable;
    uint32_t vtor;
    uint64_t timer_from;        /* cycle at which the timer was 0; NEVER: it does not run */
    uint64_t alarm_at;
    uint32_t intr, inte;
    int watchdog_on;
    uint64_t watchdog_at;
    uint32_t watchdog_load, watchdog_reason, watchdog_tick, scratch[8];
    uint32_t reset_flags;
    uint32_t ssi[64];
    int flash_is_memory;        /* the serial interface is set up to read the flash as memory */
    int flash_commands;         /* commands may be sent to it */
    uint8_t ssi_answer[32];
    uint32_t ssi_sent, ssi_unread;
    int boot_loader;            /* the program asked for the ROM's USB drive */
    int button[2];
    Pio pio;
    Usb usb;
    StripDecoder strip;
    LineCount line;
    uint8_t flash_id[8];
};

/* chip.c */
void chip_crash(Chip *chip, const char *why, uint32_t where);
void chip_irq_changed(Chip *chip);
uint32_t chip_irqs(const Chip *chip);
void chip_drive(Chip *chip, int level);     /* the pin of the lights */
/* flash.c */
int flash_loaded(Chip *chip, const char *uf2);
uint32_t ssi_read(Chip *chip, uint32_t offset);
void ssi_write(Chip *chip, uint32_t offset, uint32_t value);
int boot_from_flash(Chip *chip);
/* pio.c */
uint32_t pio_read(Chip *chip, uint32_t offset);
void pio_write(Chip *chip, uint32_t offset, uint32_t value);
void pio_run(Chip *chip);
void pio_reset(Chip *chip);
/* usb_host.c */
uint32_t usb_read(Chip *chip, uint32_t offset);
void usb_write(Chip *chip, uint32_t offset, uint32_t value);
uint32_t usb_ints(const Chip *chip);
void usb_run(Chip *chip);
void usb_reset(Chip *chip);

#endif
