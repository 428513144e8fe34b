/* From a hit to its work and back: the part of the monitor process in which each clock counts. What is rare is in C.
 *
 * Registers: interface/image.h. They are the same in C (firmware.h), so nothing is saved or loaded in between. All that
 * is reached from a cell comes back to `pop` with ra = pop, s11 and s3 free to use. */
#include "path.inc"

#define HIT_TIME ES_REG_HIT_TIME(s1)
#define HIT_FLAGS ES_REG_HIT_FLAGS(s1)
#define HIT_ADDR ES_REG_HIT_ADDR(s1)
#define HIT_OLD ES_REG_HIT_OLD(s1)
#define HIT_PC ES_REG_HIT_PC(s1)
#define HIT_POP ES_REG_HIT_POP(s1)
#define HIT_CELL ES_REG_HIT_CELL(s1)
#define HIT_NEXT ES_REG_HIT_NEXT(s1)
.macro routine name
    .globl \name
    .type \name, @function
\name:
.endm

    .section .text.start, "ax"
    .option norelax /* the linker would replace base registers of what it can reach from address 0 */
    .globl _start
    .type _start, @function
_start:
    j reset
routines: /* at ES_MI_ROUTINES_AT */
#define ROUTINE(name) .word name ;
    ES_MI_ROUTINES(ROUTINE)
#define PLACE(name, where) .word where ;
    ES_MI_PLACES(PLACE)

/* --- main loop ------------------------------------------------------------------------------------------------ */

sleep:
    .word 0x10500073 /* wfi: a hit or mail wakes */
    lw t0, HIT_NEXT
    bgtz t0, go
    bltz t0, unusual_hit
    j background_work
routine pop
    sw zero, HIT_POP
loop:
    lw t0, HIT_NEXT /* a tracker deals with hits first, but for those while start-up code runs */
    blez t0, none
go:
    lhu t0, 0(t0)
    jr t0
none:
    beq t0, s10, sleep
    bltz t0, unusual_hit
background_work:
    call background
    li ra, %lo(pop)
    j loop
unusual_hit: /* a mark, or a fetch that follows neither call nor return */
    mv a0, t0
    call unusual
    j go_on

/* The same while start-up code runs, whose writes are no events (restart.c). */
hushed_pop:
    sw zero, HIT_POP
    .globl hushed_loop
hushed_loop:
    lw a0, HIT_CELL
    beqz a0, hushed_none
    lw t1, HIT_FLAGS
    andi t1, t1, ES_HIT_KIND_MASK
    addi t1, t1, -ES_KIND_WRITE
    beqz t1, hushed_pop
    call hushed_hit
    lw t0, %lo(hushed)(zero)
    addi t1, t0, -1
    beqz t1, hushed_pop /* it goes on so, and no more */
    li ra, %lo(pop)
    srli t0, t0, 16
    bnez t0, 2f
    jr ra
go_on:
    lw t0, %lo(hushed)(zero)
    li ra, %lo(pop)
    bnez t0, 1f
    jr ra
1:  srli t0, t0, 16
    beqz t0, hushed_pop
2:  jalr ra, t0 /* header.tells_at */
    lbu t0, %lo(hushed)(zero)
    li ra, %lo(pop)
    bnez t0, hushed_pop
    jr ra
hushed_none:
    bnez s10, 1f
    .word 0x10500073 /* wfi */
    lw t0, HIT_CELL
    bnez t0, hushed_loop
1:  call background
    j hushed_loop

/* --- calls and returns ------------------------------------------------------------------------------------------ */

.macro push_site
    beq s2, s7, called_beyond
    lw a1, HIT_PC
    sw a1, 0(s2)
.endm

routine called
    push_site
    sw a0, 4(s2) /* caller's node: 0 */
    addi s2, s2, ENTRY
    jr ra

routine called_outside
    push_site
    sh a0, 4(s2)
    sh s8, 6(s2)
    lhu s8, ES_MI_NODE_OTHER(s8)
    addi s2, s2, ENTRY
    jr ra

/* s8 becomes the node for the column in a2. */
.macro move_to_node
    lhu a3, ES_MI_NODE_ROW(s8)
    add a3, a3, a2
    lhu a4, ES_MI_MOVE_FROM(a3)
    bne a4, s8, 8f
    lhu s8, ES_MI_MOVE_TO(a3)
    j 9f
8:  lhu s8, ES_MI_NODE_OTHER(s8)
9:
.endm

