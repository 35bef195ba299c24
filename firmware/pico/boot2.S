/* Second stage of the boot, the first 252 bytes of the flash: the chip's ROM copies it to RAM, checks its sum (written behind it by
   tools/make_uf2.py) and runs it. It lets the flash be read as memory by the command that every chip knows (03h, 24 address bits, one
   wire), which is slow and enough: the program copies itself to RAM. */
    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .equ SSI, 0x18000000
    .equ SSI_CTRLR0, 0x00
    .equ SSI_CTRLR1, 0x04
    .equ SSI_SSIENR, 0x08
    .equ SSI_BAUDR, 0x14
    .equ SSI_SPI_CTRLR0, 0xF4
    .equ VTOR, 0xE000ED08
    .equ VECTORS, 0x10000100

    .section .boot2, "ax"
    ldr     r3, =SSI
    movs    r0, #0
    str     r0, [r3, #SSI_SSIENR]       /* off while it is set up */
    movs    r0, #4
    str     r0, [r3, #SSI_BAUDR]        /* a quarter of the system's clock */
    ldr     r0, =(31 << 16 | 3 << 8)    /* frames of 32 bits; send a command, then read */
    str     r0, [r3, #SSI_CTRLR0]
    movs    r0, #0
    str     r0, [r3, #SSI_CTRLR1]       /* one frame a read */
    ldr     r0, =(0x03 << 24 | 2 << 8 | 6 << 2)    /* command 03h of 8 bits, address of 24 */
    ldr     r1, =(SSI + SSI_SPI_CTRLR0)
    str     r0, [r1]
    movs    r0, #1
    str     r0, [r3, #SSI_SSIENR]

    ldr     r0, =VECTORS
    ldr     r1, =VTOR
    str     r0, [r1]
    ldmia   r0!, {r1, r2}
    msr     msp, r1
    bx      r2
    .ltorg
