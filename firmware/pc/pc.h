/* The core on a PC: a clock that is told the time, lights that are looked at, buttons that are set. One board a process, for tests. */
#ifndef ALLFRONTS_PC_H
#define ALLFRONTS_PC_H

#include <stdint.h>

#include "../core/controller.h"
#include "../core/wire.h"

enum { PC_EEPROM_BYTES = 1024 };

void pc_power_on(uint8_t cause);                /* a start; the EEPROM stays as it was */
void pc_erase(void);                            /* the EEPROM as it comes from the factory */
void pc_advance(uint32_t ms);                   /* a poll each millisecond */
void pc_poll(void);                             /* a poll without time passing */
void pc_jump(uint32_t ms);                      /* one poll after all of it */
uint32_t pc_now(void);
void pc_hear(const uint8_t *bytes, uint32_t count);
uint32_t pc_said(uint8_t *bytes, uint32_t room);
void pc_press(uint8_t buttons);                 /* bit 0 near, bit 1 far */
uint32_t pc_wire(uint8_t *bytes);               /* as last shown; returns how many */
uint32_t pc_shows(void);
uint32_t pc_hangs(void);
uint8_t *pc_eeprom(void);
void pc_break_eeprom(uint8_t broken);           /* writes go nowhere */
void pc_supply(uint16_t millivolts);            /* what the target says it measured */
void pc_room(uint8_t room);                     /* what the line says it can take */
uint16_t pc_worst_ma(void);                     /* the most that any show drew, and the budget that it had */
uint32_t pc_over_budget(void);                  /* shows above their budget */

/* For the decoder alone: verdicts of a stream, each as verdict:u8, length:u8, plain bytes. Returns the bytes written, or 0xFFFFFFFF. */
uint32_t pc_decode(const uint8_t *stream, uint32_t count, uint8_t *out, uint32_t room);
/* Encodes type, seq, body; returns the bytes written, delimiter included. */
uint32_t pc_encode(const uint8_t *plain, uint8_t length, uint8_t *out);

#endif
