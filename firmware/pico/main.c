/* RP2040 on a Raspberry Pi Pico: clocks, watchdog, buttons, and the loop. No SDK, no interrupt handler, no heap. */
#include "../core/controller.h"

#include "flash.h"
#include "pins.h"
#include "rp2040.h"
#include "strip.h"
#include "usb.h"
#include "watchdog.h"

enum {
    MICROSECONDS_A_MS = 1000,
    LATCH_US = 300,
    /* The counter falls by two a microsecond (erratum RP2040-E1). */
    WATCHDOG_QUICK = 2 * 250000,
    WATCHDOG_PATIENT = 2 * 2000000,
    WATCHDOG_MARK = 0xA5C3
};

static Controller controller;

static void wait_for(uint32_t address, uint32_t bits)
{
    while ((REGISTER(address) & bits) != bits) {
    }
}

/* Crystal of 12 MHz, made 48 MHz for USB and for all else. */
static void clocks_start(void)
{
    CLEAR_BITS(CLK_SYS_CTRL) = CLK_SYS_FROM_AUX;
    wait_for(CLK_SYS_SELECTED, 1);
    REGISTER(XOSC_CTRL) = XOSC_1_TO_15_MHZ;
    REGISTER(XOSC_STARTUP) = 47;        /* 1 ms, in units of 256 periods */
    SET_BITS(XOSC_CTRL) = XOSC_ENABLE;
    wait_for(XOSC_STATUS, XOSC_STABLE);
    REGISTER(CLK_REF_CTRL) = CLK_REF_FROM_CRYSTAL;
    wait_for(CLK_REF_SELECTED, 1u << CLK_REF_FROM_CRYSTAL);

    const uint32_t blocks = RESET_IO_BANK0 | RESET_PADS_BANK0 | RESET_PIO0 | RESET_PLL_USB | RESET_TIMER | RESET_USBCTRL;
    SET_BITS(RESETS_RESET) = blocks;
    CLEAR_BITS(RESETS_RESET) = RESET_PLL_USB;
    wait_for(RESETS_DONE, RESET_PLL_USB);
    REGISTER(PLL_CS) = 1;               /* 12 MHz, times 100, by 5, by 5 */
    REGISTER(PLL_FBDIV) = 100;
    CLEAR_BITS(PLL_PWR) = PLL_PD | PLL_VCOPD;
    wait_for(PLL_CS, PLL_LOCK);
    REGISTER(PLL_PRIM) = 5u << 16 | 5u << 12;
    CLEAR_BITS(PLL_PWR) = PLL_POSTDIVPD;
    REGISTER(CLK_SYS_CTRL) = CLK_SYS_AUX_PLL_USB;
    REGISTER(CLK_SYS_CTRL) = CLK_SYS_AUX_PLL_USB | CLK_SYS_FROM_AUX;
    wait_for(CLK_SYS_SELECTED, 1u << CLK_SYS_FROM_AUX);
    REGISTER(CLK_USB_CTRL) = CLK_USB_ENABLE;

    REGISTER(WATCHDOG_TICK) = CRYSTAL_MHZ | WATCHDOG_TICK_ENABLE;
    CLEAR_BITS(RESETS_RESET) = blocks;
    wait_for(RESETS_DONE, blocks);
}

/* Wakes the loop when the timer comes to the time set below, or when USB has something. Both stay masked: nothing is ever called. */
static void wakers_start(void)
{
    REGISTER(TIMER_INTE) = 1;
    REGISTER(NVIC_ENABLE) = IRQ_TIMER0 | IRQ_USB;
}

static void sleep_a_while(void)
{
    REGISTER(TIMER_INTR) = 1;
    REGISTER(NVIC_CLEAR_PENDING) = IRQ_TIMER0 | IRQ_USB;
    REGISTER(TIMER_ALARM0) = REGISTER(TIMER_RAWL) + MICROSECONDS_A_MS;
    __asm__ volatile("wfi");
}

void watchdog_start(void)
{
    REGISTER(PSM_WDSEL) = PSM_ALL & ~PSM_OSCILLATORS;
    REGISTER(WATCHDOG_LOAD) = WATCHDOG_QUICK;
    REGISTER(WATCHDOG_SCRATCH0) = WATCHDOG_MARK;
    SET_BITS(WATCHDOG_CTRL) = WATCHDOG_ENABLE;
}

void watchdog_reset(void)
{
    REGISTER(WATCHDOG_LOAD) = WATCHDOG_QUICK;
}

void watchdog_patience(bool patience)
{
    REGISTER(WATCHDOG_LOAD) = patience ? WATCHDOG_PATIENT : WATCHDOG_QUICK;
}

