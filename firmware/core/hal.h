/* What a target supplies. Nothing here may block for longer than a strip takes to write. */
#ifndef ALLFRONTS_HAL_H
#define ALLFRONTS_HAL_H

#include <stdint.h>

/* Counted by the target since start; 16 bits that stop at their end. */
typedef struct {
    uint16_t overrun;     /* bytes the UART lost */
    uint16_t ring_full;   /* bytes lost for want of room in the receive ring */
    uint16_t framing;     /* bytes with a wrong stop bit */
    uint16_t show_us;     /* longest show; 0 if not measured */
} LineCounters;

typedef struct {
    uint32_t (*millis)(void);                              /* since start */
    int16_t (*receive)(void);                              /* next byte, -1 if there is none */
    uint8_t (*room)(void);                                 /* bytes that send takes without waiting, 255 at most */
    void (*send)(uint8_t byte);
    void (*show)(const uint8_t *wire, uint8_t bytes);      /* returns when the strip has the bytes */
    uint8_t (*buttons)(void);                              /* bit 0 near is down, bit 1 far is down; bouncing */
    uint8_t (*load)(uint16_t address);                     /* kept without power */
    void (*store)(uint16_t address, uint8_t value);
    void (*hang)(void);                                    /* proves the watchdog; returns only on a target without one */
    void (*counters)(LineCounters *counters);
    uint16_t (*supply_mv)(void);                           /* the lowest since start, 0 if it is not measured */
} Hal;

/* Constant tables stay in flash where the compiler has a name for it (avr-gcc), and need no header for that. */
#ifdef __FLASH
#define ROM const __flash
#else
#define ROM const
#endif

#endif
