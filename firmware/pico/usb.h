/* A serial port over USB (CDC-ACM), polled: no interrupt is taken, and what is not fetched waits at the host. */
#ifndef ALLFRONTS_PICO_USB_H
#define ALLFRONTS_PICO_USB_H

#include <stdbool.h>
#include <stdint.h>

/* `serial` is what the host sees as the serial number, ended by 0; at most 20 characters. */
void usb_start(const char *serial);
void usb_poll(void);
int16_t usb_receive(void);
uint8_t usb_room(void);
void usb_send(uint8_t byte);
/* True once after each opening of the port by a host. */
bool usb_opened(void);
/* True when a host set 1,200 baud and closed the port: it asks for the boot loader. */
bool usb_wants_boot_loader(void);

#endif
