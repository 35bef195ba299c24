/* A byte is kept as one more record behind the others; when a sector is full, the other one is erased and gets each byte's last value.
   Its head is written last, so power lost at any moment leaves a whole sector: the one before. */
#include "flash.h"

#include <stdbool.h>

#include "rp2040.h"
#include "watchdog.h"

enum {
    SETTINGS_AT = 0x10000,      /* behind the program's room; UF2 files of this program leave it alone */
    SECTOR_BYTES = 4096,
    PAGE_BYTES = 256,
    RECORD_BYTES = 4,
    RECORDS = SECTOR_BYTES / RECORD_BYTES,      /* the first is the head */
    HEAD_MARK = 0xAF,
    RECORD_MARK = 0x5A,
    ERASE_BLOCK_BYTES = 1 << 16,
    COMMAND_ERASE_BLOCK = 0xD8,
    COMMAND_UNIQUE_ID = 0x4B,
    UNIQUE_ID_WAIT_BYTES = 4
};

#define ERASED 0xFFFFFFFFu

static uint8_t kept[KEPT_BYTES];
static uint8_t sector;          /* 0 or 1, the one in use */
static uint16_t generation;
static uint16_t next_record;

/* The ROM's functions are found by two letters: datasheet 2.8.3. */
typedef void *(*Lookup)(const uint16_t *table, uint32_t code);

static void *rom_function(char first, char second)
{
    const uint16_t *halfwords = (const uint16_t *)0x14;
    __asm__("" : "+r"(halfwords));      /* so that the compiler does not take it for a null pointer */
    const Lookup lookup = (Lookup)(uintptr_t)halfwords[2];
    return lookup((const uint16_t *)(uintptr_t)halfwords[0], (uint32_t)(uint8_t)first | (uint32_t)(uint8_t)second << 8);
}

typedef void (*Plain)(void);
typedef void (*Erase)(uint32_t offset, uint32_t count, uint32_t block, uint8_t command);
typedef void (*Program)(uint32_t offset, const uint8_t *bytes, uint32_t count);

static void flash_off_the_bus(void)
{
    ((Plain)rom_function('I', 'F'))();
    ((Plain)rom_function('E', 'X'))();
}

static void flash_as_memory(void)
{
    ((Plain)rom_function('F', 'C'))();
    ((Plain)rom_function('C', 'X'))();
}

static uint32_t sector_offset(uint8_t which)
{
    return SETTINGS_AT + (uint32_t)which * SECTOR_BYTES;
}

static uint32_t record_at(uint8_t which, uint16_t at)
{
    return REGISTER(FLASH_MEMORY + sector_offset(which) + (uint32_t)at * RECORD_BYTES);
}

/* mark, two bytes, their check: a record of which only a part was written is not taken for one. */
static uint32_t record_of(uint8_t mark, uint8_t a, uint8_t b)
{
    const uint8_t check = (uint8_t)~(mark + 3u * a + 7u * b);
    return (uint32_t)mark | (uint32_t)a << 8 | (uint32_t)b << 16 | (uint32_t)check << 24;
}

static bool record_good(uint32_t record, uint8_t mark)
{
    return record == record_of(mark, (uint8_t)(record >> 8), (uint8_t)(record >> 16)) && record != ERASED;
}

/* Flash bits go from 1 to 0 without erasing, so the rest of the page is written as ones, which leaves it as it is. */
static bool write_record(uint8_t which, uint16_t at, uint32_t record)
{
    static uint8_t page[PAGE_BYTES];
    const uint32_t offset = sector_offset(which) + (uint32_t)at * RECORD_BYTES;
    const uint32_t in_page = offset % PAGE_BYTES;
    for (uint32_t byte = 0; byte < PAGE_BYTES; byte++) {
        page[byte] = 0xFF;
    }
    for (uint32_t byte = 0; byte < RECORD_BYTES; byte++) {
        page[in_page + byte] = (uint8_t)(record >> (8 * byte));
    }
    flash_off_the_bus();
    ((Program)rom_function('R', 'P'))(offset - in_page, page, PAGE_BYTES);
    flash_as_memory();
    return record_at(which, at) == record;
}

