#!/usr/bin/python3
"""Where debug information of optimised code is true only for a part of what it says: what is told there is what the source says, or unknown.
The truth is the same source, run without Earshot: natively, with prints."""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), os.path.join(HERE, "../gdb")]

from harness import run_all  # noqa: E402
from serving import EARSHOT  # noqa: E402

TARGET_CC = os.path.join(HERE, "../../scripts/target-cc")
LEVELS = "Og", "O1", "O2", "Os"


class Program:
    """A source, compiled for the target, and natively with PRINT(format, ...) as a print."""

    def __init__(self, source):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "edge")
        with open(self.path + ".c", "w", encoding="ascii") as file:
            file.write("#ifndef PRINT\n#define PRINT(...) (void)0\n#endif\n" + source)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def natively(self):
        command = ["gcc", "-O0", "-w", "-include", "stdio.h", "-DPRINT(...)=fprintf(stderr,__VA_ARGS__)", self.path + ".c", "-o", self.path]
        subprocess.run(command, check=True)
        done = subprocess.run([self.path], capture_output=True, text=True, check=False)
        return [[int(word) for word in line.split()] for line in done.stderr.splitlines()]

    def target(self, *flags):
        made = self.path + "".join(flags) + ".elf"
        subprocess.run([TARGET_CC, *flags, "-w", self.path + ".c", "-o", made], check=True)
        return made


