/* The registers of the RP2040 that this program uses, by the names of the datasheet. */
#ifndef ALLFRONTS_RP2040_H
#define ALLFRONTS_RP2040_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
/* Second and third view of most registers: the bits written are set, or cleared, at once. */
#define SET_BITS(address) REGISTER((address) + 0x2000u)
#define CLEAR_BITS(address) REGISTER((address) + 0x3000u)

enum { SYSTEM_HZ = 48000000, CRYSTAL_MHZ = 12 };

/* Resets: 2.14 */
#define RESETS_RESET 0x4000C000u
#define RESETS_DONE 0x4000C008u
#define RESET_IO_BANK0 (1u << 5)
#define RESET_PADS_BANK0 (1u << 8)
#define RESET_PIO0 (1u << 10)
#define RESET_PLL_USB (1u << 13)
#define RESET_TIMER (1u << 21)
#define RESET_USBCTRL (1u << 24)

/* Power-on state machine: 2.13 */
#define PSM_WDSEL 0x40010008u
#define PSM_ALL 0x0001FFFFu
#define PSM_OSCILLATORS 0x3u

/* Crystal oscillator: 2.16 */
#define XOSC_CTRL 0x40024000u
#define XOSC_STATUS 0x40024004u
#define XOSC_STARTUP 0x4002400Cu
#define XOSC_1_TO_15_MHZ 0xAA0u
#define XOSC_ENABLE (0xFABu << 12)
#define XOSC_STABLE (1u << 31)

/* Phase-locked loop for USB: 2.18 */
#define PLL_CS 0x4002C000u
#define PLL_PWR 0x4002C004u
#define PLL_FBDIV 0x4002C008u
#define PLL_PRIM 0x4002C00Cu
#define PLL_LOCK (1u << 31)
#define PLL_PD 1u
#define PLL_POSTDIVPD (1u << 3)
#define PLL_VCOPD (1u << 5)

/* Clocks: 2.15 */
#define CLK_REF_CTRL 0x40008030u
#define CLK_REF_SELECTED 0x40008038u
#define CLK_SYS_CTRL 0x4000803Cu
#define CLK_SYS_SELECTED 0x40008044u
#define CLK_USB_CTRL 0x40008054u
#define CLK_REF_FROM_CRYSTAL 2u
#define CLK_SYS_FROM_AUX 1u
#define CLK_SYS_AUX_PLL_USB (1u << 5)
#define CLK_USB_ENABLE (1u << 11)

/* Watchdog: 4.7 */
#define WATCHDOG_CTRL 0x40058000u
#define WATCHDOG_LOAD 0x40058004u
#define WATCHDOG_REASON 0x40058008u
#define WATCHDOG_SCRATCH0 0x4005800Cu
#define WATCHDOG_TICK 0x4005802Cu
#define WATCHDOG_ENABLE (1u << 30)
#define WATCHDOG_TICK_ENABLE (1u << 9)
#define WATCHDOG_REASON_TIMER 1u

/* Why the chip was reset: 2.12.7 */
#define CHIP_RESET 0x40064008u
#define CHIP_RESET_HAD_POR (1u << 8)
#define CHIP_RESET_HAD_RUN (1u << 16)

/* Timer, one count a microsecond: 4.6 */
#define TIMER_ALARM0 0x40054010u
#define TIMER_RAWL 0x40054028u
#define TIMER_INTR 0x40054034u
#define TIMER_INTE 0x40054038u

/* Pins: 2.19, 2.3.1 */
#define IO_CTRL(gpio) (0x40014004u + 8u * (gpio))
#define PAD(gpio) (0x4001C004u + 4u * (gpio))
#define FUNCTION_SIO 5u
#define FUNCTION_PIO0 6u
#define PAD_INPUT (1u << 6)
#define PAD_PULL_UP (1u << 3)
#define PAD_SCHMITT (1u << 1)
#define SIO_GPIO_IN 0xD0000004u
#define SIO_OUT_SET 0xD0000014u
#define SIO_OUT_CLEAR 0xD0000018u
#define SIO_OE_SET 0xD0000024u

/* Programmable input and output, state machine 0: 3.7 */
#define PIO_CTRL 0x50200000u
#define PIO_FSTAT 0x50200004u
#define PIO_FDEBUG 0x50200008u
#define PIO_TXF0 0x50200010u
#define PIO_INSTR_MEM 0x50200048u
#define PIO_SM0_CLKDIV 0x502000C8u
#define PIO_SM0_EXECCTRL 0x502000CCu
#define PIO_SM0_SHIFTCTRL 0x502000D0u
#define PIO_SM0_INSTR 0x502000D8u
#define PIO_SM0_PINCTRL 0x502000DCu
#define PIO_TX_FULL_SM0 (1u << 16)
#define PIO_TX_STALL_SM0 (1u << 24)

/* USB device controller: 4.1.4 */
#define USB_DPRAM 0x50100000u
#define USB_ADDR_ENDP 0x50110000u
#define USB_MAIN_CTRL 0x50110040u
#define USB_SIE_CTRL 0x5011004Cu
#define USB_SIE_STATUS 0x50110050u
#define USB_BUFF_STATUS 0x50110058u
#define USB_EP_STALL_ARM 0x50110068u
#define USB_MUXING 0x50110074u
#define USB_PWR 0x50110078u
#define USB_INTE 0x50110090u
#define USB_INTS 0x50110098u

/* Flash, its serial interface and its select pin: 2.6.3, 4.10 */
#define FLASH_MEMORY 0x10000000u
#define SSI_SR 0x18000028u
#define SSI_DR0 0x18000060u
#define SSI_SR_TX_NOT_FULL (1u << 1)
#define SSI_SR_RX_NOT_EMPTY (1u << 3)
#define QSPI_SELECT_CTRL 0x4001800Cu
#define QSPI_SELECT_LOW (2u << 8)
#define QSPI_SELECT_HIGH (3u << 8)
#define QSPI_SELECT_OVER (3u << 8)

/* Interrupts of the core, 2.3.2: none is ever taken; a pending one ends the sleep. */
#define NVIC_ENABLE 0xE000E100u
#define NVIC_CLEAR_PENDING 0xE000E280u
#define IRQ_TIMER0 (1u << 0)
#define IRQ_USB (1u << 5)

#endif
