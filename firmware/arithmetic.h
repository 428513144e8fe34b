/* Arithmetic that the soft core has no instructions for: + - * / of floats and doubles, * / % of 64 bits. Exact as IEEE 754 (round to nearest even) and
 * C say; a NaN is any NaN. Free of branches on values, so that it takes the same time whatever they are, and worst-case analysis meets one
 * way only. Includes nothing of the firmware: tests compile it for the host too. */
#ifndef ES_ARITHMETIC_H
#define ES_ARITHMETIC_H

#include <stdint.h>

enum { ARITHMETIC_ADD, ARITHMETIC_SUBTRACT, ARITHMETIC_MULTIPLY, ARITHMETIC_DIVIDE };

uint64_t arithmetic_double(uint64_t left, uint64_t right, uint32_t operation);

uint32_t arithmetic_float(uint32_t left, uint32_t right, uint32_t operation);

/* A float as a double, a double as the nearest float. */
uint64_t arithmetic_widen(uint32_t bits);
uint32_t arithmetic_narrow(uint64_t bits);

uint64_t arithmetic_multiply(uint64_t left, uint64_t right);
/* The divisor is not 0. */
uint64_t arithmetic_divide(uint64_t left, uint64_t right, uint32_t is_signed, uint32_t want_remainder);

#endif
