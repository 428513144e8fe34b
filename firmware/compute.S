/* Routines that statements' code calls. They are given and give back t1, t2 and t6, go on at t0, and keep what else
 * interface/image.h leaves to that code, unless they say so. */
#include "probe_defs.S.h"

#define HIT_TIME ES_REG_HIT_TIME(s1)
#define TIME_HIGH ES_REG_TIME_HIGH(s1)
#define HIT_CELL ES_REG_HIT_CELL(s1)
#define HIT_POP ES_REG_HIT_POP(s1)

.macro routine name
    .globl \name
    .type \name, @function
\name:
.endm

    .section .text
    .option norelax

/* --- switches: words state, time low, time high (host/image/plan.h). An action at an event counts from the next event on,
 * and the time tells events apart: what comes in one clock is one event. --- */

/* t1: address. Out: t1 1 when the statement is the other way than at the start, as of this event. Uses t3. */
routine switch_now
    lw t2, 4(t1)
    lw t3, HIT_TIME
    bne t2, t3, 1f
    lw t2, 8(t1)
    lw t3, TIME_HIGH
    bne t2, t3, 1f
    lw t1, 0(t1)
    srli t1, t1, 1
    jr t0
1:  lw t1, 0(t1)
    andi t1, t1, 1
    jr t0

/* t1: address, t2: 1 for the other way than at the start, else 0. Uses t3 to t6. */
routine switch_set
    lw t3, 0(t1)
    lw t4, 4(t1)
    lw t5, HIT_TIME
    lw t6, TIME_HIGH
    bne t4, t5, 1f
    lw t4, 8(t1)
    bne t4, t6, 1f
    andi t3, t3, 2 /* another action at this event */
    j 2f
1:  sw t5, 4(t1)
    sw t6, 8(t1)
    andi t3, t3, 1
    slli t3, t3, 1
2:  or t3, t3, t2
    sw t3, 0(t1)
    jr t0

/* --- stop: planes are disarmed, hits that are on their way are dropped, and the closing figures are sent unasked. Mail is
 * still answered. Never comes back. --- */
routine stop
    la sp, __stack_top
    li t0, ES_CTRL_CLEAR
    sw t0, ES_REG_CTRL(s1)
    call flush_start
stopped_sleep:
    .word 0x10500073 /* wfi: this hit, the next one, or mail wakes */
stopped:
    lw t0, HIT_CELL
    beqz t0, 1f
    sw zero, HIT_POP
    j stopped
1:  call background
    bnez s10, stopped
    j stopped_sleep
