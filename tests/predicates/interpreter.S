/* Predicates as direct-threaded code: each operation is the 16-bit address of its handler, its operands follow it. What a probe
 * would run instead of RV32 code made by the host; it is here to be measured beside that (docs/costs.md).
 * The top of the stack is in a0, comparisons take a constant or the two topmost values and go on or to another place at once:
 * as fast as bytecode on this core can be made.
 *
 * s0 next operation, s1 ES_REG_BASE, s2 where variables lie, s3 stack. Ends in `yes` or `no`.
 */
#include "probe_defs.S.h"

    .macro next
    lhu t0, 0(s0)
    addi s0, s0, 2
    jr t0
    .endm

    /* the top against a constant; the branch is the one that goes on */
    .macro with_constant name, go_on
\name:
    lh t1, 0(s0)
    lhu t2, 2(s0)
    addi s0, s0, 4
    \go_on a0, t1, 1f
    mv s0, t2
1:  next
    .endm

    /* the value below the top against the top */
    .macro with_top name, go_on
\name:
    lhu t2, 0(s0)
    addi s3, s3, -4
    lw t1, 0(s3)
    addi s0, s0, 2
    \go_on t1, a0, 1f
    mv s0, t2
1:  next
    .endm

    .macro binary name, insn
\name:
    addi s3, s3, -4
    lw t1, 0(s3)
    \insn a0, t1, a0
    next
    .endm

    .section .text
    .globl _start
_start: /* the operations' numbers are their places in this table: enum in threaded.h */
    .word no, yes, hit, first, load, constant
    .word plus, minus, conjunction, disjunction, exclusive
    .word eq_constant, ne_constant, lt_constant, ge_constant, gt_constant, le_constant
    .word eq_top, ne_top, lt_top, ge_top, gt_top, le_top
    .word begin

begin: /* a0: the code */
    mv s0, a0
    next
hit: /* the word that the event wrote, onto an empty stack */
    lw a0, ES_REG_HIT_NEW(s1)
    next
load: /* a variable onto what is there */
    sw a0, 0(s3)
    addi s3, s3, 4
first: /* a variable onto an empty stack */
    lhu t1, 0(s0)
    addi s0, s0, 2
    add t1, t1, s2
    lw a0, 0(t1)
    next
constant:
    sw a0, 0(s3)
    addi s3, s3, 4
    lh a0, 0(s0)
    addi s0, s0, 2
    next

    binary plus, add
    binary minus, sub
    binary conjunction, and
    binary disjunction, or
    binary exclusive, xor
    with_constant eq_constant, bne
    with_constant ne_constant, beq
    with_constant lt_constant, bge
    with_constant ge_constant, blt
    with_constant gt_constant, ble
    with_constant le_constant, bgt
    with_top eq_top, bne
    with_top ne_top, beq
    with_top lt_top, bge
    with_top ge_top, blt
    with_top gt_top, ble
    with_top le_top, bgt

yes:
    j yes
no:
    j no
