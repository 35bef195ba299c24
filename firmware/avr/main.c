/* ATmega328P: clock, watchdog, EEPROM, buttons, and the loop. */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#include "../core/controller.h"
#include "pins.h"
#include "strip.h"
#include "uart.h"

enum { WATCHDOG_MARK = 0xA5C3, TICKS_A_MS = 250, LATCH_TICKS = 75, SUPPLY_SETTLES = 16 };

#define SUPPLY_FULL_SCALE (1100ul * 1024ul)     /* millivolts of the reference, times the steps of the converter */

static Controller controller;

/* Survive a restart; the start-up code does not clear them. */
static uint16_t watchdog_mark __attribute__((section(".noinit")));
static uint8_t reset_flags __attribute__((section(".noinit")));
static uint8_t loader_flags __attribute__((section(".noinit")));

/* Before anything else: a watchdog left on by what ran before would bite during start-up. */
void first_things(void) __attribute__((naked, used, section(".init3")));
void first_things(void)
{
    register uint8_t handed_over __asm__("r2");
    __asm__ volatile("" : "=r"(handed_over));
    loader_flags = handed_over;
    reset_flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

/* The watchdog interrupts first and resets only if that fails. Restarting from here keeps every boot loader out of it: the old
   Nano's never turns the watchdog off and would be reset by it for ever, and Optiboot clears the cause. */
ISR(WDT_vect, ISR_NAKED)
{
    __asm__ volatile("clr __zero_reg__");
    watchdog_mark = WATCHDOG_MARK;
    wdt_disable();
    __asm__ volatile("jmp 0");
}

static void watchdog_start(void)
{
    wdt_reset();
    WDTCSR = _BV(WDCE) | _BV(WDE);
    WDTCSR = _BV(WDIE) | _BV(WDE) | _BV(WDP2);    /* 0.25 s to the interrupt, as much again to the reset */
}

static ResetCause cause_of_reset(void)
{
    const bool marked = watchdog_mark == WATCHDOG_MARK;
    uint8_t flags = reset_flags;
    watchdog_mark = 0;
    if (flags == 0 && !marked && (loader_flags & 0xF0) == 0) {
        /* Optiboot clears the register; since its version 6 it hands over what stood there in r2. */
        flags = loader_flags;
    }
    /* Power first: then the mark is chance. A restart by jump leaves the flags at 0. */
    if (flags & _BV(PORF)) {
        return CAUSE_POWER_ON;
    }
    if (flags & _BV(BORF)) {
        return CAUSE_BROWN_OUT;
    }
    if (flags & _BV(EXTRF)) {
        return CAUSE_RESET_PIN;
    }
    if (flags & _BV(WDRF)) {
        return CAUSE_WATCHDOG_HARD;
    }
    return marked ? CAUSE_WATCHDOG : CAUSE_UNTOLD;
}

/* Timer 1 counts 4 us and runs round in 262 ms. The loop reads it far more often than that, so no interrupt is needed, and a strip
   written with interrupts off costs no time. */
static uint32_t millis_now;

static uint32_t millis(void)
{
    static uint16_t counted;
    uint16_t passed = (uint16_t)(TCNT1 - counted);
    while (passed >= TICKS_A_MS) {
        passed = (uint16_t)(passed - TICKS_A_MS);
        counted = (uint16_t)(counted + TICKS_A_MS);
        millis_now++;
    }
    return millis_now;
}

/* Wakes the sleeping loop every millisecond. */
EMPTY_INTERRUPT(TIMER0_COMPA_vect)

static void clocks_start(void)
{
    TCCR1A = 0;
    TCCR1B = _BV(CS11) | _BV(CS10);
    TIMSK1 = 0;
    TCNT1 = 0;
    TCCR0A = _BV(WGM01);
    TCCR0B = _BV(CS01) | _BV(CS00);
    OCR0A = TICKS_A_MS - 1;
    TIMSK0 = _BV(OCIE0A);
}

static void pins_start(void)
{
    /* Pins that lead nowhere get pull-ups, so that they do not drift. */
    DDRB = 0;
    PORTB = 0xFF;
    DDRC = 0;
    PORTC = 0x3F;
    DDRD = 0;
    PORTD = (uint8_t)~_BV(LIGHTS_BIT);
    BOARD_LIGHT_PORT = (uint8_t)(BOARD_LIGHT_PORT & ~_BV(BOARD_LIGHT_BIT));
    BOARD_LIGHT_DDR |= _BV(BOARD_LIGHT_BIT);
    strip_start();
}

static uint8_t buttons(void)
{
    const uint8_t down = (uint8_t)~BUTTONS_PIN;
    uint8_t seats = 0;
    if (down & _BV(BUTTON_NEAR_BIT)) {
        seats |= 1;
    }
    if (down & _BV(BUTTON_FAR_BIT)) {
        seats |= 2;
    }
    return seats;
}

static uint8_t load(uint16_t address)
{
    return eeprom_read_byte((const uint8_t *)address);
}

static void store(uint16_t address, uint8_t value)
{
    eeprom_update_byte((uint8_t *)address, value);
    wdt_reset();
}

static void hang(void)
{
    for (;;) {
    }
}

static uint16_t show_longest_us;

static void show(const uint8_t *wire, uint8_t bytes)
{
    static uint16_t ended;
    /* A strip latches after 50 us of low, newer ones after 280. The timer runs round: once in a while this waits for nothing. */
    while ((uint16_t)(TCNT1 - ended) < LATCH_TICKS) {
    }
    const uint16_t from = TCNT1;
    strip_show(wire, bytes);
    ended = TCNT1;
    const uint16_t took_us = (uint16_t)((uint16_t)(ended - from) * 4u);
    if (took_us > show_longest_us) {
        show_longest_us = took_us;
    }
}

static void counters(LineCounters *line)
{
    uart_counters(line);
    line->show_us = show_longest_us;
}

/* The supply, by the chip's own reference of 1.1 V (10 % by the datasheet) measured against it. */
static uint16_t supply_lowest_mv;

static void supply_start(void)
{
    ADMUX = _BV(REFS0) | _BV(MUX3) | _BV(MUX2) | _BV(MUX1);
    ADCSRA = _BV(ADEN) | _BV(ADSC) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);
}

