/* The timer that wakes one core of those that listen (docs/target.md, "Shared memory"), on 4 cores. Ends with the number of the check that
 * failed, or 0. */
#include "probe_defs.h"

  .data
  .balign 4
woken: .word 0, 0, 0, 0        /* when each core was, last */

  .macro after clocks          /* has passed since t6 */
  addi t2, t6, \clocks
9:
  lw t1, ES_TARGET_IO_CYCLE(t5)
  blt t1, t2, 9b
  .endm

  .macro listening mask
  lw t1, ES_TARGET_SHARED_LISTEN(t0)
  li t2, \mask
  bne t1, t2, 8f
  .endm

  .section .text.start_others, "ax", @progbits
  li t0, ES_TARGET_SHARED_BASE
  li t5, ES_TARGET_IO_BASE
1:
  wfi
  lw t1, ES_TARGET_SHARED_BELL(t0)
  beqz t1, 1b
  lw t4, ES_TARGET_IO_CYCLE(t5)
  lbu t1, ES_TARGET_SHARED_SELF(t0)
  lla t2, woken
  slli t1, t1, 2
  add t2, t2, t1
  sw t4, 0(t2)
  j 1b

  .text
  .globl main
  .type main, @function
main:
  li t0, ES_TARGET_SHARED_BASE
  li t5, ES_TARGET_IO_BASE
  lla t3, woken
  li a0, 1
  listening 0xE                     /* after reset all but core 0 */
  li a0, 2
  lw t6, ES_TARGET_IO_CYCLE(t5)
  addi t6, t6, 400
  sw t6, ES_TARGET_SHARED_WAKE_AT(t0)
  after -50
  lw t1, 4(t3)
  bnez t1, 8f                       /* not before */
  after 100
  listening 0xC
  li a0, 3
  lw t1, 4(t3)
  sub t1, t1, t6
  li t2, 20
  bgeu t1, t2, 8f                   /* core 1, then */
  lw t1, 8(t3)
  bnez t1, 8f                       /* and no other */
  li a0, 4
  sw t6, ES_TARGET_SHARED_WAKE_AT(t0)
  after 200
  listening 0x8                     /* one in the past: at once */
  lw t1, 8(t3)
  beqz t1, 8f
  li a0, 5
  addi t1, t6, 300
  sw t1, ES_TARGET_SHARED_WAKE_AT(t0)
  sw zero, ES_TARGET_SHARED_WAKE_NEVER(t0)
  after 400
  lw t1, 12(t3)
  bnez t1, 8f
  li a0, 6
  li t1, 8
  sw t1, ES_TARGET_SHARED_BELL(t0)
  listening 0                       /* who is rung by a core does not listen any more */
  li a0, 7
  addi t1, t6, 500
  sw t1, ES_TARGET_SHARED_WAKE_AT(t0)
  after 600
  lw t1, ES_TARGET_SHARED_BELL(t0)
  bnez t1, 8f                       /* nobody listens */
  sw zero, ES_TARGET_SHARED_LISTEN(t0)
  wfi                               /* it is due: whoever listens first */
  lw t1, ES_TARGET_SHARED_BELL(t0)
  beqz t1, 8f
  listening 0
  li a0, 0
8:
  ret
