/* Procedures that the compiler inlines: several copies in one procedure, in loops, in each other, with calls, early returns, and in a procedure
 * that is recursive. NATIVE: they are not inlined, and it prints each entry and each end with the calls that led there, and what is stored in
 * `out`. */
#include <stdint.h>

#ifdef NATIVE
#include <stdio.h>
#define INLINED static __attribute__((noinline))
#define PLAIN __attribute__((no_instrument_function))
PLAIN static void put(int32_t value);
#define OUT(value) (out = (value), put(out))
#else
#define INLINED static inline __attribute__((always_inline))
#define OUT(value) (out = (value))
#endif
#define OWN static __attribute__((noinline))

volatile int32_t input = 3, out;
int32_t table[8];

OWN int32_t called(int32_t value)
{
    OUT(value + 1);
    return value + input;
}

/* nothing but a number */
INLINED int32_t twice(int32_t value)
{
    int32_t doubled = value + value;
    OUT(doubled);
    return doubled;
}

/* a call in the middle, and one at the end */
INLINED int32_t calls(int32_t value)
{
    int32_t got = called(value * 3);
    table[value & 7] += got;
    return called(got ^ 1) + 2;
}

/* several ways out */
INLINED int32_t early(int32_t value)
{
    if (value < input)
        return -1;
    OUT(value);
    if (value & 1)
        return called(value);
    table[value & 7] = value;
    OUT(value - 1);
    return value * 5;
}

/* a loop, and a copy in it */
INLINED int32_t loops(int32_t count)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += twice(i + input);
    OUT(sum);
    return sum;
}

/* copies in a copy */
INLINED int32_t nests(int32_t value)
{
    int32_t first = twice(value);
    int32_t second = early(first + input);
    if (second < 0)
        second = calls(first);
    return first + second;
}

/* nothing that is needed elsewhere: it stores */
INLINED void stores(int32_t at, int32_t value)
{
    OUT(at);
    table[at & 7] = value;
    table[(at + 1) & 7] += value;
}

OWN int32_t several(int32_t n)
{
    int32_t a = twice(n), b = twice(n + 1);
    OUT(a - b);
    return twice(a + b) + calls(n);
}

OWN int32_t looping(int32_t n)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < n; i++) {
        sum += early(i);
        stores(i, sum);
    }
    for (int32_t i = 0; i < n; i++)
        stores(i, calls(i));
    return sum + loops(n);
}

/* copies one after the other, the first one ends with a call, as it begins with one */
OWN int32_t in_a_row(int32_t n)
{
    int32_t sum = calls(n);
    sum += calls(sum);
    sum += twice(sum);
    return sum;
}

OWN int32_t recursive(int32_t n)
{
    if (n <= 0)
        return twice(n + 7);
    int32_t below = recursive(n - 1) + nests(n);
    return twice(below) + 1;
}

/* a copy that calls the procedure that it is in, further in */
static int32_t around(int32_t n);
INLINED int32_t further(int32_t n)
{
    OUT(n);
    int32_t got = n > 0 ? around(n - 1) : input;
    OUT(got);
    return got + 1;
}

OWN int32_t around(int32_t n)
{
    OUT(100 + n);
    return further(n) * 2;
}

OWN int32_t chosen(int32_t n)
{
    switch (n & 7) {
    case 0: return twice(n);
    case 1: return calls(n);
    case 2: stores(n, 2); return early(n + 9);
    case 3: return nests(n);
    case 4: return early(n);
    case 5: stores(n, n); break;
    default: return loops(n & 3);
    }
    return twice(n) + 4;
}

/* in conditions */
OWN int32_t asked(int32_t n)
{
    int32_t count = 0;
    while (early(n) > 0 && count < 5) {
        n -= 3;
        count++;
    }
    return twice(n) > 4 || early(count) > 9 ? count : stores(n, count), n;
}

int main(void)
{
    int32_t total = 0;
    for (int32_t i = 0; i < 4; i++) {
        total += several(i);
        total += looping(i + 1);
        total += in_a_row(i);
        total += recursive(i);
        total += around(i);
        total += asked(i * 7);
    }
    for (int32_t i = 0; i < 8; i++)
        total += chosen(i);
    total += nests(total & 0xff);
    out = total;
    return 0;
}

#ifdef NATIVE
/* -finstrument-functions */
static const char *names[64];
static int depth;

PLAIN static const char *name_of(void *procedure)
{
#define KNOWN(name) \
    { \
        (void *)name, #name \
    }
    static const struct {
        void *procedure;
        const char *name;
    } known[] = {KNOWN(called),  KNOWN(twice),   KNOWN(calls),   KNOWN(early),    KNOWN(loops),     KNOWN(nests),
                 KNOWN(stores),  KNOWN(several), KNOWN(looping), KNOWN(in_a_row), KNOWN(recursive), KNOWN(around),
                 KNOWN(further), KNOWN(chosen),  KNOWN(asked),   KNOWN(main)};
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].procedure == procedure)
            return known[i].name;
    return "?";
}

PLAIN static void tell(const char *what, int32_t value)
{
    printf("%s ", what);
    for (int i = 0; i < depth; i++)
        printf("%s%s", i ? ":" : "", names[i]);
    printf(" %ld\n", (long)value);
}

PLAIN static void put(int32_t value)
{
    tell("write", value);
}

PLAIN void __cyg_profile_func_enter(void *procedure, void *from)
{
    (void)from;
    names[depth++] = name_of(procedure);
    tell("enter", 0);
}

PLAIN void __cyg_profile_func_exit(void *procedure, void *from)
{
    (void)procedure, (void)from;
    tell("leave", 0);
    depth--;
}
#endif
