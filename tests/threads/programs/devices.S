/* What cores do to each other in the same clock, and what bells and locks are. All cores but core 0 begin in the same clock and execute the
 * same, so with a port for each their accesses meet. PART 1 to 3: how a run ends; 4: main looks at what memory has become. */
#include "probe_defs.h"

  .data
  .balign 4
same: .byte 99                 /* all write their number */
  .balign 4
lanes: .byte 99, 99, 99, 99    /* each its own byte */
got: .word 99, 99, 99, 99      /* what each read from lock 3 */
bells: .word 99, 99            /* own bell, read twice after it was rung twice */

  .section .text.start_others, "ax", @progbits
  li t0, ES_TARGET_SHARED_BASE
  lbu t1, ES_TARGET_SHARED_SELF(t0)
  lla t2, same
  sb t1, 0(t2)
  lla t2, lanes
  add t2, t2, t1
  sb t1, 0(t2)
  lw t3, (ES_TARGET_SHARED_LOCK + 4 * 3)(t0)
  lla t2, got
  slli t4, t1, 2
  add t2, t2, t4
  sw t3, 0(t2)
#if PART == 1
  sb t1, ES_TARGET_SHARED_LOCK(t0)  /* less than a word: nobody answers */
#endif
#if PART == 2
  li t4, 2
  bne t1, t4, 1f
  .word 0                           /* core 2 meets an exception */
#endif
#if PART == 3
  li t5, ES_TARGET_IO_BASE
  addi t1, t1, 40
  sw t1, ES_TARGET_IO_EXIT(t5)      /* all end the run in the same clock */
#endif
  li t4, 1
  sw t4, ES_TARGET_SHARED_BELL(t0)  /* core 0's */
1:
  wfi
  j 1b

  .text
  .globl main
  .type main, @function
main:
  li t0, ES_TARGET_SHARED_BASE
2:
  wfi                               /* until the others ring */
  lw t1, ES_TARGET_SHARED_BELL(t0)
  beqz t1, 2b
  li t2, 200
3:
  addi t2, t2, -1                   /* until all of them have */
  bnez t2, 3b
  lw t1, ES_TARGET_SHARED_BELL(t0)
  li t1, 1
  sw t1, ES_TARGET_SHARED_BELL(t0)  /* its own, twice */
  sw t1, ES_TARGET_SHARED_BELL(t0)
  lla t2, bells
  wfi
  lw t1, ES_TARGET_SHARED_BELL(t0)
  sw t1, 0(t2)
  lw t1, ES_TARGET_SHARED_BELL(t0)
  sw t1, 4(t2)
#if PART == 4
  li a0, 1
  lbu t1, same
  li t2, 3
  bne t1, t2, 4f                    /* the highest core's stays */
  li a0, 2
  lw t1, lanes
  li t2, 0x03020163
  bne t1, t2, 4f                    /* each core's byte stays */
  li a0, 3
  lla t2, got
  lw t1, 4(t2)
  bnez t1, 4f                       /* core 1 got the lock */
  li a0, 4
  lw t1, 8(t2)
  lw t3, 12(t2)
  add t1, t1, t3
  li t3, 2
  bne t1, t3, 4f                    /* the others did not */
  li a0, 5
  lla t2, bells
  lw t1, 0(t2)
  lw t3, 4(t2)
  slli t1, t1, 1
  add t1, t1, t3
  li t3, 2
  bne t1, t3, 4f
  li a0, 6
  sw zero, (ES_TARGET_SHARED_LOCK + 4 * 3)(t0)
  lw t1, (ES_TARGET_SHARED_LOCK + 4 * 3)(t0)
  bnez t1, 4f                       /* it was released */
  li a0, 8
  lw t1, (ES_TARGET_SHARED_LOCK + 4 * 3)(t0)
  beqz t1, 4f
  li a0, 9
  lw t1, (ES_TARGET_SHARED_LOCK + 4 * 31)(t0)
  bnez t1, 4f                       /* another one */
  li a0, 0
4:
  ret
#else
  li a0, 7
  ret
#endif
  .size main, . - main
