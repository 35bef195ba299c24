/* Every pin of the Raspberry Pi Pico, in one place. Numbers are GPIO numbers, as printed beside the pins. */
#ifndef ALLFRONTS_PICO_PINS_H
#define ALLFRONTS_PICO_PINS_H

/*  pin    what
    GP2    button of the near seat, to ground (pull-up inside)
    GP3    button of the far seat, to ground (pull-up inside)
    GP6    data of the light chain, 3.3 V: a 74AHCT125 makes 5 V of it, then 330 ohm
    GP25   the board's own light: on while the host is heard */
enum { BUTTON_NEAR_GPIO = 2, BUTTON_FAR_GPIO = 3, LIGHTS_GPIO = 6, BOARD_LIGHT_GPIO = 25 };

#endif
