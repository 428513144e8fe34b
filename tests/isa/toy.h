/* An instruction set that nobody has: to see that what is said to work for any does not know RISC-V. Sixteen registers,
 * none of which is always 0; return addresses in r9, the stack pointer is r14, the frame pointer r13; arguments in r4
 * to r6; callees keep r10, r11 and r13. Each instruction has four bytes: what it does, then three operands. */
#ifndef TESTS_ISA_TOY_H
#define TESTS_ISA_TOY_H

#include "isa/isa.h"

extern const es_isa toy;

enum toy_op {
    TOY_SET = 0xA0, /* a = bc */
    TOY_ADD,        /* a = b + c, signed */
    TOY_SUM,        /* a = b + register c */
    TOY_LOAD,       /* a = word at b + c */
    TOY_STORE,      /* register a to b + c */
    TOY_CALL,       /* to bc words from here */
    TOY_GO,         /* to bc words from here */
    TOY_GO_TO,      /* to where register a says */
    TOY_RETURN,
    TOY_LESS, /* when register a is less than register b: to c words from here */
    TOY_RESUME,
};

#endif
