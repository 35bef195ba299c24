/* Every pin of the ATmega328P boards (Arduino Nano, Uno), in one place. */
#ifndef ALLFRONTS_PINS_H
#define ALLFRONTS_PINS_H

#include <avr/io.h>

/*  board pin   chip   what
    D2          PD2    button of the near seat, to ground (pull-up inside)
    D3          PD3    button of the far seat, to ground (pull-up inside)
    D6          PD6    data of the light chain, through 330 ohm
    D0, D1      PD0/1  the USB serial chip: leave free
    D13         PB5    the board's own light: on while the host is heard */
#define LIGHTS_PORT PORTD
#define LIGHTS_DDR DDRD
#define LIGHTS_BIT 6

#define BUTTONS_PORT PORTD
#define BUTTONS_PIN PIND
#define BUTTONS_DDR DDRD
#define BUTTON_NEAR_BIT 2
#define BUTTON_FAR_BIT 3

#define BOARD_LIGHT_PORT PORTB
#define BOARD_LIGHT_DDR DDRB
#define BOARD_LIGHT_BIT 5

#endif
