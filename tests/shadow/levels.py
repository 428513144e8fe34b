#!/usr/bin/python3
"""What debug information says of code at -O1, -O3, with -flto, frame pointers and helpers that save registers, and what is reported: what the source
says, or unknown. The truth is the same source, run without Earshot: natively, with prints."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), HERE]

from edges import Program, hits  # noqa: E402
from harness import run_all  # noqa: E402

LEVELS = ["-Og"], ["-O1"], ["-O2"], ["-Os"], ["-O3"], ["-O2", "-flto"], ["-O1", "-fno-omit-frame-pointer"], ["-O1", "-march=rv32i_zicsr_zifencei"]
SAVED = ["-Os", "-msave-restore"], ["-O2", "-msave-restore"]

# debug information has `n` and `end` in one register in all of their procedures: that of a sum's parts, of calls' arguments, and of what they
# leave there; `start` in one that the end gives back to the caller
IN_ALL = """
volatile int in = 3;
int total;
__attribute__((noipa)) int length(const char *text) { int n = 0; while (text[n]) n++; return n; }
__attribute__((noipa)) void clear(int *all, int value, int count) { while (count--) all[count] = value; }
__attribute__((noipa)) int handler(int *sum, const char *a, const char *b, const char *c)
{
    int n = length(a) + length(b) * 3 + length(c);
    PRINT("%d\\n", n);
    total += n;
    *sum += n % 7;
    return n != 1000;
}
__attribute__((noipa)) int indexing(unsigned short *at, int more)
{
    int last[8];
    clear(last, 255, 8);
    const unsigned short end = at[0] + more;
    PRINT("%d\\n", end);
    for (unsigned short i = 0; i < end; i++)
        last[i & 7] = i;
    return last[3];
}
__attribute__((noipa)) int padded(const char *text, int at)
{
    int first = length(text);
    if (first > in) {
        at += length(text + 1);
        total ^= at;
    }
    const int start = at;
    PRINT("%d\\n", start);
    at = first + length(text + 1);
    while (at - start < 8)
        at += length(text + 1) + 1;
    return at;
}
int main(void)
{
    unsigned short at = 40;
    for (int i = 0; i < 3; i++)
        total += handler(&total, "one", "seventeen" + i, "a") + indexing(&at, i * 5) + padded("thirty" + 2 * i, i * 100);
    return total & 0x7f;
}
"""


def in_all_of_a_block():
    """A local that is in one register in all of its block is assigned once, and is not what else is in the register."""
    names = "handler\\n", "indexing\\end", "padded\\start"
    with Program(IN_ALL) as program:
        wanted = program.natively()
        for flags in (*LEVELS, *SAVED):
            made = program.target(*flags)
            for i, name in enumerate(names):
                told, said = hits(made, f"when write({name}) {{ print {name} }}")
                told = [row for row in told if row != [None]]
                assert told in (wanted[i::3], []) if i == 2 else told == wanted[i::3], (flags, name, told, wanted[i::3], said)


# no value of these is negative but `h`, whatever bits the form has in which the compiler writes them down
CONSTANTS = """
volatile long long seen;
__attribute__((noipa)) void constants(void)
{
    const long long wide = 0x80000000LL, middle = 40000, narrow = 200;
    const int k = 200;
    const unsigned u = 0xffffff00u;
    const short h = -25536;
    const unsigned short s = 65535;
    seen = wide + middle + narrow + k + u + h + s;
    PRINT("%lld %lld %lld %d %u %d %d\\n", wide, middle, narrow, k, u, h, s);
}
int main(void) { constants(); return 0; }
"""


def constants_have_their_sign():
    names = "wide", "middle", "narrow", "k", "u", "h", "s"
    with Program(CONSTANTS) as program:
        wanted = program.natively()
        for flags in LEVELS:
            told, said = hits(program.target(*flags), f"when write(seen) {{ print {', '.join('constants' + chr(92) + name for name in names)} }}")
            assert told[-1:] == wanted, (flags, told, wanted, said)


# with -msave-restore GCC counts wrong where locals are on the stack: it forgets what the helper has put there
HELPED = """
volatile int in = 3, sink;
__attribute__((noipa)) int use(int a, int b, int c, int d, int e) { return a + b * 2 + c * 3 + d * 5 + e * 7; }
__attribute__((noipa)) int fill(int *p, int n) { for (int i = 0; i < n; i++) p[i] = i * in; return p[n - 1]; }
__attribute__((noipa)) int many(int a, int b, int c, int d, int e, int f, int g, int h, int ninth, int tenth)
{
    int room[4], n = fill(room, 4), p = in, q = in + 1, r = in * 2, s = in ^ 5, t = in + 9, u = in * 5, v = in * 7, w = in * 11;
    for (int i = 0; i < 3; i++) {
        n += use(p, q, r, s, t) + use(u, v, w, n, room[i]);
        sink = 2;
        PRINT("%d %d %d %d %d %d %d %d\\n", a, d, h, q, u, w, ninth, tenth);
        n ^= use(t, u, v, w, q) + ninth;
    }
    n += use(a, b, c, p, q) + use(d, e, f, g, h) + w + tenth;
    PRINT("%d\\n", n);
    return n;
}
static inline __attribute__((always_inline)) int twice(int a, int b) { int n = use(a, b, 1, 2, 3) * in; return many(a, n, b, n, a, n, b, n, a, n); }
__attribute__((noipa)) int around(int a, int b)
{
    if (!a)
        return 0;
    return twice(b, a);
}
int main(void) { return (around(0, 1) + around(5, 6) + around(7, 8)) & 0x7f; }
"""


def registers_that_a_helper_saves():
    """Locals on the stack, results, and ends of inlined copies, where procedures begin and end in helpers."""
    with Program(HELPED) as program:
        wanted = program.natively()
        line = next(i for i, text in enumerate(HELPED.splitlines(), 4) if "sink = 2" in text)
        names = ("a", "d", "h", "q", "u", "w", "ninth", "tenth")
        statements = [f"when at(edge.c:{line}) {{ print {', '.join('many' + chr(92) + name for name in names)} }}", "when leave(many) { print result(many) }"]
        for flags in (*SAVED, ["-O2"], ["-Os", "-msave-restore", "-fno-omit-frame-pointer"]):
            made = program.target(*flags)
            told, said = hits(made, *statements)
            assert told == wanted, (flags, told, wanted, said)
            told, said = hits(made, "when enter(twice) { print twice\\a }", "when leave(around) { print result(around) }", "when leave(twice)")
            results = [row for row in wanted if len(row) == 1]
            assert [row for row in told if row] in ([[0], [6], results[0], [8], results[1]], [[0], [6], [None], [8], [None]]), (flags, told, said)
            assert len(told) == 7 and told.count([]) == 2, (flags, told, said)
            if "-msave-restore" in flags and "-fno-omit-frame-pointer" not in flags:
                assert results[0] in told, (flags, told, said)


# what the stack holds where a copy begins is no value of its locals
BEGINS = """
volatile int in = 3, sink;
__attribute__((noipa)) int dirty(int n) { volatile int all[24]; for (int i = 0; i < 24; i++) all[i] = i * 77 + n; return all[n]; }
__attribute__((noipa)) int set(int *q, int n) { *q = n + 1; PRINT("%d\\n", n + 1); return n; }
static inline __attribute__((always_inline)) int inner(int n)
{
    sink = n;
    int number = 7;
    PRINT("%d\\n", number);
    if (n & 1)
        n += set(&number, n);
    return n + number;
}
__attribute__((noipa)) int outer(int n) { int sum = 0; for (int i = 0; i < n; i++) { sum += inner(i); } return sum; }
int main(void) { return (dirty(4) + outer(5)) & 0x7f; }
"""


def a_copy_begins_without_assignments():
    with Program(BEGINS) as program:
        wanted = program.natively()
        for flags in LEVELS:
            told, said = hits(program.target(*flags), "when write(inner\\number) { print inner\\number }")
            assert told == wanted, (flags, told, wanted, said)


# half of `base` is in a7, and with a frame pointer GCC has it on the stack before anything puts it there
HALF = """
volatile int sink;
__attribute__((noipa)) int digits(char *out, unsigned at, unsigned size, int fill, unsigned long long value, int negative, unsigned long long base, int more)
{
    int n = 0;
    PRINT("%lld %d\\n", base, more);
    do {
        out[n++ & 7] = (char)(value % base + fill);
        sink = n + (int)at + (int)size;
        value /= base;
    } while (value && (n < more || base == 10));
    return n + negative;
}
int main(void) { char out[8]; return (digits(out, 1, 2, 48, 123456789012ULL, 0, 10, 7) + digits(out, 3, 4, 65, 99ULL, 1, 16, 8)) & 0x7f; }
"""


def an_argument_in_halves():
    with Program(HALF) as program:
        wanted = program.natively()
        for flags in (["-O1", "-fno-omit-frame-pointer"], ["-O2", "-fno-omit-frame-pointer"], ["-O1"], ["-O3"]):
            made = program.target(*flags)
            told, said = hits(made, "when enter(digits) { print digits\\base, digits\\more }")
            assert told == wanted, (flags, told, wanted, said)
            told, said = hits(made, "when write(digits\\base) { print digits\\base }")
            assert told in ([], [row[:1] for row in wanted]), (flags, told, wanted, said)


# a register has the constant of one line, and then the local of the next
DIVIDED = """
volatile int sink;
__attribute__((noipa)) unsigned packed(const char *in, unsigned length, char *out)
{
    unsigned groups, left, at = 0, i;
    groups = length / 3;
    left = length % 3;
    PRINT("%u\\n", left);
    if (!out)
        return groups * 4 + (left ? 4 : 0);
    for (i = 0; i < groups * 3; i += 3) {
        out[at++ & 7] = in[i & 3] >> 2;
        out[at++ & 7] = in[i & 3] << 4 | in[(i + 1) & 3] >> 4;
    }
    if (left == 1)
        out[at++ & 7] = in[i & 3] >> 2;
    else if (left == 2)
        out[at++ & 7] = '=';
    return at;
}
__attribute__((noipa)) unsigned scaled(unsigned length, unsigned *out)
{
    unsigned groups, left, i;
    groups = length / 100000;
    left = length % 100000;
    PRINT("%u\\n", left);
    for (i = 0; i < groups; i++)
        out[i & 1] += i;
    if (left > 7)
        out[0] ^= groups;
    return left + out[1];
}
int main(void)
{
    char out[8] = "";
    unsigned sums[2] = {0};
    unsigned n = 0;
    for (unsigned i = 5; i < 11; i++)
        n += packed("abcd", i, i & 1 ? out : 0) + scaled(i * 99999, sums);
    return n & 0x7f;
}
"""


def a_constant_before_the_local():
    with Program(DIVIDED) as program:
        wanted = program.natively()
        for flags in LEVELS:
            made = program.target(*flags)
            for i, name in enumerate(("packed\\left", "scaled\\left")):
                told, said = hits(made, f"when write({name}) {{ print {name} }}")
                assert told == wanted[i::2], (flags, name, told, wanted[i::2], said)


# nothing is left for `start` but the place in the frame into which `at` was put at the beginning
SPILLED = """
#ifdef __riscv
#ifndef POINTER
#define POINTER "s0"
#endif
#define TAKE_REGISTERS __asm__ volatile("" : : : POINTER, "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11")
#else
#define TAKE_REGISTERS (void)0
#endif
volatile int in = 3;
__attribute__((noipa)) int dirty(int n) { volatile int all[40]; for (int i = 0; i < 40; i++) all[i] = i * 77 + n; return all[n]; }
__attribute__((noipa)) int put(char *out, int at, int room, int value) { out[at & 7] = value; return at + (value & 3) + (room & 1); }
__attribute__((noipa)) int written(char *out, int at, int room, int value, int width)
{
    if (__builtin_expect(value < 0, 1))
        return put(out, at, room, value);
    const int start = at;
    PRINT("%d\\n", start);
    at = put(out, at, room, value * in);
    TAKE_REGISTERS;
    while (at - start < width)
        at = put(out, at, room, 33);
    return at;
}
int main(void)
{
    char out[8];
    int n = dirty(3);
    for (int i = 0; i < 4; i++)
        n += written(out, 10 * i + 1, 40, i == 2 ? -1 : 70 + i, 5 * i) + dirty(i);
    return n & 0x7f;
}
"""


def numbers_in_the_frame():
    """What the stack holds before the procedure has put a local there is no value of the local. (21 is `at` in the same place, of an activation that
    does not come to `start`.)"""
    with Program(SPILLED) as program:
        wanted = program.natively()
        for flags in (*LEVELS, ["-O2", "-fno-omit-frame-pointer"]):
            made = program.target(*flags, *["-DPOINTER=\"s1\""] * ("-fno-omit-frame-pointer" in flags))
            told, said = hits(made, *[f"when {event} {{ print written\\start }}" for event in ("write(written\\start)", "enter(written)", "enter(put)")])
            told = [row for i, row in enumerate(told) if row != [None] and (not i or row != told[i - 1])]
            assert told in ([], wanted, sorted([*wanted, [21]])), (flags, told, wanted, said)
            assert told or "lies on the stack" in said and "-O2" in flags or flags == ["-O3"], (flags, said)


# the compiler takes the rest of `drop` out of it, and puts it back into it and its copies, of which some are in itself
MUTUAL = """
typedef struct node { int kind; struct node *of[7]; } node;
volatile int sink;
__attribute__((noipa)) void release(node *n) { sink = n->kind; }
void drop(node *n);
void drop_all(node *n)
{
    if (!n) return;
    switch (n->kind & 7) {
    case 7: drop(n->of[6]); /* falls through */
    case 6: drop(n->of[5]); /* falls through */
    case 5: drop(n->of[4]); /* falls through */
    case 4: drop(n->of[3]); /* falls through */
    case 3: drop(n->of[2]); /* falls through */
    case 2: drop(n->of[1]); /* falls through */
    case 1: drop(n->of[0]);
    }
}
void drop(node *n)
{
    PRINT("0\\n");
    if (!n) { PRINT("1\\n"); return; }
    drop_all(n);
    release(n);
    PRINT("1\\n");
}
int main(void)
{
    node leaf[3] = {{0}, {8}, {16}}, inner[2] = {{2, {leaf, leaf + 1}}, {3, {leaf + 2}}}, top = {4, {leaf, inner, inner + 1}};
    void (*volatile call)(node *) = drop;
    call(&top);
    call(inner);
    call(0);
    return sink;
}
"""


def parts_put_back_are_no_calls():
    with Program(MUTUAL) as program:
        wanted = program.natively()
        for flags in (["-O2"], ["-O3"], ["-O3", "-fno-omit-frame-pointer"]):
            made = program.target(*flags)
            for i, event in enumerate(("enter", "leave")):
                told, said = hits(made, f"when {event}(drop) {{ print }}")
                assert len(told) == wanted.count([i]) > 10, (flags, event, told, wanted, said)
                assert "does not say where they begin" not in said, (flags, event, said)


if __name__ == "__main__":
    sys.exit(run_all([in_all_of_a_block, constants_have_their_sign, registers_that_a_helper_saves, a_copy_begins_without_assignments,
                      an_argument_in_halves, a_constant_before_the_local, numbers_in_the_frame, parts_put_back_are_no_calls]))
