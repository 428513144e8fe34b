/* Objects, pointers to them, and statements that follow these. */
#ifndef TESTS_FIRMWARE_POINTERS_H
#define TESTS_FIRMWARE_POINTERS_H

#include "harness.h"

#define P 0x20100u /* pointers to objects */
#define Q 0x20104u
#define A 0x21000u /* objects */
#define B 0x21040u
#define VALUE 8 /* offset of their int */
#define NEXT 12 /* ... of a pointer to another */
#define CFA_CALLEE_OF_MAIN (TARGET_STACK_TOP - 32)

extern const es_type pointer_to_object, pointer_to_char, pointer_to_short;

/* `p->value > 5 { print p->value }`, p being the variable there */
void statement_value(uint32_t variable);

/* The bits of a word in the plane of data. */
unsigned plane(uint32_t address);

#endif
