/* Routines of actions that statements' code calls. They are given and give back t1, t2 and t6, go on at t0, and keep what else
 * interface/image.h leaves to that code, unless they say so. */
#include "probe_defs.S.h"

#define HIT_TIME ES_REG_HIT_TIME(s1)
#define TIME_HIGH ES_REG_TIME_HIGH(s1)
#define HIT_CELL ES_REG_HIT_CELL(s1)
#define HIT_POP ES_REG_HIT_POP(s1)
#define UNKNOWN ES_REG_UNKNOWN(s1)
#define EV_DATA ES_REG_EV_DATA(s1)

.macro routine name
    .globl \name
    .type \name, @function
\name:
.endm

    .section .text
    .option norelax

/* --- switches: words state, time low, time high (host/image/plan/plan.h). An action at an event counts from the next event on,
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

/* --- expectations: what the host judges by that gets no frame, or whose frames are lost --- */

/* t1: es_mi_expected, t3, t4: time of the hit, t5: HITF_* with which it is uncertain. Uses t2. Not REG_EV_FLAGS, which are
 * those of the hit that was reported last. */
routine expected
    lui t2, %hi(es)
    lw t2, %lo(es)(t2)
    and t2, t2, t5
    bnez t2, 1f
    lw t2, 4(t1)
    bltz t2, 2f
    lui t2, 0x80000
    or t4, t4, t2
    sw t3, 0(t1)
    sw t4, 4(t1)
2:  jr t0
1:  lw t2, 8(t1)
    addi t2, t2, 1
    sw t2, 8(t1)
    jr t0

/* --- stop: planes are disarmed, hits that are on their way are dropped, and the closing figures are sent unasked. Mail is
 * still answered. Never comes back. --- */
routine stop
    la sp, __stack_top
    li t0, ES_CTRL_CLEAR
    sw t0, ES_REG_CTRL(s1)
    call flush_stopped
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

/* --- snapshots --- */

/* t1: phantom address, t2: how many words from there on, 1 to 32. Appends them to the frame, and a word whose bits say which of them are
 * not known. Uses t3 to t6. t1 goes on after them. */
routine snapshot
    lw t3, UNKNOWN
    li t3, 0
    li t4, 1
1:  lw t5, 0(t1)
    sw t5, EV_DATA
    lw t6, UNKNOWN
    addi t1, t1, 4
    sub t6, zero, t6
    and t6, t6, t4
    or t3, t3, t6
    add t4, t4, t4
    addi t2, t2, -1
    bnez t2, 1b
    sw t3, EV_DATA
    jr t0

/* The same of words that lie nowhere. */
routine snapshot_of_nothing
    li t3, -1
1:  sw zero, EV_DATA
    addi t2, t2, -1
    bnez t2, 1b
    sw t3, EV_DATA
    jr t0
