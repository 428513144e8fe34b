/* Products and quotients of 32 bits, which the soft core has no instructions for. Statements' code calls them as it does
 * actions.S. */

.macro routine name
    .globl \name
    .type \name, @function
\name:
.endm

    .section .text
    .option norelax

/* t1 * t2 to t1. Uses t3. */
routine multiply
    li t3, 0
    li t6, 8
1:  .rept 4
    add t3, t3, t3
    bgez t2, 2f
    add t3, t3, t1
2:  add t2, t2, t2
    .endr
    addi t6, t6, -1
    bnez t6, 1b
    mv t1, t3
    jr t0

/* t1 / t2 (not 0), unsigned: quotient to t1, remainder to t2. Uses t3. Takes the same time whatever the values below 2^31
 * of t2, as worst-case analysis must not meet a way for each quotient. */
routine divide
    bltz t2, 3f
    addi sp, sp, -16
    sw t4, 0(sp)
    sw t5, 4(sp)
    li t3, 0
    li t4, 8
1:  .rept 4
    slt t6, t1, zero
    add t3, t3, t3
    or t3, t3, t6
    add t1, t1, t1
    sltu t6, t3, t2
    addi t6, t6, -1 /* all ones when the divisor goes into it */
    and t5, t6, t2
    sub t3, t3, t5
    sub t1, t1, t6
    .endr
    addi t4, t4, -1
    bnez t4, 1b
    mv t2, t3
    lw t4, 0(sp)
    lw t5, 4(sp)
    addi sp, sp, 16
    jr t0
3:  sltu t6, t1, t2
    addi t6, t6, -1
    and t3, t6, t2
    sub t2, t1, t3
    sub t1, zero, t6
    jr t0

/* The same, signed, towards 0. */
routine divide_signed
    addi sp, sp, -16
    sw t0, 0(sp)
    srai t6, t1, 31
    sw t6, 4(sp) /* the remainder's sign */
    srai t3, t2, 31
    xor t1, t1, t6
    sub t1, t1, t6
    xor t2, t2, t3
    sub t2, t2, t3
    xor t6, t6, t3
    sw t6, 8(sp)
    jal t0, divide
    lw t3, 4(sp)
    lw t6, 8(sp)
    lw t0, 0(sp)
    addi sp, sp, 16
    xor t2, t2, t3
    sub t2, t2, t3
    xor t1, t1, t6
    sub t1, t1, t6
    jr t0
