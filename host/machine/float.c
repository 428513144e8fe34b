/* Floating point by this machine's own. What its values are is the same by IEEE 754; NaNs, minimum and maximum, and
 * conversions to integers are RISC-V's. Operands are volatile, so that operations stay between the settings of the
 * environment. */
#include "machine/float.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "isa/rv32/operation.h"

enum { TO_NEAREST, TO_ZERO, DOWN, UP, TO_NEAREST_AWAY };

static unsigned flags_raised(void)
{
    int raised = fetestexcept(FE_ALL_EXCEPT);
    return (raised & FE_INEXACT ? FLOAT_INEXACT : 0u) | (raised & FE_UNDERFLOW ? FLOAT_UNDERFLOW : 0u) |
           (raised & FE_OVERFLOW ? FLOAT_OVERFLOW : 0u) | (raised & FE_DIVBYZERO ? FLOAT_BY_ZERO : 0u) |
           (raised & FE_INVALID ? FLOAT_INVALID : 0u);
}

/* What depends on the size, for both. */
#define FLOAT_OF_SIZE(size, type, bits_type, nan_bits, mantissa, fused, root) \
    static type number_##size(uint64_t bits) \
    { \
        bits_type narrow = (bits_type)bits; \
        type number; \
        memcpy(&number, &narrow, sizeof number); \
        return number; \
    } \
\
    static uint64_t bits_##size(type number) \
    { \
        bits_type bits; \
        memcpy(&bits, &number, sizeof bits); \
        return isnan(number) ? (nan_bits) : bits; \
    } \
