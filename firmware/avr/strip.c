/* WS2812B on one pin: 20 cycles a bit at 16 MHz, high for 5 (312 ns, zero) or 11 (687 ns, one), which WS2812B, its newer kinds and SK6812
   all take. */
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
        "sbrs %[byte], 7        \n\t" /* 4   a one skips the next */
        "out  %[port], %[low]   \n\t" /* 5   a zero goes low after 5 cycles */
        "lsl  %[byte]           \n\t" /* 6 */
        "rjmp .+0               \n\t" /* 7 */
        "rjmp .+0               \n\t" /* 9 */
        "out  %[port], %[low]   \n\t" /* 11  a one goes low after 11 cycles */
        "dec  %[bits]           \n\t" /* 12 */
        "breq 2f                \n\t" /* 13 */
        "rjmp .+0               \n\t" /* 14 */
        "rjmp .+0               \n\t" /* 16 */
        "rjmp 1b                \n\t" /* 18  20 cycles a bit */
        "2:                     \n\t"
        "rjmp .+0               \n\t" /* 15  the next byte is fetched in the rest */
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
