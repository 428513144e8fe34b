/* Assembler as people write it: no types, no sizes, local labels, an alias, a handler that only mtvec knows. */
  .text
  .globl asm_leaf, asm_alias
asm_leaf:
asm_alias:
  la t0, handler
  csrw mtvec, t0
again:
  beqz zero, done
  j again
done:
  ret
handler:
  addi sp, sp, -16
  sw ra, 12(sp)
  call asm_alias
  lw ra, 12(sp)
  addi sp, sp, 16
  mret
jumper:
  la t1, asm_leaf
  jr t1

  .section .rodata
  .align 2
  .word jumper

  .data
  .globl asm_word
  .align 2
asm_word:
  .word 0x12345678