\
    static bool signals_##size(uint64_t bits) \
    { \
        return isnan(number_##size(bits)) && !(bits >> ((mantissa)-1) & 1); \
    } \
\
    static uint64_t arithmetic_##size(unsigned op, const uint64_t operands[3], unsigned *flags) \
    { \
        volatile type a = number_##size(operands[0]), b = number_##size(operands[1]), c = number_##size(operands[2]); \
        volatile type made = 0; \
        bool invalid = op <= ES_OP_FNMADD && ((isinf(a) && b == 0) || (a == 0 && isinf(b))); \
        feclearexcept(FE_ALL_EXCEPT); \
        switch (op) { \
        case ES_OP_FADD: made = a + b; break; \
        case ES_OP_FSUB: made = a - b; break; \
        case ES_OP_FMUL: made = a * b; break; \
        case ES_OP_FDIV: made = a / b; break; \
        case ES_OP_FSQRT: made = root(a); break; \
        case ES_OP_FMADD: made = fused(a, b, c); break; \
        case ES_OP_FMSUB: made = fused(a, b, -c); break; \
        case ES_OP_FNMSUB: made = fused(-a, b, c); break; \
        default: made = fused(-a, b, -c); break; \
        } \
        *flags = flags_raised() | (invalid ? FLOAT_INVALID : 0); \
        return bits_##size(made); \
    } \
\
    static uint64_t extreme_##size(bool most, uint64_t a, uint64_t b, unsigned *flags) \
    { \
        type x = number_##size(a), y = number_##size(b); \
        *flags = signals_##size(a) || signals_##size(b) ? FLOAT_INVALID : 0; \
        if (isnan(x)) \
            return bits_##size(y); \
        if (isnan(y)) \
            return a; \
        bool less = x < y || (x == y && signbit(x) && !signbit(y)); \
        return less != most ? a : b; \
    } \
\
    static uint64_t compared_##size(unsigned op, uint64_t a, uint64_t b, unsigned *flags) \
    { \
        type x = number_##size(a), y = number_##size(b); \
        bool none = isnan(x) || isnan(y); \
        *flags = op == ES_OP_FEQ ? signals_##size(a) || signals_##size(b) ? FLOAT_INVALID : 0 \
                 : none          ? FLOAT_INVALID \
                                 : 0; \
        return !none && (op == ES_OP_FEQ ? x == y : op == ES_OP_FLT ? x < y : x <= y); \
    } \
\
    static uint64_t class_##size(uint64_t bits) \
    { \
        enum { NEGATIVE_INFINITY, NEGATIVE, NEGATIVE_SUBNORMAL, NEGATIVE_ZERO, SIGNALS = 8, QUIET = 9 }; \
        type number = number_##size(bits); \
        unsigned kind = isinf(number)                        ? NEGATIVE_INFINITY \
                        : fpclassify(number) == FP_NORMAL    ? NEGATIVE \
                        : fpclassify(number) == FP_SUBNORMAL ? NEGATIVE_SUBNORMAL \
                                                             : NEGATIVE_ZERO; \
        if (isnan(number)) \
            return 1u << (signals_##size(bits) ? SIGNALS : QUIET); \
        return 1u << (signbit(number) ? kind : 7 - kind); \
    } \
\
    static uint64_t of_integer_##size(bool is_signed, uint32_t integer, unsigned *flags) \
    { \
        volatile int32_t with_sign = (int32_t)integer; \
        volatile uint32_t without = integer; \
        volatile type made; \
        feclearexcept(FE_ALL_EXCEPT); \
        if (is_signed) \
            made = (type)with_sign; \
        else \
            made = (type)without; \
        *flags = flags_raised(); \
        return bits_##size(made); \
    } \
\
    static uint64_t signed_##size(unsigned op, uint64_t a, uint64_t b) \
    { \
        const uint64_t sign = UINT64_C(1) << (8 * sizeof(type) - 1); \
        uint64_t of_b = op == ES_OP_FSGNJ ? b : op == ES_OP_FSGNJN ? ~b : a ^ b; \
        return (a & ~sign) | (of_b & sign); \
    }

FLOAT_OF_SIZE(single, float, uint32_t, FLOAT_NAN, 23, fmaf, sqrtf)
FLOAT_OF_SIZE(double, double, uint64_t, DOUBLE_NAN, 52, fma, sqrt)

/* A number as an integer, rounded. */
static double rounded(double number, unsigned rm)
{
    double below = floor(number), half = number - below;
    switch (rm) {
    case TO_ZERO: return trunc(number);
    case DOWN: return below;
    case UP: return ceil(number);
    case TO_NEAREST_AWAY: return round(number);
    default:
        if (half == 0.5)
            return fmod(below, 2) == 0 ? below : below + 1;
        return half < 0.5 ? below : below + 1;
    }
}

static uint32_t to_integer(bool is_signed, double number, unsigned rm, unsigned *flags)
{
    double least = is_signed ? -2147483648.0 : 0, most = is_signed ? 2147483647.0 : 4294967295.0;
    uint32_t highest = is_signed ? 0x7FFFFFFF : UINT32_MAX, lowest = is_signed ? 0x80000000u : 0;
    *flags = FLOAT_INVALID;
    if (isnan(number))
        return highest;
    if (isinf(number))
        return number > 0 ? highest : lowest;
    double whole = rounded(number, rm);
    if (whole > most)
        return highest;
    if (whole < least)
        return lowest;
    *flags = whole == number ? 0 : FLOAT_INEXACT;
    return is_signed ? (uint32_t)(int32_t)whole : (uint32_t)whole;
}

static uint64_t narrowed(uint64_t bits, unsigned *flags)
{
    volatile double from = number_double(bits);
    volatile float made;
    feclearexcept(FE_ALL_EXCEPT);
    made = (float)from;
    *flags = flags_raised();
    return bits_single(made);
}

static uint64_t widened(uint64_t bits, unsigned *flags)
{
    *flags = signals_single(bits) ? FLOAT_INVALID : 0;
    return bits_double((double)number_single(bits));
}

/* Operations that round. */
static uint64_t rounds(unsigned op, bool wide, const uint64_t operands[3], unsigned *flags)
{
    uint32_t integer = (uint32_t)operands[0];
    bool is_signed = op == ES_OP_FCVT_OF_W;
    switch (op) {
    case ES_OP_FCVT_OF_W:
    case ES_OP_FCVT_OF_WU:
        return wide ? of_integer_double(is_signed, integer, flags) : of_integer_single(is_signed, integer, flags);
    case ES_OP_FCVT_S_D: return narrowed(operands[0], flags);
    default: return wide ? arithmetic_double(op, operands, flags) : arithmetic_single(op, operands, flags);
    }
}

bool es_machine_float(unsigned op, bool wide, unsigned rm, const uint64_t operands[3], uint64_t *result,
                      unsigned *flags)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD, FE_TONEAREST};
    uint64_t a = operands[0], b = operands[1];
    *flags = 0;
    switch (op) {
    case ES_OP_FMV_X_W:
    case ES_OP_FMV_W_X: *result = (uint32_t)a; return true;
    case ES_OP_FSGNJ:
    case ES_OP_FSGNJN:
    case ES_OP_FSGNJX: *result = wide ? signed_double(op, a, b) : signed_single(op, a, b); return true;
    case ES_OP_FMIN:
    case ES_OP_FMAX:
        *result = wide ? extreme_double(op == ES_OP_FMAX, a, b, flags) : extreme_single(op == ES_OP_FMAX, a, b, flags);
        return true;
    case ES_OP_FEQ:
    case ES_OP_FLT:
    case ES_OP_FLE: *result = wide ? compared_double(op, a, b, flags) : compared_single(op, a, b, flags); return true;
    case ES_OP_FCLASS: *result = wide ? class_double(a) : class_single(a); return true;
    case ES_OP_FCVT_W:
    case ES_OP_FCVT_WU:
        *result = to_integer(op == ES_OP_FCVT_W, wide ? number_double(a) : (double)number_single(a), rm, flags);
        return true;
    case ES_OP_FCVT_D_S: *result = widened(a, flags); return true;
    default: break;
    }
    fenv_t kept;
    feholdexcept(&kept);
    fesetround(modes[rm]);
    *result = rounds(op, wide, operands, flags);
    fesetenv(&kept);
    /* ties away from zero have no mode here */
    return rm != TO_NEAREST_AWAY || !(*flags & FLOAT_INEXACT);
}
