/* The Nano target's strip without its UART polling, as a library that knows no UART writes it. */
#include "../../avr/strip.c"

void uart_poll(void)
{
}
