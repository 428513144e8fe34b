#!/usr/bin/python3
"""One program, built with each kind of debug information: the same hits, or a message that says what is missing. What the hits are follows
from the source."""
import json
import os
import subprocess
import sys
import tempfile

from driven import BUILD, USAGE, equal, run, watch
from harness import run_all

KINDS = ("plain", "lto", "lto-O2", "lto-parts", "types", "types-dwarf4", "macros")  # in which nothing is missing
SPLIT = "which are not read: compile without -gsplit-dwarf\n"
NO_TYPES = "compiled with -g1 or for line numbers only, without types, locals and static variables: compile with -g\n"


def elf(kind):
    return os.path.join(BUILD, "tests/builds", kind + ".elf")


def values(kind, statement, name):
    """What a statement's hits print."""
    result = watch(elf(kind), "--json", "-e", statement + " { print " + name + " }")
    assert result.returncode == 0, (kind, statement, result.stderr)
    events = [json.loads(line) for line in result.stdout.splitlines()]
    return [event["values"][name] for event in events if event["event"] == "hit"]


def refused(kind, statement, *texts):
    result = watch(elf(kind), "-e", statement)
    equal(result.returncode, USAGE)
    for text in texts:
        assert text in result.stderr, (kind, statement, result.stderr)
    assert "did you mean" not in result.stderr, result.stderr


def globals_have_one_meaning():
    """Link-time optimisation describes each variable twice."""
    for kind in KINDS:
        equal(values(kind, "write(total) && total > 0", "total"), [1, 3, 6, 10])
        equal(values(kind, "pair.a > 2", "pair.a"), [3, 4])
        equal(values(kind, "main.c\\hidden > 3", "main.c\\hidden"), [4, 5, 6])
        equal(values(kind, "queue.c\\hidden > 5", "queue.c\\hidden"), [6, 7, 8])
        equal(values(kind, "work\\calls > 2", "work\\calls"), [3, 4, 5])


def what_another_file_defines_is_known():
    for kind in KINDS:
        equal(values(kind, "queue->waiting > 3", "queue->waiting"), [4, 7, 11])
        equal(values(kind, "queue->next == queue && queue->order == LAST && write(queue->waiting)", "queue->level"), [2, 3, 4, 5, 6])
        equal(values(kind, "queue[0].waiting > 7", "queue[0].waiting"), [11])


def types_in_sections_of_their_own():
    """Where the program's own unit has no more of a type than its signature, `earshot list` shows the same as without such sections."""
    with tempfile.TemporaryDirectory() as scratch:
        source = os.path.join(scratch, "types.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write("struct node { struct node *next; short load; struct { short a, b; } in[2]; } nodes[3] = {{&nodes[1], 1, {{2, 3}}}}, *now = nodes;\n"
                       "struct point { double x; long long big; } last;\nunion mix { struct point at; int whole; } mix;\n"
                       "enum color { RED, GREEN } color;\nstatic struct point middle(struct point a) { a.x /= 2; return a; }\n"
                       "int main(void) { last = middle(last); mix.at = last; color = GREEN; now->load = 3; return 0; }\n")
        shown = []
        for kind in "-gdwarf-5", "-gdwarf-4", "-fdebug-types-section", "-fdebug-types-section -gdwarf-4":
            program = os.path.join(scratch, "types.elf")
            subprocess.run(["scripts/target-cc", "-O0", *kind.split(), source, "-o", program], check=True)
            shown.append(run("list", program).stdout)
            hits = watch(program, "--quiet", "-e", "write(nodes[0].load) { print nodes[0].load, now->in[0].b }")
            assert "nodes[0].load=3 now->in[0].b=3" in hits.stdout, (kind, hits)
        assert "struct node [3]" in shown[0] and all(one == shown[0] for one in shown), shown


def shared_prologues():
    """With -msave-restore, libgcc makes and takes down the frames: arguments and results are what they are without."""
    statements = ("leave(fact) { print result(fact) }", "enter(fact) { print fact\\n }", "leave(middle) { print result(middle).x, result(middle).big }",
                  "enter(middle) { print middle\\a.x, middle\\k }", "leave(mix) { print result(mix) }", "enter(mix) { print mix\\a, mix\\b }")
    with tempfile.TemporaryDirectory() as scratch:
        source, program = os.path.join(scratch, "saved.c"), os.path.join(scratch, "saved.elf")
        with open(source, "w", encoding="utf-8") as file:
            file.write("struct point { double x; long long big; } last;\n__attribute__((noipa)) int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }\n"
                       "__attribute__((noipa)) struct point middle(struct point a, int k)\n{\n    struct point m = {a.x / k, a.big * k};\n    return m;\n}\n"
                       "__attribute__((noipa)) int mix(int a, int b) { int c = fact(a & 3), d = fact(b & 3); return a * c - b * d; }\nint out;\n"
                       "int main(void)\n{\n    last = (struct point){1e6, 7};\n    for (int k = 1; k < 6; k++) {\n        last = middle(last, k);\n        out += mix(k, out);\n    }\n"
                       "    return 0;\n}\n")
        told = []
        for flag in "-mno-save-restore", "-msave-restore":
            subprocess.run(["scripts/target-cc", "-O1", flag, source, "-o", program], check=True)
            done = watch(program, "--json", *(word for statement in statements for word in ("-e", statement)))
            told.append([(hit["statement"], *hit["values"].values()) for hit in map(json.loads, done.stdout.splitlines()) if hit["event"] == "hit"])
        assert len(told[0]) > 40 and not any(None in hit for hit in told[0]), told[0]
        equal(told[1], told[0])


def what_nothing_defines_is_said():
    refused("plain", "nothing->x == 1", "struct nothing is only declared in what was compiled with -g")
    refused("plain", "nothing[2].x == 1", "what nothing points to has no size: struct nothing is only declared")
    refused("plain", "mode->speed == 1", "struct mode is only declared where this is, and defined in tests/builds/", "and otherwise in")
    refused("partly", "queue->waiting > 3", "struct queue is only declared in what was compiled with -g: compile the file that defines it")


def what_is_left_out_is_said():
    for kind in ("split", "split-dwarf4"):
        for statement in ("total > 3", "work\\v > 3", "work\\calls > 3", "main.c\\hidden > 3", "queue->waiting > 3", "enter(nobody)"):
            refused(kind, statement, "hint: debug information lies in other files (", SPLIT)
        hits = watch(elf(kind), "-e", "enter(work)", "-e", "at(main.c:24)")
        assert hits.stdout.count("main > work") == 10 and hits.stdout.count("main.c:") == 10, hits
    refused("lines", "total > 3", "'main.c\\total' is not observable: its debug information has no types: compile its file with -g, not -g1")
    refused("lines", "work\\v > 3", "hint: tests/builds/main.c was " + NO_TYPES)
    refused("lines", "totl > 3", "tests/builds/main.c, tests/builds/queue.c, tests/builds/other.c were " + NO_TYPES)
    refused("lines", "queue.c\\hidden > 3", "hint: it is in the program, at 0x0002", "not in its debug information: compile queue.c with -g")
    refused("partly", "queue.c\\hidden > 3", "hint: it is in the program, at 0x0002", "not in its debug information: compile queue.c with -g")
    refused("partly", "queue_put\\n > 3", "procedure 'queue_put' has no variable 'n'", "hint: compile its file with -g")


if __name__ == "__main__":
    sys.exit(run_all([globals_have_one_meaning, what_another_file_defines_is_known, types_in_sections_of_their_own, shared_prologues, what_nothing_defines_is_said,
                      what_is_left_out_is_said]))
