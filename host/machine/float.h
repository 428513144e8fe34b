/* Arithmetic of floating point as RISC-V has it, on numbers that are all known. */
#ifndef ES_MACHINE_FLOAT_H
#define ES_MACHINE_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

/* Of fflags. */
enum { FLOAT_INEXACT = 1, FLOAT_UNDERFLOW = 2, FLOAT_OVERFLOW = 4, FLOAT_BY_ZERO = 8, FLOAT_INVALID = 16 };

#define FLOAT_NAN UINT64_C(0x7FC00000)
#define DOUBLE_NAN UINT64_C(0x7FF8000000000000)

/* The result of an operation (enum es_rv32_op, ES_OP_FLOATS): bits of a single or double, or an integer. operands: in
 * the same way. rm: 0 to 4. False: how this processor would round it cannot be told here. */
__attribute__((visibility("hidden"))) bool
es_machine_float(unsigned op, bool wide, unsigned rm, const uint64_t operands[3], uint64_t *result, unsigned *flags);

#endif