routine called_in_tree
    push_site
    lhu a2, ES_MI_PROCEDURE_COLUMN(a0)
    sh a0, 4(s2)
    sh s8, 6(s2)
    addi s2, s2, ENTRY
    lhu a3, ES_MI_NODE_ROW(s8)
    add a3, a3, a2
    lhu a4, ES_MI_MOVE_FROM(a3)
    bne a4, s8, 1f
    lhu s8, ES_MI_MOVE_TO(a3)
    jr ra
1:  lhu s8, ES_MI_NODE_OTHER(s8)
    jr ra

routine called_by_site
    lhu a3, ES_MI_PROCEDURE_COLUMN(a0)
    lw a1, HIT_PC
1:  lw a4, -ES_MI_COLUMN_BY_SITE(a3)
    addi a3, a3, ES_MI_SITE_SIZE
    beq a4, a1, 2f
    bnez a4, 1b
2:  lhu a2, ES_MI_SITE_COLUMN - ES_MI_SITE_SIZE - ES_MI_COLUMN_BY_SITE(a3)
    j called_with_column

routine called_to_do
    lhu a2, ES_MI_PROCEDURE_COLUMN(a0)
called_with_column:
    beq s2, s7, called_beyond
    lw a1, HIT_PC
    lhu a5, ES_MI_PROCEDURE_LEAVE(a0)
    sh a0, 4(s2)
    sh s8, 6(s2)
    beqz a5, 1f
    ori a1, a1, ES_SITE_TO_DO
1:  addi s2, s2, ENTRY
    beqz s8, 2f
    move_to_node
    lhu t1, ES_MI_PROCEDURE_FRAME(a0)
    beqz t1, 2f
    lw a3, ES_MI_NODE_CFA(s8)
    beqz a3, 2f
    ori a1, a1, ES_SITE_TO_DO
    sw a1, -ENTRY(s2)
    lhu t1, 0(t1)
    mv a1, a3
    jalr t0, t1
    j run_enter_list
2:  sw a1, -ENTRY(s2)
run_enter_list:
    lhu t0, ES_MI_PROCEDURE_ENTER(a0)
    beqz t0, 1f
    lw a0, HIT_ADDR
    sw a0, %lo(control_pc)(zero)
    jalr ra, t0
    sw zero, %lo(control_pc)(zero)
    li ra, %lo(pop)
1:  jr ra

called_beyond: /* the shadow stack is full */
routine called_framed
    call called_in_c
    li ra, %lo(pop)
    jr ra

.macro return_to further
    lw a2, HIT_ADDR
    lw a1, -ENTRY(s2) /* below the first entry stands one that nothing matches */
    sub a2, a2, s9
    bne a1, a2, \further
    addi s2, s2, -ENTRY
.endm

routine returned
    return_to returned_further
    bgeu s2, s4, 1f
    mv s4, s2
1:  jr ra

routine returned_in_tree
    return_to returned_further
    lhu s8, 6(s2)
    bgeu s2, s4, 1f
    mv s4, s2
1:  jr ra

returned_further:
    call returned_in_c
    li ra, %lo(pop)
    jr ra

routine returned_and_told
    return_to 2f
    lhu s8, 6(s2)
    bgeu s2, s4, 1f
    mv s4, s2
1:  jr ra
2:  call returned_in_c
    j go_on

routine special
    call special_fetch
    j go_on

/* --- writes in parts ---------------------------------------------------------------------------------------------- */

/* In: t3 lanes of a word, as HIT_FLAGS has them; t2 its pending byte. Out: t1 not 0 when they have all been written with
 * this write. Goes on at t0, keeps a0 to a7, s3. */
routine part
    lw t1, HIT_FLAGS
    lbu t4, 0(t2)
    and t1, t1, t3
    beqz t1, 2f /* another variable's bytes */
    or t1, t1, t4
    bne t1, t3, 1f
    sb zero, 0(t2)
2:  jr t0
1:  sb t1, 0(t2)
    li t1, 0
    jr t0

/* t1: a word of pending bytes, not 0; t2 its address. Counts them as given up and clears them. Goes on at t3. */
routine abandon
    sw zero, 0(t2)
    lw t4, %lo(incomplete_at)(zero)
    lw t5, 0(t4)
1:  slli t6, t1, 24
    beqz t6, 2f
    addi t5, t5, 1
