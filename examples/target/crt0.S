/* Start-up code of the reference target: registers, .bss, constructors, main, exit code. */

  .cfi_sections .debug_frame
  .section .text.start, "ax", @progbits

  .globl _start
  .type _start, @function
_start:
  .cfi_startproc
  .cfi_undefined ra
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la sp, __stack_top
  la tp, __tls_base
  la s0, __bss_start
  la s1, __bss_end
.Lclear:
  bgeu s0, s1, .Lcleared
  sw zero, 0(s0)
  addi s0, s0, 4
  j .Lclear
.Lcleared:
  la s0, __init_array_start
  la s1, __init_array_end
.Lconstruct:
  bgeu s0, s1, .Lconstructed
  lw t0, 0(s0)
  addi s0, s0, 4
  jalr t0
  j .Lconstruct
.Lconstructed:
  li a0, 0
  li a1, 0
  /* As calls they would become compressed ones, whose 2 KiB may end before what lies from 0x800 on (link.ld). And half of
     one with the zeros after it must not look like the address of a procedure. */
  .balign 4
  .option push
  .option norvc
  jal main
  jal _exit
  .option pop
  .cfi_endproc
  .size _start, . - _start