static void erase(uint8_t which)
{
    watchdog_patience(true);    /* a worn sector takes 0.4 s */
    flash_off_the_bus();
    ((Erase)rom_function('R', 'E'))(sector_offset(which), SECTOR_BYTES, ERASE_BLOCK_BYTES, COMMAND_ERASE_BLOCK);
    flash_as_memory();
    watchdog_patience(false);
}

static bool begin_other_sector(void)
{
    const uint8_t other = (uint8_t)(1 - sector);
    const uint16_t newer = (uint16_t)(generation + 1);
    uint16_t at = 1;
    erase(other);
    for (uint16_t address = 0; address < KEPT_BYTES; address++) {
        if (kept[address] != 0xFF && !write_record(other, at++, record_of(RECORD_MARK, (uint8_t)address, kept[address]))) {
            return false;
        }
    }
    if (!write_record(other, 0, record_of(HEAD_MARK, (uint8_t)newer, (uint8_t)(newer >> 8)))) {
        return false;
    }
    sector = other;
    generation = newer;
    next_record = at;
    return true;
}

void flash_start(void)
{
    bool found = false;
    for (uint16_t address = 0; address < KEPT_BYTES; address++) {
        kept[address] = 0xFF;   /* as erased memory is */
    }
    for (uint8_t which = 0; which < 2; which++) {
        const uint32_t head = record_at(which, 0);
        const uint16_t its = (uint16_t)(head >> 8);
        if (record_good(head, HEAD_MARK) && (!found || (uint16_t)(its - generation) < 0x8000u)) {
            found = true;
            sector = which;
            generation = its;
        }
    }
    next_record = RECORDS;      /* none is in use: the first byte that is stored begins one */
    if (!found) {
        return;
    }
    for (next_record = 1; next_record < RECORDS && record_at(sector, next_record) != ERASED; next_record++) {
        const uint32_t record = record_at(sector, next_record);
        const uint8_t address = (uint8_t)(record >> 8);
        if (record_good(record, RECORD_MARK) && address < KEPT_BYTES) {
            kept[address] = (uint8_t)(record >> 16);
        }
    }
}

uint8_t flash_load(uint16_t address)
{
    return address < KEPT_BYTES ? kept[address] : 0xFF;
}

void flash_store(uint16_t address, uint8_t value)
{
    if (address >= KEPT_BYTES || kept[address] == value) {
        return;
    }
    if (next_record >= RECORDS && !begin_other_sector()) {
        return;
    }
    if (write_record(sector, next_record, record_of(RECORD_MARK, (uint8_t)address, value))) {
        kept[address] = value;
    }
    next_record++;
}

static uint8_t exchange(uint8_t out)
{
    while (!(REGISTER(SSI_SR) & SSI_SR_TX_NOT_FULL)) {
    }
    REGISTER(SSI_DR0) = out;
    while (!(REGISTER(SSI_SR) & SSI_SR_RX_NOT_EMPTY)) {
    }
    return (uint8_t)REGISTER(SSI_DR0);
}

void flash_id(uint8_t *id)
{
    flash_off_the_bus();
    CLEAR_BITS(QSPI_SELECT_CTRL) = QSPI_SELECT_OVER;
    SET_BITS(QSPI_SELECT_CTRL) = QSPI_SELECT_LOW;
    (void)exchange(COMMAND_UNIQUE_ID);
    for (uint8_t at = 0; at < UNIQUE_ID_WAIT_BYTES; at++) {
        (void)exchange(0);
    }
    for (uint8_t at = 0; at < FLASH_ID_BYTES; at++) {
        id[at] = exchange(0);
    }
    SET_BITS(QSPI_SELECT_CTRL) = QSPI_SELECT_HIGH;
    CLEAR_BITS(QSPI_SELECT_CTRL) = QSPI_SELECT_OVER;
    flash_as_memory();
}

void flash_boot_loader(void)
{
    typedef void (*BootLoader)(uint32_t activity_pins, uint32_t interfaces_off);
    ((BootLoader)rom_function('U', 'B'))(0, 0);
}
