/* Operators on constants, as C defines them for 32-bit int and 64-bit long long, wrapping where C does not. */
#include "lang/parser.h"

static uint64_t divide(enum es_op op, uint64_t a, uint64_t b, bool as_signed)
{
    if (b == 0)
        return 0; /* refused before */
    if (!as_signed)
        return op == ES_OP_DIV ? a / b : a % b;
    if (b == UINT64_MAX)
        return op == ES_OP_DIV ? 0 - a : 0; /* the most negative number by -1 wraps */
    return (uint64_t)(op == ES_OP_DIV ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b);
}

uint64_t es_fold(enum es_op op, uint64_t a, uint64_t b, bool as_signed, unsigned bits)
{
    if (bits == 32 && op != ES_OP_SHL && op != ES_OP_SHR) {
        a = as_signed ? (uint64_t)(int64_t)(int32_t)a : (uint32_t)a;
        b = as_signed ? (uint64_t)(int64_t)(int32_t)b : (uint32_t)b;
    }
    /* Order of two's complement numbers is that of unsigned ones with the sign bits turned over. */
    uint64_t flip = as_signed ? UINT64_C(1) << 63 : 0;
    switch (op) {
    case ES_OP_ADD: return a + b;
    case ES_OP_SUB: return a - b;
    case ES_OP_MUL: return a * b;
    case ES_OP_DIV:
    case ES_OP_REM: return divide(op, a, b, as_signed);
    case ES_OP_AND: return a & b;
    case ES_OP_OR: return a | b;
    case ES_OP_XOR: return a ^ b;
    case ES_OP_SHL: return a << (b & (bits - 1));
    case ES_OP_SHR:
        a = bits == 64 ? a : as_signed ? (uint64_t)(int64_t)(int32_t)a : (uint32_t)a;
        b &= bits - 1;
        return as_signed && a >> 63 ? ~(~a >> b) : a >> b;
    case ES_OP_EQ: return a == b;
    case ES_OP_NE: return a != b;
    case ES_OP_LT: return (a ^ flip) < (b ^ flip);
    case ES_OP_LE: return (a ^ flip) <= (b ^ flip);
    case ES_OP_GT: return (a ^ flip) > (b ^ flip);
    case ES_OP_GE: return (a ^ flip) >= (b ^ flip);
    case ES_OP_LOGAND: return a && b;
    case ES_OP_LOGOR: return a || b;
    default: return 0;
    }
}

double es_fold_number(enum es_op op, double a, double b)
{
    switch (op) {
    case ES_OP_ADD: return a + b;
    case ES_OP_SUB: return a - b;
    case ES_OP_MUL: return a * b;
    default: return a / b;
    }
}

int es_fold_compare(enum es_op op, double a, double b)
{
    switch (op) {
    case ES_OP_EQ: return a == b;
    case ES_OP_NE: return a != b;
    case ES_OP_LT: return a < b;
    case ES_OP_LE: return a <= b;
    case ES_OP_GT: return a > b;
    default: return a >= b;
    }
}
