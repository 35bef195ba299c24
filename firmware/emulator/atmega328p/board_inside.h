/* What board.c and board_line.c share. */
#ifndef ALLFRONTS_BOARD_INSIDE_H
#define ALLFRONTS_BOARD_INSIDE_H

#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_io.h>

#include "../board.h"
#include "../strip_decoder.h"

enum { CHIP_HZ = 16000000, FIFO_DEPTH = 2, LINE_ROOM = 1 << 17, EEPROM_BYTES = 1024 };

typedef struct {
    avr_io_write_t write;
    void *param;
} Hooked;

struct Board {
    avr_t *avr;
    avr_uart_t *uart;
    void (*core_reset)(avr_t *avr);
    Hooked ubrrl, ubrrh, ucsra, eecr;
    int eeprom_busy;
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

    StripDecoder strip;
};

void line_start(Board *board);          /* finds the chip's UART and puts this model in front of it */
void line_after_reset(Board *board);    /* what was unread is gone; the byte on the line goes on */

#endif
