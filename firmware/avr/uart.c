/* 115,200 baud by interrupt. The chip holds two bytes and the one that is arriving, so it must be emptied every 170 us. */
#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>

/* 16 MHz with U2X: 117,647 baud, 2.1 % fast; without U2X it would be 3.5 % slow. */
enum { BAUD_DIVISOR = 16 };

static volatile uint8_t received[RECEIVE_RING];
static volatile uint8_t received_head;
static volatile uint8_t received_tail;
static volatile uint8_t sent[SEND_RING];
static volatile uint8_t sent_head;
static volatile uint8_t sent_tail;
/* Eight bits are quick to count inside the strip's loop; uart_counters carries them on. */
static volatile uint8_t overruns;
static volatile uint8_t ring_fulls;
static volatile uint8_t framings;

void uart_start(void)
{
    UCSR0B = 0;
    received_head = received_tail = 0;
    sent_head = sent_tail = 0;
    UBRR0H = 0;
    UBRR0L = BAUD_DIVISOR;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

static inline __attribute__((always_inline)) void take(void)
{
    const uint8_t status = UCSR0A;
    const uint8_t byte = UDR0;
    if (status & _BV(DOR0)) {
        overruns++;
    }
    if (status & _BV(FE0)) {
        framings++;
    }
    const uint8_t next = (uint8_t)(received_head + 1) & (RECEIVE_RING - 1);
    if (next == received_tail) {
        ring_fulls++;
        return;
    }
    received[received_head] = byte;
    received_head = next;
}

ISR(USART_RX_vect)
{
    take();
}

void uart_poll(void)
{
    if (UCSR0A & _BV(RXC0)) {
        take();
    }
}

ISR(USART_UDRE_vect)
{
    const uint8_t tail = sent_tail;
    UDR0 = sent[tail];
    const uint8_t next = (uint8_t)(tail + 1) & (SEND_RING - 1);
    sent_tail = next;
    if (next == sent_head) {
        UCSR0B = (uint8_t)(UCSR0B & ~_BV(UDRIE0));
    }
}

int16_t uart_receive(void)
{
    const uint8_t tail = received_tail;
    if (tail == received_head) {
        return -1;
    }
    const uint8_t byte = received[tail];
    received_tail = (uint8_t)(tail + 1) & (RECEIVE_RING - 1);
    return byte;
}

uint8_t uart_room(void)
{
    return (uint8_t)(SEND_RING - 1 - ((uint8_t)(sent_head - sent_tail) & (SEND_RING - 1)));
}

void uart_send(uint8_t byte)
{
    const uint8_t next = (uint8_t)(sent_head + 1) & (SEND_RING - 1);
    while (next == sent_tail) {
        /* The interrupt makes room; the core asked for room before, so this does not happen. */
    }
    sent[sent_head] = byte;
    sent_head = next;
    cli();
    UCSR0B |= _BV(UDRIE0);
    sei();
}

static uint16_t carried(uint16_t total, volatile uint8_t *fresh)
{
    cli();
    const uint8_t more = *fresh;
    *fresh = 0;
    sei();
    return total > 0xFFFFu - more ? 0xFFFFu : (uint16_t)(total + more);
}

void uart_counters(LineCounters *counters)
{
    static uint16_t overrun;
    static uint16_t ring_full;
    static uint16_t framing;
    overrun = carried(overrun, &overruns);
    ring_full = carried(ring_full, &ring_fulls);
    framing = carried(framing, &framings);
    counters->overrun = overrun;
    counters->ring_full = ring_full;
    counters->framing = framing;
}
