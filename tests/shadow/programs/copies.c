/* Procedures of which GCC makes several for the values that they are called with, and leaves out what nobody needs: arguments (f.isra.0), and
 * results. NATIVE: it prints each entry and each result with the calls that led there, instead. */
#include <stdint.h>

#ifdef NATIVE
#include <stdio.h>
static long given;
#define GIVE(value) return given = (value)
#else
#define GIVE(value) return (value)
#endif
#define OWN static __attribute__((noinline))

volatile int32_t input = 5, out;

struct limits {
    int32_t low, high, gain;
};

OWN int32_t scale(int32_t value, int32_t by, int32_t limit)
{
    int32_t made = value * by;
    if (made > limit)
        made = limit - value;
    out = made;
    GIVE(made + input);
}

/* its argument becomes what it points to */
OWN int32_t pick(const struct limits *limits, int32_t value)
{
    int32_t picked = value < limits->low ? limits->low : value > limits->high ? limits->high : value;
    out = picked;
    GIVE(picked * 3);
}

OWN int64_t wide(int32_t value, int32_t mode)
{
    int64_t made = (int64_t)value * 1000000007;
    if (mode == 4)
        made ^= value;
    for (int32_t i = 0; i < mode; i++)
        made += out + i;
    out = mode;
    GIVE(made);
}

/* nobody needs what it returns */
OWN int32_t drop(int32_t value)
{
    out = value ^ 3;
    input = input + 1;
    GIVE(value * 77);
}

/* ... and of this one only where mode is 3 */
OWN int32_t partly(int32_t value, int32_t mode)
{
    if (mode == 3)
        out = value + 1;
    for (int32_t i = 0; i < (value & 3); i++)
        out = out + mode * i;
    GIVE(value * 13 + mode);
}

OWN int32_t outer(int32_t count, int32_t mode)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += scale(i, mode, 100);
    GIVE(sum);
}

/* what it returns is what is returned to it */
OWN int32_t handed(const struct limits *limits, int32_t value)
{
    out = value;
    GIVE(pick(limits, value + 1));
}

int main(void)
{
    struct limits limits = {input, input + 10, 3};
    int32_t total = 0;
    for (int32_t i = 0; i < 5; i++) {
        total += scale(input + i, 3, 40);
        total += outer(i, 2);
        total += outer(i + 1, 7);
        total += pick(&limits, input + i);
        total += handed(&limits, i * 9);
        total ^= (int32_t)wide(total, 4);
        total ^= (int32_t)(wide(i, total & 3) >> 7);
        total += partly(i, 3);
        partly(total, i & 1);
        drop(input);
        drop(total);
    }
    out = total;
    return 0;
}

#ifdef NATIVE
/* -finstrument-functions */
#define PLAIN __attribute__((no_instrument_function))
static const char *names[64];
static int depth;

PLAIN static const char *name_of(void *procedure)
{
    static const struct {
        void *procedure;
        const char *name;
    } known[] = {{(void *)scale, "scale"},   {(void *)pick, "pick"},   {(void *)wide, "wide"},
                 {(void *)drop, "drop"},     {(void *)outer, "outer"}, {(void *)partly, "partly"},
                 {(void *)handed, "handed"}, {(void *)main, "main"}};
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].procedure == procedure)
            return known[i].name;
    return "?";
}

PLAIN static void tell(const char *what)
{
    printf("%s ", what);
    for (int i = 0; i < depth; i++)
        printf("%s%s", i ? ":" : "", names[i]);
    printf(" %ld\n", given);
}

PLAIN void __cyg_profile_func_enter(void *procedure, void *from)
{
    (void)from;
    names[depth++] = name_of(procedure);
    tell("enter");
}

PLAIN void __cyg_profile_func_exit(void *procedure, void *from)
{
    (void)procedure, (void)from;
    tell("leave");
    depth--;
}
#endif
