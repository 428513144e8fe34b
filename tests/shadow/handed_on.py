#!/usr/bin/python3
"""Paths through tail calls by pointers, out of procedures that have a switch's jump table, too: both are jumps through a register. The truth is the
same source, run without Earshot: natively, with prints."""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), os.path.join(HERE, "../gdb"), HERE]

from edges import Program  # noqa: E402
from harness import run_all  # noqa: E402
from serving import EARSHOT  # noqa: E402

# `value` is a tree's: what it hands on to, has its own caller's place in paths. `pick` has a table and no frame.
SOURCE = """
struct node { int kind, number; int (*function)(int, int); const struct node *left, *right; };
volatile int seen, result;
__attribute__((noipa)) int power(int a, int b) { volatile int all = 1; PRINT("%d %d\\n", a, b); while (b-- > 0) all *= a; return all; }
__attribute__((noipa)) int larger(int a, int b) { volatile int all = a; PRINT("%d %d\\n", a, b); return b > all ? b : all; }
__attribute__((noipa)) int value(const struct node *n)
{
    int a = n->left ? value(n->left) : 0, b = n->right ? value(n->right) : 0;
    switch (n->kind) {
    case 0: return n->number;
    case 1: return a + b;
    case 2: return a - b;
    case 3: seen = a; return a * b;
    case 4: return a ^ b;
    case 5: seen = b; return a & b;
    case 6: return a / (b | 1);
    case 7: return n->function(a, b);
    default: return -1;
    }
}
__attribute__((noipa)) int pick(int kind, int a, int (*function)(int, int))
{
    switch (kind & 7) {
    case 0: return a + 1;
    case 1: return a * 3;
    case 2: seen = a; return 2;
    case 3: return a ^ 5;
    case 4: seen = 4; return a - 9;
    case 5: return a << 2;
    case 6: return function(a, 2);
    default: return function(2, a);
    }
}
__attribute__((noipa)) void simplify(const struct node *n)
{
    if (n->left)
        simplify(n->left);
    if (n->right)
        simplify(n->right);
    result = value(n);
    seen = 0;
}
__attribute__((noipa)) int compile(const struct node *n) { volatile int before = n->kind; simplify(n); return result + before; }
const struct node two = {0, 2}, five = {0, 5}, sum = {1, 0, 0, &two, &five}, raised = {7, 0, power, &sum, &two}, top = {7, 0, larger, &raised, &five};
int main(void)
{
    for (int i = 0; i < 8; i++)
        result += pick(i, i, i == 6 ? power : larger);
    return (compile(&top) + compile(&raised)) & 0x7f;
}
"""
# nobody but `outer` calls what `called` points to
TABLE = """
volatile int seen;
__attribute__((noipa)) int leaf(int a) { seen = a; return a + 1; }
int (*volatile called)(int) = leaf;
__attribute__((noipa)) int outer(int a) { return called(a) * 2; }
__attribute__((noipa)) int turn(int kind, int a)
{
    switch (kind & 7) {
    case 0: return a + 1;
    case 1: return a * 3;
    case 2: seen = a; return 2;
    case 3: return a ^ 5;
    case 4: seen = 4; return a - 9;
    case 5: return a << 2;
    case 6: return ~a;
    default: seen = 7; return -a;
    }
}
int main(void) { return (turn(seen, 4) + outer(2)) & 0x7f; }
"""
STATEMENTS = ("when enter(power) { print power\\a, power\\b }", "when enter(larger) { print larger\\a, larger\\b }",
              "when enter(value) { print value\\n }", "when write(compile\\before) { print }", "when enter(main:compile) { print }")


def paths_go_through_what_is_handed_on():
    """Each call of what is called by pointers alone has its hit, whichever procedures else statements are about."""
    with Program(SOURCE) as program:
        wanted = program.natively()
        for level in "-O0", "-Og", "-O1", "-O2", "-O3", "-Os":
            made = program.target(level)
            for others in range(1 << (len(STATEMENTS) - 2)):
                chosen = [*STATEMENTS[:2], *(text for i, text in enumerate(STATEMENTS[2:]) if others >> i & 1)]
                words = [word for i, text in enumerate(chosen) for word in ("-e", f"s{i}: {text}")]
                done = subprocess.run([EARSHOT, "watch", made, "--json", "--replay", *words], capture_output=True, text=True, check=False)
                told = [event for event in map(json.loads, done.stdout.splitlines()) if event["event"] == "hit" and event["statement"] in ("s0", "s1")]
                assert [list(event["values"].values()) for event in told] == wanted, (level, chosen, told, wanted, done.stderr)


def locals_in_memory_are_found_there():
    """The same on the probe, whose tables of paths know which calls there can be: `all` is in the frame."""
    statements = "s0: when write(power\\all) { print power\\all }", "s1: when write(compile\\before) { print }", "s2: enter(value)"
    with Program(SOURCE) as program:
        told = {}
        for level in "-O0", "-O2", "-Os":
            done = subprocess.run([EARSHOT, "watch", program.target(level), "--json", "--probe-only", *(word for text in statements for word in ("-e", text))],
                                  capture_output=True, text=True, check=False)
            events = [json.loads(line) for line in done.stdout.splitlines()]
            told[level] = [(event["statement"], *event["values"].values()) for event in events if event["event"] == "hit"]
            assert ("s0", 49) in told[level], (level, done.stdout, done.stderr)
        assert told["-O2"] == told["-O0"] == told["-Os"], told


def a_table_is_no_call():
    """A switch's jump leads to nobody else: `main` does not come to `leaf` by the table of `turn`, and a path that would is refused."""
    with Program(TABLE) as program:
        for level in "-O1", "-O2", "-O3", "-Os":
            made = program.target(level)
            refused = subprocess.run([EARSHOT, "watch", made, "-q", "-e", "enter(main:leaf)"], capture_output=True, text=True, check=False)
            assert refused.returncode == 2 and "main does not call leaf" in refused.stderr, (level, refused)


if __name__ == "__main__":
    sys.exit(run_all([paths_go_through_what_is_handed_on, locals_in_memory_are_found_there, a_table_is_no_call]))
