/* Arithmetic that the soft core has no instructions for: + - * / of floats and doubles, * / % of 64 bits, conversions.
 * Exact as IEEE 754 (round to nearest even) and C say; a NaN is any NaN. Free of branches on values, so that it takes
 * the same time whatever they are, and worst-case analysis meets one way only. Includes nothing of the firmware, and
 * calls nothing of it: an image has of it what its statements need (interface/routines.h), and tests compile it for the
 * host too. */
#ifndef ES_LIBRARY_ARITHMETIC_H
#define ES_LIBRARY_ARITHMETIC_H

#include <stdint.h>

enum { ARITHMETIC_ADD, ARITHMETIC_SUBTRACT, ARITHMETIC_MULTIPLY, ARITHMETIC_DIVIDE };

/* wide.c: * / of 64 bits; the divisor is not 0 */
uint64_t arithmetic_multiply(uint64_t left, uint64_t right);
uint64_t arithmetic_divide(uint64_t left, uint64_t right, uint32_t is_signed, uint32_t want_remainder);

/* floats.c: a float as a double, a double as the nearest float */
uint64_t arithmetic_widen(uint32_t bits);
uint32_t arithmetic_narrow(uint64_t bits);

/* doubles.c */
uint64_t arithmetic_double(uint64_t left, uint64_t right, uint32_t operation);
uint32_t arithmetic_float(uint32_t left, uint32_t right, uint32_t operation);

/* What statements' code calls through `compute` (compute.S). The right operand of wide_arithmetic and number_arithmetic
 * stands in right_operand; both take ARITHMETIC_* and bit 2: signed, or of doubles instead of floats. For
 * wide_arithmetic, 0 is the remainder. */
extern uint64_t right_operand;
uint64_t wide_arithmetic(uint64_t value, uint32_t what);
uint64_t number_arithmetic(uint64_t value, uint32_t what);
uint64_t number_of_integer(uint64_t value, uint32_t what); /* bit 0 a double, else a float; bit 1 the value is signed */
uint64_t integer_of_double(uint64_t value, uint32_t what); /* 32 or 64 bits; bit 8 signed; saturates as RISC-V does */
uint64_t double_of_float(uint64_t value, uint32_t unused);
uint64_t float_of_double(uint64_t value, uint32_t unused);

#endif
