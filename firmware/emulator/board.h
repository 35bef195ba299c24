/* A board with a chain of lights and two buttons, emulated: an Arduino Nano (atmega328p/, in simavr, under the GPL: see README.md) or a
   Raspberry Pi Pico (rp2040/). One library each, the same functions. Time moves only in board_run. */
#ifndef ALLFRONTS_EMULATED_BOARD_H
#define ALLFRONTS_EMULATED_BOARD_H

#include <stdint.h>

typedef struct Board Board;

enum { BOARD_LIGHTS_MAX = 64, TIMING_HZ = 48000000 };

/* What the decoder on the light pin has seen since the start. Times are in units of 1 / TIMING_HZ, 20.8 ns. */
typedef struct {
    uint64_t pictures;
    uint64_t bits;
    uint64_t bad_bits;          /* a high or low time outside what all data sheets take, or a picture that is no whole number of lights */
    uint32_t zero_high_min, zero_high_max, one_high_min, one_high_max;
    uint32_t zero_low_min, zero_low_max, one_low_min, one_low_max;    /* inside a light */
    uint32_t gap_max;           /* low between two lights of one picture */
    uint32_t pause_min;         /* low between two pictures */
} LightTiming;

typedef struct {
    uint64_t received;          /* bytes that ended on the board's RX pin */
    uint64_t overrun;           /* of these lost, because two were unread and a third had come */
    uint64_t unheard;           /* of these not taken, because the receiver was off */
    uint64_t sent;
    uint64_t resets;
    uint64_t watchdog_resets;   /* by hardware */
} LineCount;

/* Cycles a second: the unit of board_run, board_cycle and board_read. */
uint32_t board_hz(void);

/* An ELF or .hex (Nano) or a UF2 file (Pico), and optionally a boot loader's .hex; null if a file cannot be read. paint fills the RAM with 0xA5 before the start. */
Board *board_new(const char *program, const char *bootloader, int paint);
void board_free(Board *board);
/* Writes another program, as a flash programmer does; it runs from the next reset. 0 if it cannot be read. */
int board_load(Board *board, const char *program);

void board_run(Board *board, uint64_t cycles);
uint64_t board_cycle(const Board *board);
int board_crashed(const Board *board);

void board_reset(Board *board);             /* the reset pin, as DTR does it */
void board_power_cycle(Board *board);
void board_brown_out(Board *board);         /* the supply sagged for a moment */

/* A host opens or closes the port. The Nano is reset by the opening (DTR); the Pico is told of both. */
void board_open(Board *board, int open);
/* Which port the host sees: 0 none, and another number after each time that it went away. The Nano's serial chip never goes. */
uint32_t board_port(const Board *board);
/* The serial number that the host reads from the board itself, or "". */
const char *board_serial(const Board *board);
/* Does it run a boot loader that is a USB drive, and not the program? */
int board_boot_loader(const Board *board);

/* Bytes from the host: they go over the line one after the other at the speed the board has set. */
void board_write(Board *board, const uint8_t *bytes, uint32_t count);
uint32_t board_write_waiting(const Board *board);
/* Bytes whose stop bit has passed. at (or null) gets the cycle of each. */
uint32_t board_read(Board *board, uint8_t *bytes, uint64_t *at, uint32_t room);
/* Speed of the host's side; a speed that is more than 4.5 % off the board's makes garbage of every byte. */
void board_host_baud(Board *board, uint32_t baud);
uint32_t board_baud(const Board *board);

/* Voltage of the supply, 5,000 mV at first, where the board can measure it. */
void board_supply(Board *board, uint32_t millivolts);

void board_button(Board *board, int seat, int down);

/* The last whole picture: bytes as on the wire; returns how many. *number counts pictures, *cycle is its last edge. */
uint32_t board_lights(const Board *board, uint8_t *wire, uint64_t *number, uint64_t *cycle);
void board_timing(const Board *board, LightTiming *timing);
void board_line(const Board *board, LineCount *line);

/* The memory that is kept without power and written by the program: the EEPROM, or two sectors of the flash. */
uint32_t board_kept_bytes(void);
void board_kept_get(Board *board, uint8_t *bytes);
void board_kept_set(Board *board, const uint8_t *bytes);
uint8_t board_ram(const Board *board, uint32_t address);
/* Writes flash[0..count) as the boot loader left it. */
void board_flash(const Board *board, uint8_t *bytes, uint32_t count);
/* A called function for each picture, or null. */
void board_on_picture(Board *board, void (*told)(void *context, const uint8_t *wire, uint32_t bytes, uint64_t cycle), void *context);

#endif
