/* How the board introduces itself on USB: one serial port. Layouts: USB 2.0 chapter 9.6, CDC 1.2 chapter 5. */
#ifndef ALLFRONTS_PICO_USB_DESCRIPTORS_H
#define ALLFRONTS_PICO_USB_DESCRIPTORS_H

#include <stdint.h>

enum {
    DESCRIPTOR_DEVICE = 1,
    DESCRIPTOR_CONFIGURATION = 2,
    DESCRIPTOR_STRING = 3,
    STRING_MAKER = 1,
    STRING_PRODUCT = 2,
    STRING_SERIAL = 3,
    EP0_BYTES = 64,
    NOTICE_ENDPOINT = 1,
    DATA_ENDPOINT = 2,
    USB_ENDPOINTS = 3,
    DATA_BYTES = 64,
    NOTICE_BYTES = 8
};

/* Vendor and product: what Raspberry Pi gives to programs on its boards that are a serial port. */
static const uint8_t DEVICE_DESCRIPTOR[] = {
    18, DESCRIPTOR_DEVICE, 0x00, 0x02, 0xEF, 2, 1, EP0_BYTES, 0x8A, 0x2E, 0x0A, 0x00, 0x00, 0x01, STRING_MAKER, STRING_PRODUCT,
    STRING_SERIAL, 1,
};

static const uint8_t CONFIGURATION_DESCRIPTOR[] = {
    9, DESCRIPTOR_CONFIGURATION, 75, 0, 2, 1, 0, 0x80, 250,             /* two interfaces, from the bus, 500 mA */
    8, 11, 0, 2, 2, 2, 0, 0,                                            /* both belong to one function */
    9, 4, 0, 0, 1, 2, 2, 0, 0,                                          /* interface 0: control, abstract modem */
    5, 0x24, 0x00, 0x10, 0x01,                                          /* CDC 1.10 */
    5, 0x24, 0x01, 0, 1,                                                /* call management: none */
    4, 0x24, 0x02, 2,                                                   /* line coding and line state */
    5, 0x24, 0x06, 0, 1,                                                /* union of interfaces 0 and 1 */
    7, 5, 0x80 | NOTICE_ENDPOINT, 3, NOTICE_BYTES, 0, 16,
    9, 4, 1, 0, 2, 10, 0, 0, 0,                                         /* interface 1: data */
    7, 5, DATA_ENDPOINT, 2, DATA_BYTES, 0, 0,
    7, 5, 0x80 | DATA_ENDPOINT, 2, DATA_BYTES, 0, 0,
};

static const uint8_t LANGUAGES[] = {4, DESCRIPTOR_STRING, 0x09, 0x04};

_Static_assert(sizeof DEVICE_DESCRIPTOR == 18, "the device descriptor's length");
_Static_assert(sizeof CONFIGURATION_DESCRIPTOR == 75, "the configuration's total length is told in it");

#endif
