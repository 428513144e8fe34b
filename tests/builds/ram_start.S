/* Start-up code of a program whose data, and some of its code, lies in ROM and is copied to RAM. */
  .section .text.start, "ax", @progbits
  .globl _start
  .type _start, @function
_start:
  la sp, __stack_top
  la s0, __copy_start
  la s1, __copy_end
  la s2, __copy_from
1:
  bgeu s0, s1, 2f
  lw t0, 0(s2)
  sw t0, 0(s0)
  addi s0, s0, 4
  addi s2, s2, 4
  j 1b
2:
  la s0, __bss_start
  la s1, __bss_end
3:
  bgeu s0, s1, 4f
  sw zero, 0(s0)
  addi s0, s0, 4
  j 3b
4:
  call main
5:
  j 5b
  .size _start, . - _start
