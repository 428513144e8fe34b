/* How the path goes out, for assembly: a hit that needs nothing else sent first pays for no call of it. */
#ifndef ES_FIRMWARE_PATH_H
#define ES_FIRMWARE_PATH_H

#include "offsets.h"
#include "probe_defs.S.h"
#include "routines.h"

#define EV_DATA ES_REG_EV_DATA(s1)
#define ENTRY 8 /* bytes of a struct activation: site, procedure, node of the caller */

/* Sends what changed of the path, in as many frames as it takes. Keeps a0, t0, t1. The caller has made sure of the room.
 * Then `done`. */
.macro send_changed done
1:  sub t4, s2, s4
    srli t5, t4, 3
    li t6, ES_FRAME_MAX_WORDS - 2
    bltu t6, t5, 7f
2:  slli t2, t5, 8 /* its words are two more: what it keeps and how many follow */
    addi t2, t2, 1 << 8 | ES_FRAME_PATH
    sw t2, ES_REG_EV_HEAD(s1)
    lui t2, %hi(stack_and_end + ENTRY)
    addi t2, t2, %lo(stack_and_end + ENTRY)
    sub t2, s4, t2
    srli t2, t2, 3
    slli t3, t5, 16
    or t2, t2, t3
    sw t2, EV_DATA
    add t4, s4, t4
    beq s4, t4, 6f
3:  lw t2, 0(s4)
    andi t3, t2, ES_SITE_TO_DO
    bnez t3, 5f
4:  sw t2, EV_DATA
    addi s4, s4, ENTRY
    bne s4, t4, 3b
6:  sw zero, ES_REG_EV_END(s1)
    bne s4, s2, 1b
    mv s5, s2
    \done
5:  lhu t3, 4(s4)
    andi t3, t3, ES_MI_AWAITS_NONE
    bnez t3, 9f
    addi t2, t2, -ES_SITE_TO_DO
    j 4b
7:  li t5, ES_FRAME_MAX_WORDS - 2
    li t4, (ES_FRAME_MAX_WORDS - 2) * ENTRY
    j 2b
9:  li t3, SITE_ROOT_JUMP_SIGNED
    bltu t2, t3, 4b /* an interrupt's, which is told as it is */
    li t3, SITE_TASK_SIGNED
    beq t2, t3, 1f
    lui t2, %hi(es + STATE_ROOT_JUMP)
    lw t2, %lo(es + STATE_ROOT_JUMP)(t2)
    j 4b
1:  li t2, ES_SITE_TASK
    j 4b
.endm

#endif
