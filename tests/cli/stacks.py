#!/usr/bin/python3
"""Drives the real `earshot` on programs that switch stacks by hand, and on such that only look like it. Truth is what the program itself
prints at each write: who is active, and the value. What is reported is right; what is not is counted, and said."""
import json
import os
import re
import sys

from driven import BUILD, equal, run, watch
from harness import run_all

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stacks.c")
SWAP, CONTEXT, JUMP, CALL_ON, HONEST, ALLOCA, HANDLER = range(1, 8)
WRITES = {number for number, line in enumerate(open(SOURCE), 1) if line in ("    n += 1;\n", "    g = n;\n")}
STATEMENTS = ["-e", "n: when write(step\\n) { print step\\n }", "-e", "e: when enter(step) { print g }", "-e", "l: when leave(step) { print g }",
              "-e", "p: when write(g) && main:step { print g }", "-e", "g: when write(g) { print g }"]


def elf(shape):
    return os.path.join(BUILD, f"tests/cli/stacks{shape}.elf")


def told(shape, *options):
    result = watch(elf(shape), "--json", *options, *STATEMENTS)
    equal(result.returncode, 0)
    events = [json.loads(line) for line in result.stdout.splitlines()]
    hits = {name: [] for name in "nelpg"}
    for event in events:
        if event["event"] == "hit" and (event["statement"] in "el" or event["line"] in WRITES):
            hits[event["statement"]].append((event["path"], *event["values"].values()))
    truth = []
    for event in events:
        if event["event"] == "console":
            *path, value = event["text"].split()
            truth.append((path, int(value)))
    assert len(truth) >= 6, truth
    return hits, truth, events[-1]


def in_order(got, truth):
    """Each hit is one of the truth's, in its order; where its path is unknown, by its value."""
    left = iter(truth)
    for path, value in got:
        assert any(value == number and path in (None, procedures) for procedures, number in left), (path, value, got, truth)


def returned(truth):
    """What g becomes when step returns: the second of each two values, if the program came to that."""
    return [(path, n) for path, n in truth if n % 2 == 0]


def nothing_is_wrong_after_a_switch():
    for shape in SWAP, CONTEXT, JUMP, CALL_ON:
        hits, truth, summary = told(shape)
        in_order(hits["n"], truth)
        in_order(hits["g"], returned(truth))
        in_order(hits["p"], [(path, n) for path, n in returned(truth) if path == ["main", "step"]])
        equal(len(hits["g"]), len(returned(truth)))  # what is static is seen on any stack
        equal(len(hits["e"]), len([n for _, n in truth if n % 2]))  # calls too
        assert all(path is None or [*path] in [p for p, _ in truth] for path, _ in hits["e"] + hits["l"]), hits
        assert 0 < len(hits["n"]) < len(truth) and summary["unknown"] >= len(truth) - len(hits["n"]), (hits, summary)


def the_summary_says_where_and_what_to_name():
    names = {SWAP: "swap", CONTEXT: "switch_context", JUMP: "longjmp", CALL_ON: "call_on"}
    for shape, name in names.items():
        _, truth, summary = told(shape)
        assert summary["stack_switches"] >= (1 if shape == CALL_ON else 10), summary
        assert len(summary["switched_in"]) == 1 and re.fullmatch(name + r" \(\S+:\d+\)", summary["switched_in"][0]), summary
        equal(summary["task_candidates"], ["running"] if shape == CONTEXT else [])
    text = watch(elf(CONTEXT), "-e", "write(step\\n)").stdout
    assert re.search(r"\n  stacks were switched 11 times, in switch_context \(tests/cli/stacks\.c:\d+\): paths and locals are unknown from "
                     r"the first on; if one of these says whose stack it is, name it: --task running\n", text), text
    text = watch(elf(SWAP), "-e", "write(step\\n)").stdout
    assert "let a variable say whose stack it is, write it before each switch, and name it: --task VARIABLE\n" in text, text


def what_is_named_tells_all():
    """The variable that was proposed: every write, each with its path."""
    hits, truth, summary = told(CONTEXT, "--task", "running")
    equal(hits["n"], truth)
    assert "stack_switches" not in summary and not summary["unknown"], summary


def one_stack_is_no_switch():
    """Real longjmp, alloca, arrays of variable length, and handlers with a stack of their own: all as without."""
    for shape in HONEST, ALLOCA, HANDLER:
        hits, truth, summary = told(shape)
        equal(hits["n"], truth)
        equal(hits["g"], returned(truth))
        assert "stack_switches" not in summary and not summary["unknown"], (shape, summary)


def check_refuses_and_says_what_to_name():
    result = run("check", elf(CONTEXT), "-e", "step\\n > 3")
    equal(result.returncode, 1)
    assert "--task running" in result.stdout, result.stdout


if __name__ == "__main__":
    sys.exit(run_all([nothing_is_wrong_after_a_switch, the_summary_says_where_and_what_to_name, what_is_named_tells_all,
                      one_stack_is_no_switch, check_refuses_and_says_what_to_name]))