/* Looks whether a measurement is done, and begins the next. The first ones come before the reference has settled. */
static void supply_poll(void)
{
    static uint8_t settling = SUPPLY_SETTLES;
    if (ADCSRA & _BV(ADSC)) {
        return;
    }
    const uint16_t reading = ADC;
    if (settling) {
        settling--;
    } else if (reading) {
        const uint32_t mv = SUPPLY_FULL_SCALE / reading;
        if (supply_lowest_mv == 0 || mv < supply_lowest_mv) {
            supply_lowest_mv = mv > 0xFFFFu ? 0xFFFFu : (uint16_t)mv;
        }
    }
    ADCSRA |= _BV(ADSC);
}

static uint16_t supply_mv(void)
{
    return supply_lowest_mv;
}

static const Hal HAL = {
    .millis = millis,
    .receive = uart_receive,
    .room = uart_room,
    .send = uart_send,
    .show = show,
    .buttons = buttons,
    .load = load,
    .store = store,
    .hang = hang,
    .counters = counters,
    .supply_mv = supply_mv,
};

int main(void)
{
    cli();
    const ResetCause cause = cause_of_reset();
    pins_start();
    clocks_start();
    uart_start();
    supply_start();
    watchdog_start();    /* while interrupts are off: its register takes a new value within four cycles only */
    sei();
    controller_start(&controller, &HAL, BOARD_ATMEGA328P, cause, CAN_LIGHTS | CAN_PIXELS | CAN_SELF_TEST | CAN_KEEP | CAN_HANG);
    for (;;) {
        wdt_reset();
        supply_poll();
        controller_poll(&controller);
        if (controller.picture.lost || controller.gone) {
            BOARD_LIGHT_PORT = (uint8_t)(BOARD_LIGHT_PORT & ~_BV(BOARD_LIGHT_BIT));
        } else {
            BOARD_LIGHT_PORT |= _BV(BOARD_LIGHT_BIT);
        }
        /* Idle until a byte comes or a millisecond is over. Written out: the library's macro does not pass -Wconversion. */
        SMCR = _BV(SE);
        __asm__ volatile("sleep");
        SMCR = 0;
    }
}
