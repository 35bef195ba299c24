/* Vectors, and what runs before main: this part alone runs from the flash. It copies the program to RAM, so that the flash can be
   written while the program runs, and clears the variables. */
    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .section .vectors, "a"
    .word   stack_top
    .word   reset
    .word   fault           /* NMI */
    .word   fault           /* hard fault */

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
fault:
    b       fault           /* the watchdog ends it */
    .ltorg
