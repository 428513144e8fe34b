/* Switching between threads, and where all cores but core 0 begin. */
#include "kernel.h"
#include "probe_defs.h"

  .cfi_sections .debug_frame
  .text

/* thread_switch(from, to): sp is the first member of a thread. */
  .globl thread_switch
  .type thread_switch, @function
thread_switch:
  .cfi_startproc
  addi sp, sp, -SWITCH_FRAME
  .cfi_adjust_cfa_offset SWITCH_FRAME
  sw ra, 0(sp)
  sw s0, 4(sp)
  sw s1, 8(sp)
  sw s2, 12(sp)
  sw s3, 16(sp)
  sw s4, 20(sp)
  sw s5, 24(sp)
  sw s6, 28(sp)
  sw s7, 32(sp)
  sw s8, 36(sp)
  sw s9, 40(sp)
  sw s10, 44(sp)
  sw s11, 48(sp)
  sw sp, 0(a0)
  lw sp, 0(a1)
  lw ra, 0(sp)
  lw s0, 4(sp)
  lw s1, 8(sp)
  lw s2, 12(sp)
  lw s3, 16(sp)
  lw s4, 20(sp)
  lw s5, 24(sp)
  lw s6, 28(sp)
  lw s7, 32(sp)
  lw s8, 36(sp)
  lw s9, 40(sp)
  lw s10, 44(sp)
  lw s11, 48(sp)
  addi sp, sp, SWITCH_FRAME
  .cfi_adjust_cfa_offset -SWITCH_FRAME
  ret
  .cfi_endproc
  .size thread_switch, . - thread_switch

/* Each sleeps until its bell rings, and goes on as a scheduler on a stack of its own. */
  .section .text.start_others, "ax", @progbits
  .globl core_start
  .type core_start, @function
core_start:
  .cfi_startproc
  .cfi_undefined ra
  wfi
  li t0, ES_TARGET_SHARED_BASE
  lw t1, ES_TARGET_SHARED_BELL(t0)
  beqz t1, core_start
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la tp, __tls_base
  lbu t1, ES_TARGET_SHARED_SELF(t0)
  li t2, CORE_STACK
  addi t1, t1, 1
  mul t1, t1, t2
  la sp, core_stacks
  add sp, sp, t1
  j core_begin
  .cfi_endproc
  .size core_start, . - core_start