/* A drop of the supply below the chip's limit looks like power-on here. */
static ResetCause cause_of_reset(void)
{
    const bool marked = REGISTER(WATCHDOG_SCRATCH0) == WATCHDOG_MARK;
    REGISTER(WATCHDOG_SCRATCH0) = 0;
    if (REGISTER(WATCHDOG_REASON) & WATCHDOG_REASON_TIMER) {
        return marked ? CAUSE_WATCHDOG : CAUSE_WATCHDOG_HARD;
    }
    const uint32_t flags = REGISTER(CHIP_RESET);
    if (flags & CHIP_RESET_HAD_RUN) {
        return CAUSE_RESET_PIN;
    }
    return flags & CHIP_RESET_HAD_POR ? CAUSE_POWER_ON : CAUSE_UNTOLD;
}

static uint32_t millis(void)
{
    static uint32_t counted;
    static uint32_t now;
    uint32_t passed = REGISTER(TIMER_RAWL) - counted;
    while (passed >= MICROSECONDS_A_MS) {
        passed -= MICROSECONDS_A_MS;
        counted += MICROSECONDS_A_MS;
        now++;
    }
    return now;
}

static void pins_start(void)
{
    REGISTER(PAD(BUTTON_NEAR_GPIO)) = REGISTER(PAD(BUTTON_FAR_GPIO)) = PAD_INPUT | PAD_PULL_UP | PAD_SCHMITT;
    REGISTER(IO_CTRL(BUTTON_NEAR_GPIO)) = REGISTER(IO_CTRL(BUTTON_FAR_GPIO)) = FUNCTION_SIO;
    REGISTER(SIO_OE_SET) = 1u << BOARD_LIGHT_GPIO;
    REGISTER(IO_CTRL(BOARD_LIGHT_GPIO)) = FUNCTION_SIO;
    strip_start();
}

static uint8_t buttons(void)
{
    const uint32_t down = ~REGISTER(SIO_GPIO_IN);
    return (uint8_t)((down >> BUTTON_NEAR_GPIO & 1u) | (down >> BUTTON_FAR_GPIO & 1u) << 1);
}

static uint16_t show_longest_us;

static void show(const uint8_t *wire, uint8_t bytes)
{
    static uint32_t ended;
    while (REGISTER(TIMER_RAWL) - ended < LATCH_US) {
        usb_poll();
    }
    const uint32_t from = REGISTER(TIMER_RAWL);
    strip_show(wire, bytes, usb_poll);
    ended = REGISTER(TIMER_RAWL);
    if (ended - from > show_longest_us) {
        show_longest_us = (uint16_t)(ended - from);
    }
}

static void hang(void)
{
    for (;;) {
    }
}

/* USB repeats what was not taken, so no byte is lost on the way. */
static void counters(LineCounters *line)
{
    *line = (LineCounters){.show_us = show_longest_us};
}

/* The board has no pin on its 5 V that the chip could measure. */
static uint16_t supply_mv(void)
{
    return 0;
}

static const Hal HAL = {
    .millis = millis,
    .receive = usb_receive,
    .room = usb_room,
    .send = usb_send,
    .show = show,
    .buttons = buttons,
    .load = flash_load,
    .store = flash_store,
    .hang = hang,
    .counters = counters,
    .supply_mv = supply_mv,
};

/* The flash chip's number in hexadecimal: the host knows the board by it wherever it is plugged in. */
static const char *serial_number(void)
{
    static char text[2 * FLASH_ID_BYTES + 1];
    uint8_t id[FLASH_ID_BYTES];
    flash_id(id);
    for (uint8_t at = 0; at < FLASH_ID_BYTES; at++) {
        text[2 * at] = "0123456789ABCDEF"[id[at] >> 4];
        text[2 * at + 1] = "0123456789ABCDEF"[id[at] & 15];
    }
    return text;
}

int main(void)
{
    const ResetCause cause = cause_of_reset();
    clocks_start();
    watchdog_start();
    pins_start();
    wakers_start();
    flash_start();
    usb_start(serial_number());
    controller_start(&controller, &HAL, BOARD_RP2040, cause, CAN_LIGHTS | CAN_PIXELS | CAN_SELF_TEST | CAN_KEEP | CAN_HANG);
    for (;;) {
        watchdog_reset();
        usb_poll();
        if (usb_opened()) {
            controller_greet(&controller);
        }
        controller_poll(&controller);
        usb_poll();
        if (usb_wants_boot_loader()) {
            CLEAR_BITS(WATCHDOG_CTRL) = WATCHDOG_ENABLE;    /* the boot loader does not feed it */
            flash_boot_loader();
        }
        if (controller.picture.lost || controller.gone) {
            REGISTER(SIO_OUT_CLEAR) = 1u << BOARD_LIGHT_GPIO;
        } else {
            REGISTER(SIO_OUT_SET) = 1u << BOARD_LIGHT_GPIO;
        }
        sleep_a_while();
    }
}