2:  srli t1, t1, 8
    bnez t1, 1b
    sw t5, 0(t4)
    jr t3

/* --- hits --------------------------------------------------------------------------------------------------------- */

/* t1: what REG_EV_HIT takes. Sends what has to go before the frame and goes on at t0; when there is no room the hit is
 * dropped, and it goes on at ra. Keeps a0, t1. */
routine ready
    bltz s6, ready_in_c /* something else is owed, or its certainty is asked */
    lui t2, %hi(ES_IMAGE_BASE + HEADER_TASKS_AT)
    lhu t2, %lo(ES_IMAGE_BASE + HEADER_TASKS_AT)(t2)
    bnez t2, ready_in_c
    bne s2, s4, 1f
    beq s2, s5, ready_in_c
1:  lw t2, ES_REG_EV_ROOM(s1)
    sub t3, s2, s4
    srli t3, t3, 3
    srli t4, t1, 16
    add t3, t3, t4
    addi t3, t3, 4 /* two frames' heads */
    bgeu t3, t2, ready_in_c
    send_changed "jr t0"
ready_in_c:
    addi sp, sp, -16
    sw ra, 0(sp)
    sw t0, 4(sp)
    sw a0, 8(sp)
    sw t1, 12(sp)
    bltz s6, 2f
3:  srli a0, t1, 16
    call make_ready
    mv t2, a0
    lw ra, 0(sp)
    lw t0, 4(sp)
    lw a0, 8(sp)
    lw t1, 12(sp)
    addi sp, sp, 16
    beqz t2, 1f
    jr t0
1:  jr ra
2:  lhu a0, 12(sp) /* what of it is certain has to be asked */
    call doubt_hit
    lw t1, 12(sp)
    j 3b

/* An evaluation has met unknown memory: counts it and forgets what else was met, the next one starts afresh. */
routine unknown
    lw t1, ES_REG_UNKNOWN(s1)
    lw t1, %lo(unknown_at)(zero)
    lw t2, 0(t1)
    addi t2, t2, 1
    sw t2, 0(t1)
    jr ra

/* t1: what REG_EV_HIT takes. The head of a HIT frame of a statement with control events: these have a position of their
 * own. Goes on at t0. */
routine head
    lw t2, %lo(control_pc)(zero)
    bnez t2, 1f
    sw t1, ES_REG_EV_HIT(s1)
    jr t0
1:  srli t3, t1, 16
    slli t3, t3, 8
    ori t3, t3, ES_FRAME_HIT
    sw t3, ES_REG_EV_HEAD(s1)
    lw t3, HIT_TIME
    sw t3, EV_DATA
    lw t3, ES_REG_TIME_HIGH(s1)
    sw t3, EV_DATA
    lw t3, ES_REG_EV_FLAGS(s1)
    slli t1, t1, 16
    srli t1, t1, 16
    slli t3, t3, 16
    or t3, t3, t1
    sw t3, EV_DATA
    sw t2, EV_DATA
    jr t0

/* The end of a frame's code in an image with slots, which may lie over its words: a1 CFA, a2, a3 offsets of its words. Goes on
 * at t0, keeps a0. a4 as interface/routines.h says. */
routine frame_changed
    addi sp, sp, -16
    sw ra, 0(sp)
    sw t0, 4(sp)
    sw a0, 8(sp)
    add a0, a1, a2
    add a1, a1, a3
    mv a2, a4
    call frame_changed_in_c
    lw ra, 0(sp)
    lw t0, 4(sp)
    lw a0, 8(sp)
    addi sp, sp, 16
    jr t0

/* The current-task pointer was written, with what is in a0: the last that its word's code runs. Keeps s3, s11. */
routine task_written
    addi sp, sp, -16
    sw ra, 0(sp)
    call task_written_in_c
    lw ra, 0(sp)
    addi sp, sp, 16
    jr ra

/* --- reset: the soft core starts at ES_MEM_BASE ------------------------------------------------------------------------ */

reset:
    la gp, __global_pointer$
    la sp, __stack_top
    la a0, __bss_start
    la a1, __bss_end
1:  bgeu a0, a1, 2f
    sw zero, 0(a0)
    addi a0, a0, 4
    j 1b
2:  li s1, ES_REG_BASE
    call start
    lbu t0, %lo(hushed)(zero)
    li ra, %lo(pop)
    bnez t0, hushed_loop
    j loop
    .size _start, . - _start
