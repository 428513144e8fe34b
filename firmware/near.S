/* What is reached without a base register, as it lies below 2 KiB: words that the image's code, dispatch.S and C share; and small
 * routines that C calls. */
#include "routines.h"

.macro routine name
    .globl \name
    .type \name, @function
\name:
.endm

    .section .text.near, "ax"
    .option norelax

/* C: uint32_t task_depth(const struct es_mi_flow *): activations that are kept of it. host/check looks at each number by itself. */
routine task_depth
    lhu a0, ES_MI_FLOW_DEPTH(a0)
    ret

/* C: void run_frame(uint32_t code, uint32_t cfa) */
routine run_frame
    jalr t0, a0
    ret

/* C: void run_cell(uint32_t code): from the depths of `unusual`, which has done its part */
routine run_cell
    la sp, __stack_top
    lw ra, ES_MI_ROUTINES_AT(zero) /* pop, the first of the routines */
    jr a0

/* --- words --------------------------------------------------------------------------------------------------------- */

    .globl control_pc, incomplete_at, unknown_at, gathering, going_on, hushed, tells_at, start_mode
control_pc:    /* position of hits at a control event; 0: where the hit says */
    .word 0
incomplete_at: /* header.incomplete_at */
    .word 0
unknown_at:    /* header.unknown_at */
    .word 0
gathering:     /* interface/routines.h */
    .word 0
going_on:
    .word 0
hushed:        /* start-up code runs, and its writes are no events; dispatch.S looks at this word as a whole */
    .byte 0, 0
tells_at:      /* header.tells_at */
    .half 0
start_mode:    /* interface/routines.h */
    .word 0
