/* WS2812B on one pin: 20 cycles a bit at 16 MHz, high for 6 (375 ns, zero) or 13 (812 ns, one). */
#include "strip.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "pins.h"
#include "uart.h"

#if F_CPU != 16000000UL
#error "the strip's timing is counted in cycles of 16 MHz"
#endif

void strip_start(void)
{
    LIGHTS_PORT = (uint8_t)(LIGHTS_PORT & ~_BV(LIGHTS_BIT));
    LIGHTS_DDR |= _BV(LIGHTS_BIT);
}

/* high and low are whole port values: nothing else may write the port meanwhile, and interrupts are off. */
static inline __attribute__((always_inline)) void write_byte(uint8_t byte, uint8_t high, uint8_t low)
{
    uint8_t bits = 8;
    __asm__ volatile(
        "1:                     \n\t"
        "out  %[port], %[high]  \n\t" /* 0   high from here */
        "rjmp .+0               \n\t" /* 1 */
        "nop                    \n\t" /* 3 */
        "nop                    \n\t" /* 4 */
        "sbrs %[byte], 7        \n\t" /* 5   a one skips the next */
        "out  %[port], %[low]   \n\t" /* 6   a zero goes low after 6 cycles */
        "lsl  %[byte]           \n\t" /* 7 */
        "rjmp .+0               \n\t" /* 8 */
        "rjmp .+0               \n\t" /* 10 */
        "nop                    \n\t" /* 12 */
        "out  %[port], %[low]   \n\t" /* 13  a one goes low after 13 cycles */
        "nop                    \n\t" /* 14 */
        "rjmp .+0               \n\t" /* 15 */
        "dec  %[bits]           \n\t" /* 17 */
        "brne 1b                \n\t" /* 18  20 cycles a bit */
        : [byte] "+r"(byte), [bits] "+r"(bits)
        : [port] "I"(_SFR_IO_ADDR(LIGHTS_PORT)), [high] "r"(high), [low] "r"(low));
}

void strip_show(const uint8_t *wire, uint8_t bytes)
{
    cli();
    const uint8_t high = (uint8_t)(LIGHTS_PORT | _BV(LIGHTS_BIT));
    const uint8_t low = (uint8_t)(LIGHTS_PORT & ~_BV(LIGHTS_BIT));
    const uint8_t *end = wire + bytes;
    while (wire != end) {
        write_byte(*wire++, high, low);
        write_byte(*wire++, high, low);
        write_byte(*wire++, high, low);
        uart_poll();
    }
    sei();
}
