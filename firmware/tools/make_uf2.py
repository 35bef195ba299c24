"""Makes of a program's flash image the UF2 file that a Pico's USB drive takes: `make_uf2.py IN.bin OUT.uf2`.

Writes the sum behind the second boot stage, without which the chip's ROM does not start it
(RP2040 datasheet, 2.8.1.3.1), and cuts the image into blocks of 256 bytes (the UF2 specification of Microsoft).
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

FLASH_START = 0x10000000
BOOT2_BYTES = 252
BLOCK_BYTES = 256
MAGIC = (0x0A324655, 0x9E5D5157, 0x0AB16F30)
FAMILY_PRESENT = 0x2000
RP2040_FAMILY = 0xE48BFF56


def crc32_mpeg2(data: bytes) -> int:
    """CRC-32/MPEG-2: polynomial 0x04C11DB7, initial all ones, not reflected, no final change."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ (0x04C11DB7 if crc & 0x80000000 else 0)) & 0xFFFFFFFF
    return crc


def with_boot_sum(image: bytes) -> bytes:
    """The image with the sum of its first 252 bytes in the next four."""
    boot = image[:BOOT2_BYTES].ljust(BOOT2_BYTES, b"\0")
    return boot + struct.pack("<I", crc32_mpeg2(boot)) + image[BOOT2_BYTES + 4 :]


def uf2(image: bytes, start: int = FLASH_START) -> bytes:
    """The image in UF2 blocks, the last one filled up with zeros."""
    parts = [image[at : at + BLOCK_BYTES].ljust(BLOCK_BYTES, b"\0") for at in range(0, len(image), BLOCK_BYTES)]
    return b"".join(
        struct.pack(
            "<8I",
            MAGIC[0],
            MAGIC[1],
            FAMILY_PRESENT,
            start + number * BLOCK_BYTES,
            BLOCK_BYTES,
            number,
            len(parts),
            RP2040_FAMILY,
        )
        + part.ljust(476, b"\0")
        + struct.pack("<I", MAGIC[2])
        for number, part in enumerate(parts)
    )


def main() -> None:
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    target.write_bytes(uf2(with_boot_sum(source.read_bytes())))


if __name__ == "__main__":
    main()