def hits(program, *statements):
    """Values of each hit, in order, and what was said."""
    command = [EARSHOT, "watch", program, "--json", "--replay", *[word for text in statements for word in ("-e", text)]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    return [list(event["values"].values()) for event in events if event["event"] == "hit"], done.stderr


# for some of what changes a parameter first there is an instruction, for some there is none
CALLED = """
int seen;
__attribute__((noipa)) int modulo(int x, int y) { PRINT("%d %d\\n", x, y); x %= y; return x; }
__attribute__((noipa)) int before(int x, int y) { PRINT("%d %d\\n", x, y); --x; x += y; seen = x; return x * y; }
__attribute__((noipa)) int swapped(int x, int y) { PRINT("%d %d\\n", x, y); int t = x; x = y; y = t; seen = x; return x - y; }
__attribute__((noipa)) int constant(int x, int y) { PRINT("%d %d\\n", x, y); seen = x; x = 7; return y / (x + y); }
int main(void)
{
    int sum = 0;
    for (int i = 1; i < 5; i++)
        sum += modulo(i * 100, 7) + before(i, 3 * i) + swapped(i, -i) + constant(i, 11);
    return sum & 0x7f;
}
"""


def called_with():
    """Parameters at enter(f) are what the caller passed, also where f's first statement has changed them without an instruction."""
    names = "modulo", "before", "swapped", "constant"
    statements = [f"when enter({name}) {{ print {name}\\x, {name}\\y }}" for name in names]
    with Program(CALLED) as program:
        wanted = program.natively()
        assert len(wanted) == 16, wanted
        for level in LEVELS:
            made = program.target("-" + level)
            told, said = hits(made, *statements)
            assert told == wanted, (level, told, wanted, said)
        made = program.target("-O2")
        told, said = hits(made, "when write(modulo\\x) { print modulo\\x }", "when leave(modulo) { print modulo\\x, result(modulo) }")
        rest = [i * 100 % 7 for i in range(1, 5)]
        assert told == [row for left in rest for row in ([left], [left, left])], (told, said)


# the mark of cons's first statement comes before the branch that decides whether build calls it
DECIDED = """
#include <string.h>
typedef struct node { struct node *first, *rest; char text[4]; int kind; } node;
typedef struct pool { node nodes[40]; int used, top; } pool;
node nil;
static pool all;
static __attribute__((noinline)) node *fresh(pool *p) { p->top++; return &p->nodes[p->used++]; }
static node *cons(pool *p, node *first, node *rest)
{
    PRINT("%d\\n", p->used);
    node *n = fresh(p);
    n->first = first;
    n->rest = rest;
    return n;
}
static node *build(pool *p, node *tail, int c)
{
    if (!tail || tail->text[2] != 0) {
        node *n = cons(p, 0, &nil);
        n->kind = 5;
        if (tail) {
            tail->rest = n;
            p->top--;
        }
        tail = n;
    }
    tail->text[strlen(tail->text)] = c;
    return tail;
}
__attribute__((noipa)) node *string(pool *p, const char *text)
{
    node *n = build(p, 0, 0), *tail = n;
    while (*text)
        tail = build(p, tail, *text++);
    return n;
}
int main(void) { return string(&all, "some words that are long enough") == 0; }
"""


def entered_once_for_each_call():
    """Where it is decided only after a copy's first statement whether the copy is executed, nobody knows when that is: no hit is told that is none."""
    refused = 0
    with Program(DECIDED) as program:
        wanted = program.natively()
        for level in LEVELS:
            told, said = hits(program.target("-" + level), "when enter(cons) { print all.used }")
            known = "enter(cons) is not true for inlined copies of it in string" not in said
            refused += not known
            assert told == wanted if known else len(told) < len(wanted) and all(row in wanted for row in told), (level, told, wanted, said)
    assert refused < len(LEVELS)


# by debug information, `got` is in a0 from send's first instruction on
RESULT = """
#include <stdarg.h>
int total;
__attribute__((noipa)) int put(int *where, int size, const char *text, va_list list)
{
    int n = 0;
    while (text[n])
        n++;
    *where += va_arg(list, int) + size;
    return n;
}
__attribute__((noipa)) int send(int size, const char *text, ...)
{
    va_list list;
    va_start(list, text);
    const int got = put(&total, size, text, list);
    va_end(list);
    PRINT("%dN", got);
    return got;
}
int main(void) { return send(5, "one", 1) + send(7, "three", 2) + send(9, "seventeen", 3); }
""".replace("%dN", "%d\\n")


def a_result_is_no_argument():
    """A local that a call's result is assigned to is assigned by that alone, and not by what puts arguments into the same register."""
    with Program(RESULT) as program:
        wanted = program.natively()
        for level in LEVELS:
            made = program.target("-" + level)
            told, said = hits(made, "when write(send\\got) { print send\\got }")
            assert told == wanted, (level, told, wanted, said)
            told, said = hits(made, "when enter(send) { print send\\got }", "when leave(send) { print result(send) }")
            assert told == [row for each in wanted for row in ([None], each)], (level, told, said)

# by debug information `wide` is in two registers in all of its block
BLOCK = """
#include <stdarg.h>
int total;
__attribute__((noipa)) int take(int n, unsigned long long value, int negative, int more) { return (int)(value % 1000) - negative + n + more; }
__attribute__((noipa)) int choose(const char *kinds, ...)
{
    int n = 0;
    va_list list;
    va_start(list, kinds);
    while (*kinds) {
        if (*kinds == 'l') {
            const long long wide = va_arg(list, long long);
            PRINT("%lldN", wide);
            n = take(n, (unsigned long long)(wide > 0 ? wide : 0 - wide), wide < 0, 5);
        } else if (*kinds == 'd') {
            const int narrow = va_arg(list, int);
            n = take(n, (unsigned int)(narrow > 0 ? narrow : 0 - narrow), narrow < 0, 6);
        } else {
            n = take(n, va_arg(list, unsigned int), 0, 7);
        }
        kinds++;
    }
    va_end(list);
    total += n;
    return n;
}
int main(void) { return choose("ldllud", 123456789012LL, -4, -5LL, 77000000000000LL, 6u, 9) & 0x7f; }
""".replace("%lldN", "%lld\\n")


def a_block_begins_without_values():
    """At the beginning of a block its locals are not what the registers are left with."""
    with Program(BLOCK) as program:
        wanted = program.natively()
        line = next(i for i, text in enumerate(BLOCK.splitlines(), 4) if "const long long wide" in text)
        for level in LEVELS:
            made = program.target("-" + level)
            told, said = hits(made, f"when at(edge.c:{line}) {{ print choose\\wide }}")
            assert told == [[None]] * len(wanted), (level, told, said)
            if level in ("Og", "O1"):   # beyond, the registers are used for something else in the block, too
                told, said = hits(made, "when write(choose\\wide) { print choose\\wide }")
                assert told == wanted, (level, told, wanted, said)


# GCC counts wrong where locals lie on the stack where the procedure itself puts a half of `wide` there; with `...` it does not
SLOTS = """
#include <stdarg.h>
volatile int in = 3, sink;
__attribute__((noipa)) int use(int a, int b, int c, int d, int e) { return a + b * 2 + c * 3 + d * 5 + e * 7; }
__attribute__((noipa)) int spread(int a, int b, int c, int d, int e, int f, int g, unsigned long long wide)
{
    int n = 0, p = in, q = in + 1, r = in * 2, s = in ^ 5, t = in + 9;
    do {
        n += use(p, q, r, s, t) + use(q, s, p, n, (int)wide);
        sink = 1;
        PRINT("%d %d %d %d %d %d %dN", a, b, c, d, e, f, g);
        n ^= use(t, r, p, s, q);
        wide /= 7;
    } while (wide);
    return n + use(a, b, c, d, e) + use(f, g, p, q, n);
}
__attribute__((noipa)) int listed(int a, int b, int c, ...)
{
    int n = 0, p = in, q = in + 1, r = in * 2, s = in ^ 5, t = in + 9, u = in * 5, v = in * 7, w = in * 11;
    va_list list;
    va_start(list, c);
    for (int more = va_arg(list, int); more; more = va_arg(list, int)) {
        n += use(p, q, r, s, t) + use(u, v, w, n, more);
        sink = 2;
        PRINT("%d %d %dN", a, b, c);
        n ^= use(t, u, v, w, q);
    }
    va_end(list);
    return n + use(a, b, c, p, q) + use(r, s, t, u, v) + w;
}
int main(void) { return (spread(11, 12, 13, 14, 15, 16, 17, 123456ULL) + listed(21, 22, 23, 24, 25, 26, 27, 28, 0)) & 0x7f; }
""".replace("dN", "d\\n")


def where_locals_lie():
    """What a local on the stack is, is the source's also where debug information, and so gdb, has another place for it."""
    with Program(SLOTS) as program:
        wanted = program.natively()
        lines = [i for i, text in enumerate(SLOTS.splitlines(), 4) if "sink = " in text]
        statements = [f"when at(edge.c:{line}) {{ print {', '.join(name + chr(92) + local for local in locals)} }}"
                      for line, name, locals in zip(lines, ("spread", "listed"), ("abcdefg", "abc"))]
        for flags in (["-Og"], ["-O1"], ["-O2"], ["-Os"], ["-O2", "-fno-omit-frame-pointer"]):
            told, said = hits(program.target(*flags), *statements)
            assert told == wanted, (flags, told, wanted, said)


# where GCC makes clones, they are not given what the procedures do without, or what is always the same
LEFT_OUT = """
volatile int seen;
int total;
static __attribute__((noinline)) int literal(int x, int y) { PRINT("%d %d\\n", x, y); x = 7; seen = y; total += x * y; return x + y; }
static __attribute__((noinline)) int taken(int x, int y) { PRINT("%d %d\\n", x, y); x = y; seen = y; total += x; return x * y; }
static __attribute__((noinline)) int made(int x, int y) { PRINT("%d %d\\n", x, y); x = y * 8 + 9; seen = y; return x + y; }
static __attribute__((noinline)) int always(int x, int y) { PRINT("%d %d\\n", x, y); seen = y; total += x; return x + y; }
int main(void)
{
    int sum = 0;
    for (int i = 1; i < 5; i++)
        sum += literal(i * 3, i) + taken(i * 5, i + 1) + made(i * 7, -i) + always(42, i * i);
    return sum & 0x7f;
}
"""


def what_a_clone_is_not_given():
    """An argument that is not passed any more is unknown, and not what the procedure makes of it; one that is always the same is known."""
    left_out = 0
    with Program(LEFT_OUT) as program:
        wanted = program.natively()
        for level in LEVELS:
            told, said = hits(program.target("-" + level), *[f"when enter({f}) {{ print {f}\\x, {f}\\y }}" for f in ("literal", "taken", "made", "always")])
            left_out += sum(row[0] is None for row in told)
            assert [row if row[0] is not None else [true[0], row[1]] for row, true in zip(told, wanted)] == wanted, (level, told, wanted, said)
            assert len(told) == len(wanted) and all(row[0] == 42 for row in told[3::4]), (level, told)
    assert left_out


if __name__ == "__main__":
    sys.exit(run_all([called_with, entered_once_for_each_call, a_result_is_no_argument, a_block_begins_without_values, where_locals_lie,
                      what_a_clone_is_not_given]))
