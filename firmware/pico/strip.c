/* WS2812B on one pin by the chip's programmable input and output: 20 counts of 62.5 ns a bit, high for 5 (312 ns, zero) or 11
   (687 ns, one), as on the ATmega328P. */
#include "strip.h"

#include "pins.h"
#include "rp2040.h"

/* side-set is one bit: the data pin. Instructions: datasheet 3.4. */
enum {
    SIDE_HIGH = 1 << 12,
    OUT_X_1 = 0x6021,           /* out x, 1     waits here, pin low, when nothing is left to send */
    JMP_NOT_X = 0x0020,         /* jmp !x, to */
    JMP = 0x0000,
    NOP = 0xA042                /* mov y, y */
};

#define DELAY(counts) ((unsigned)(counts) << 8)

static const uint16_t PROGRAM[] = {
    OUT_X_1 | DELAY(8),                     /* 0  low for 9 */
    JMP_NOT_X | SIDE_HIGH | DELAY(4) | 3,   /* 1  high for 5 */
    JMP | SIDE_HIGH | DELAY(5) | 0,         /* 2  a one: high for 6 more */
    NOP | DELAY(5),                         /* 3  a zero: low for 6 */
};
enum { PROGRAM_LENGTH = sizeof PROGRAM / sizeof PROGRAM[0] };

void strip_start(void)
{
    for (unsigned at = 0; at < PROGRAM_LENGTH; at++) {
        REGISTER(PIO_INSTR_MEM + 4 * at) = PROGRAM[at];
    }
    REGISTER(PIO_CTRL) = 0;
    REGISTER(PIO_SM0_CLKDIV) = (uint32_t)(SYSTEM_HZ / 16000000) << 16;
    REGISTER(PIO_SM0_EXECCTRL) = (PROGRAM_LENGTH - 1u) << 12;      /* wraps from the last to the first */
    /* Both queues as one of eight words for sending; a light a word, highest bit first, fetched by itself. */
    REGISTER(PIO_SM0_SHIFTCTRL) = 1u << 30 | 24u << 25 | 1u << 17;
    REGISTER(PIO_SM0_PINCTRL) = 1u << 29 | 1u << 26 | (uint32_t)LIGHTS_GPIO << 10 | (uint32_t)LIGHTS_GPIO << 5;
    REGISTER(PIO_SM0_INSTR) = 0xE081u;     /* set pindirs, 1 */
    REGISTER(PIO_SM0_INSTR) = JMP;
    REGISTER(IO_CTRL(LIGHTS_GPIO)) = FUNCTION_PIO0;
    REGISTER(PIO_CTRL) = 1;
}

void strip_show(const uint8_t *wire, uint8_t bytes, void (*meanwhile)(void))
{
    for (uint8_t at = 0; at + 2 < bytes; at = (uint8_t)(at + 3)) {
        while (REGISTER(PIO_FSTAT) & PIO_TX_FULL_SM0) {
            meanwhile();
        }
        REGISTER(PIO_TXF0) = (uint32_t)wire[at] << 24 | (uint32_t)wire[at + 1] << 16 | (uint32_t)wire[at + 2] << 8;
    }
    /* It stalls when all is out: the flag is cleared after the last word went in, so it tells of that. */
    REGISTER(PIO_FDEBUG) = PIO_TX_STALL_SM0;
    while (!(REGISTER(PIO_FDEBUG) & PIO_TX_STALL_SM0)) {
        meanwhile();
    }
}
