/* Vectors, and what runs before main: this part alone runs from the flash. It copies the program to RAM, so that the flash can be
   written while the program runs, and clears the variables. */
    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .section .vectors, "a"
    .word   stack_top
    .word   reset
    .rept   14
    .word   fault           /* NMI, hard fault, and what this program does not use */
    .endr
    .rept   26
    .word   masked          /* interrupts: they end the sleep and are masked, so none comes here */
    .endr

    .global reset
    .section .start, "ax"
    .thumb_func
reset:
    cpsid   i               /* interrupts end the sleep and are never taken */
    ldr     r0, =image_from
    ldr     r1, =image_begin
    ldr     r2, =image_end
copy:
    cmp     r1, r2
    bhs     copied
    ldmia   r0!, {r3}
    stmia   r1!, {r3}
    b       copy
copied:
    ldr     r1, =bss_begin
    ldr     r2, =bss_end
    movs    r3, #0
clear:
    cmp     r1, r2
    bhs     cleared
    stmia   r1!, {r3}
    b       clear
cleared:
    ldr     r0, =main
    bx      r0
    .thumb_func
masked:
    bx      lr
    .thumb_func
fault:
    b       fault           /* the watchdog ends it */
    .ltorg
