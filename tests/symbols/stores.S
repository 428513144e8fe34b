/* Code whose stores or ways a compiler would not make. */
  .text
  .macro procedure name
  .globl \name
  .type \name, @function
\name:
  .endm
  .macro ends name
  .size \name, . - \name
  .endm

procedure keeps_ra
  la t0, asm_place
  mv t1, ra
  sw t1, 0(t0)
  ret
  ends keeps_ra
procedure keeps_sp
  la t0, asm_place
  sw sp, 4(t0)
  sb zero, 9(t0)
  ret
  ends keeps_sp
procedure above
  sw a0, 4(sp)
  ret
  ends above
procedure below
  sw a0, -4(sp)
  ret
  ends below
procedure entered
  nop
inside:
  addi sp, sp, -16
  sw ra, 12(sp)
  lw ra, 12(sp)
  addi sp, sp, 16
  ret
  ends entered
procedure jumps_in
  j inside
  ends jumps_in
procedure moves_sp
  lw sp, 0(a0)
  ret
  ends moves_sp
procedure traps
  ecall
  ret
  ends traps
procedure other_link
  jr t0
  ends other_link
procedure unbalanced
  addi sp, sp, -16
  ret
  ends unbalanced
procedure two_depths
  beqz a0, 1f
  addi sp, sp, -16
1:
  sw a0, 0(sp)
  ret
  ends two_depths
procedure computed
  jr a0
  ends computed
procedure falls
  sw zero, 0(zero)
  ends falls
procedure twice_set
  addi sp, sp, -32
  la t0, asm_place
  beqz a0, 1f
  addi t0, t0, 4
1:
  sw zero, 0(t0)
  addi t2, sp, 24
  sw zero, 4(t2)
  sh zero, -24(t2)
  sw zero, 8(t2)
  addi sp, sp, 32
  ret
  ends twice_set
procedure atomic
  .word 0x0055202F /* amoadd.w zero, t0, (a0) */
  ret
  ends atomic

  .data
  .globl asm_place
  .align 2
asm_place:
  .word 0, 0, 0
