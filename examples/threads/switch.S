/* The kernel's lock, switching between threads, sleep, and where all cores but core 0 begin. */
#include "kernel.h"
#include "probe_defs.h"

#define THREADS_INTERRUPTED (THREADS_QUANTUM > 0 || THREADS_PREEMPTIVE) /* as in kernel.h; what is not defined is 0 */

  .cfi_sections .debug_frame
  .text

  .globl kernel_enter
  .type kernel_enter, @function
kernel_enter:
  .cfi_startproc
#if THREADS_INTERRUPTED
  csrci mstatus, MSTATUS_MIE
#endif
  li a5, ES_TARGET_SHARED_BASE
1:
  lw a4, ES_TARGET_SHARED_LOCK(a5)
  bnez a4, 1b
  ret
  .cfi_endproc
  .size kernel_enter, . - kernel_enter

  .globl kernel_leave
  .type kernel_leave, @function
kernel_leave:
  .cfi_startproc
  li a5, ES_TARGET_SHARED_BASE
  sw zero, ES_TARGET_SHARED_LOCK(a5)
#if THREADS_INTERRUPTED
  csrsi mstatus, MSTATUS_MIE
#endif
  ret
  .cfi_endproc
  .size kernel_leave, . - kernel_leave

#if THREADS_INTERRUPTED
  .globl kernel_release
  .type kernel_release, @function
kernel_release:
  .cfi_startproc
  li a5, ES_TARGET_SHARED_BASE
  sw zero, ES_TARGET_SHARED_LOCK(a5)
  ret
  .cfi_endproc
  .size kernel_release, . - kernel_release

  .balign 4
  .globl thread_trap
  .type thread_trap, @function
thread_trap:
  .cfi_startproc
  .cfi_signal_frame
  addi sp, sp, -TRAP_FRAME
  .cfi_adjust_cfa_offset TRAP_FRAME
  sw ra, 0(sp)
  sw t0, 4(sp)
  sw t1, 8(sp)
  sw t2, 12(sp)
  sw a0, 16(sp)
  sw a1, 20(sp)
  sw a2, 24(sp)
  sw a3, 28(sp)
  sw a4, 32(sp)
  sw a5, 36(sp)
  sw a6, 40(sp)
  sw a7, 44(sp)
  sw t3, 48(sp)
  sw t4, 52(sp)
  sw t5, 56(sp)
  sw t6, 60(sp)
  csrr t0, mepc
  sw t0, 64(sp)
  call thread_interrupted
  lw t0, 64(sp)
  csrw mepc, t0
  lw ra, 0(sp)
  lw t0, 4(sp)
  lw t1, 8(sp)
  lw t2, 12(sp)
  lw a0, 16(sp)
  lw a1, 20(sp)
  lw a2, 24(sp)
  lw a3, 28(sp)
  lw a4, 32(sp)
  lw a5, 36(sp)
  lw a6, 40(sp)
  lw a7, 44(sp)
  lw t3, 48(sp)
  lw t4, 52(sp)
  lw t5, 56(sp)
  lw t6, 60(sp)
  addi sp, sp, TRAP_FRAME
  .cfi_adjust_cfa_offset -TRAP_FRAME
  mret
  .cfi_endproc
  .size thread_trap, . - thread_trap
#endif

  .globl thread_idle
  .type thread_idle, @function
thread_idle:
  .cfi_startproc
  li a5, ES_TARGET_SHARED_BASE
1:
  wfi
  lw a4, ES_TARGET_SHARED_BELL(a5)
  beqz a4, 1b
  ret
  .cfi_endproc
  .size thread_idle, . - thread_idle

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
