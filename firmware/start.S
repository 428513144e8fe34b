/* Reset: global pointer, stack, cleared .bss, then the monitor. The soft core starts at ES_MEM_BASE. */
    .section .text.start, "ax"
    .globl _start
    .type _start, @function
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, __stack_top
    la a0, __bss_start
    la a1, __bss_end
1:  bgeu a0, a1, 2f
    sw zero, 0(a0)
    addi a0, a0, 4
    j 1b
2:  call monitor
3:  .word 0x10500073 /* wfi: monitor never returns */
    j 3b
    .size _start, . - _start
