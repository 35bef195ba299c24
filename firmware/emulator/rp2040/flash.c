/* The flash: how a UF2 file comes into it, the second boot stage, the ROM's functions that write it, and its serial interface as far as
   the chip's number is asked for. */
#include "chip.h"

#include <stdio.h>
#include <string.h>

enum {
    UF2_BLOCK = 512,
    BOOT2_BYTES = 252,
    BOOT2_AT = 0x20041F00,
    ERASE_US = 45000,           /* a sector, typical of a W25Q16 */
    PROGRAM_US = 700,           /* a page */
    ROM_LOOKUP = 0x40,
    ROM_CONNECT = 0x100, ROM_EXIT_XIP = 0x102, ROM_ERASE = 0x104, ROM_PROGRAM = 0x106, ROM_FLUSH = 0x108, ROM_ENTER_XIP = 0x10A,
    ROM_USB_BOOT = 0x10C,
    SSI_CTRLR0 = 0x00, SSI_SSIENR = 0x08, SSI_SR = 0x28, SSI_DR0 = 0x60, SSI_SPI_CTRLR0 = 0xF4,
    COMMAND_UNIQUE_ID = 0x4B, UNIQUE_ID_AFTER = 5
};

static uint32_t word(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

int flash_loaded(Chip *chip, const char *uf2)
{
    uint8_t block[UF2_BLOCK];
    FILE *file = fopen(uf2, "rb");
    uint32_t count = 0;
    if (!file) {
        return 0;
    }
    while (fread(block, 1, sizeof block, file) == sizeof block) {
        const uint32_t address = word(block + 12) - 0x10000000u;
        const uint32_t bytes = word(block + 16);
        if (word(block) != 0x0A324655 || word(block + 4) != 0x9E5D5157 || word(block + 508) != 0x0AB16F30 ||
            word(block + 28) != 0xE48BFF56 || bytes != 256 || address > FLASH_BYTES - 256) {
            fclose(file);
            return 0;
        }
        /* The ROM's drive erases the sector of a block before it writes the first of it. */
        if (address % SECTOR_BYTES == 0) {
            memset(chip->flash + address, 0xFF, SECTOR_BYTES);
        }
        memcpy(chip->flash + address, block + 32, bytes);
        count++;
    }
    fclose(file);
    return count != 0;
}

static uint32_t crc32_mpeg2(const uint8_t *bytes, uint32_t count)
{
    uint32_t crc = 0xFFFFFFFFu;
    while (count--) {
        crc ^= (uint32_t)*bytes++ << 24;
        for (int bit = 0; bit < 8; bit++) {
            crc = crc << 1 ^ (crc & 0x80000000u ? 0x04C11DB7u : 0);
        }
    }
    return crc;
}

int boot_from_flash(Chip *chip)
{
    if (crc32_mpeg2(chip->flash, BOOT2_BYTES) != word(chip->flash + BOOT2_BYTES)) {
        return 0;
    }
    memcpy(chip->sram + BOOT2_AT - 0x20000000u, chip->flash, BOOT2_BYTES + 4);
    chip->cpu.r[13] = BOOT2_AT;
    chip->cpu.r[14] = 0;
    chip->cpu.r[15] = BOOT2_AT;
    return 1;
}

static void needs_commands(Chip *chip, const char *what)
{
    if (!chip->flash_commands) {
        chip_crash(chip, what, chip->cpu.r[14]);
    }
}

static uint32_t found(uint32_t code)
{
    switch (code) {
    case 'I' | 'F' << 8: return ROM_CONNECT | 1;
    case 'E' | 'X' << 8: return ROM_EXIT_XIP | 1;
    case 'R' | 'E' << 8: return ROM_ERASE | 1;
    case 'R' | 'P' << 8: return ROM_PROGRAM | 1;
    case 'F' | 'C' << 8: return ROM_FLUSH | 1;
    case 'C' | 'X' << 8: return ROM_ENTER_XIP | 1;
    case 'U' | 'B' << 8: return ROM_USB_BOOT | 1;
    default: return 0;
    }
}

int rom_call(Chip *chip, uint32_t address)
{
    uint32_t *r = chip->cpu.r;
    switch (address) {
    case ROM_LOOKUP:
        r[0] = found(r[1]);
        return 1;
    case ROM_CONNECT:
        chip->flash_is_memory = 0;
        return 1;
    case ROM_EXIT_XIP:
        chip->flash_is_memory = 0;
        chip->flash_commands = 1;
        chip->ssi_sent = chip->ssi_unread = 0;
        return 1;
    case ROM_ERASE:
        needs_commands(chip, "flash erased while it is read as memory");
        if (r[0] % SECTOR_BYTES || r[1] % SECTOR_BYTES || r[0] + r[1] > FLASH_BYTES) {
            chip_crash(chip, "flash erased by no whole sectors", r[0]);
            return 1;
        }
        memset(chip->flash + r[0], 0xFF, r[1]);
        chip->cycle += (uint64_t)(r[1] / SECTOR_BYTES) * ERASE_US * CYCLES_A_US;
        return 1;
    case ROM_PROGRAM:
        needs_commands(chip, "flash written while it is read as memory");
        if (r[0] % 256 || r[2] % 256 || r[0] + r[2] > FLASH_BYTES) {
            chip_crash(chip, "flash written by no whole pages", r[0]);
            return 1;
        }
        for (uint32_t at = 0; at < r[2]; at++) {
            chip->flash[r[0] + at] &= (uint8_t)bus_read(chip, r[1] + at, 1);    /* bits go to 0 only */
        }
        chip->cycle += (uint64_t)(r[2] / 256) * PROGRAM_US * CYCLES_A_US;
        return 1;
    case ROM_FLUSH:
        return 1;
    case ROM_ENTER_XIP:
        chip->flash_commands = 0;
        chip->flash_is_memory = 1;
        return 1;
    case ROM_USB_BOOT:
        chip->boot_loader = 1;
        return 1;
    default:
        return 0;
    }
}

uint32_t ssi_read(Chip *chip, uint32_t offset)
{
    if (offset == SSI_SR) {
        return 2u | 4u | (chip->ssi_unread ? 8u : 0);
    }
    if (offset == SSI_DR0 && chip->ssi_unread) {
        const uint32_t at = chip->ssi_sent - chip->ssi_unread--;
        return at < sizeof chip->ssi_answer ? chip->ssi_answer[at] : 0;
    }
    return offset / 4 < 64 ? chip->ssi[offset / 4] : 0;
}

void ssi_write(Chip *chip, uint32_t offset, uint32_t value)
{
    if (offset == SSI_DR0) {
        const uint32_t selected = (chip->apb[0x1800C / 4] >> 8 & 3) == 2;
        if (!chip->flash_commands || !selected) {
            chip_crash(chip, "a command for the flash that it does not hear", value);
            return;
        }
        const uint32_t at = chip->ssi_sent++;
        chip->ssi_unread++;
        if (at == 0) {
            memset(chip->ssi_answer, 0xFF, sizeof chip->ssi_answer);
            if ((value & 0xFF) == COMMAND_UNIQUE_ID) {
                memcpy(chip->ssi_answer + UNIQUE_ID_AFTER, chip->flash_id, sizeof chip->flash_id);
            }
        }
        return;
    }
    if (offset / 4 < 64) {
        chip->ssi[offset / 4] = value;
    }
    if (offset == SSI_SSIENR) {
        /* Frames of 32 bits, command then read; command 03h of 8 bits, 24 address bits, all on one wire. */
        chip->flash_is_memory =
            value == 1 && chip->ssi[SSI_CTRLR0 / 4] == (31u << 16 | 3u << 8) && chip->ssi[SSI_SPI_CTRLR0 / 4] == (3u << 24 | 2u << 8 | 6u << 2);
    }
}
