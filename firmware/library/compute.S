/* How statements' code calls C functions that compute (convert.c, wide.c). It is given and gives back t1, t2 and t6, goes on at
 * t0, and keeps what else interface/image.h leaves to that code. */

.macro routine name
    .globl \name
    .type \name, @function
\name:
.endm

    .section .text
    .option norelax

/* t1, t2: what number_arithmetic and wide_arithmetic take as right operand. Uses t3. */
routine operand
    la t3, right_operand
    sw t1, 0(t3)
    sw t2, 4(t3)
    jr t0

/* t6: a function of convert.c or arithmetic.c, which gets t1, t2 (a 64-bit value) and t3, and gives t1, t2. t3 and t6 become 0. */
routine compute
    addi sp, sp, -64
    sw ra, 0(sp)
    sw t0, 4(sp)
    sw t4, 8(sp)
    sw t5, 12(sp)
    sw a0, 16(sp)
    sw a1, 20(sp)
    sw a2, 24(sp)
    sw a3, 28(sp)
    sw a4, 32(sp)
    sw a5, 36(sp)
    sw a6, 40(sp)
    sw a7, 44(sp)
    mv a0, t1
    mv a1, t2
    mv a2, t3
    jalr ra, t6
    mv t1, a0
    mv t2, a1
    lw ra, 0(sp)
    lw t0, 4(sp)
    lw t4, 8(sp)
    lw t5, 12(sp)
    lw a0, 16(sp)
    lw a1, 20(sp)
    lw a2, 24(sp)
    lw a3, 28(sp)
    lw a4, 32(sp)
    lw a5, 36(sp)
    lw a6, 40(sp)
    lw a7, 44(sp)
    addi sp, sp, 64
    li t3, 0
    li t6, 0
    jr t0
