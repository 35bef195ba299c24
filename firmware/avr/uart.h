#ifndef ALLFRONTS_UART_H
#define ALLFRONTS_UART_H

#include <stdint.h>

#include "../core/hal.h"

enum { RECEIVE_RING = 128, SEND_RING = 128 };    /* powers of two; 127 bytes fit */

void uart_start(void);
int16_t uart_receive(void);
uint8_t uart_room(void);
void uart_send(uint8_t byte);
/* One byte from the chip to the ring, if one is there. For code that runs with interrupts off. */
void uart_poll(void);
void uart_counters(LineCounters *counters);

#endif
