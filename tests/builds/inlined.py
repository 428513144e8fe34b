#!/usr/bin/python3
"""What is reported about optimised code: how often its procedures and lines are executed. The truth is what the program itself counts."""
import json
import os
import sys

from driven import BUILD, USAGE, equal, watch
from harness import run_all

SOURCE = "tests/builds/inlined.c"
LEVELS = ("O0", "Og", "O1", "Os", "O2", "O3")
# what the source says: user runs for n = 0 to 7, nested in the odd ones, and main calls what is kept once
CALLS = {"scale": 8 + 4 + 1, "partly": 16, "spin": 8, "clone": 8, "nested": 4, "user": 8}


def elf(level):
    return os.path.join(BUILD, "tests/builds", f"inlined-{level}.elf")


def line_of(mark):
    with open(SOURCE, encoding="utf-8") as source:
        return next(number for number, line in enumerate(source, 1) if f"@{mark} " in line)


def count(level, *statements, options=()):
    """How often each of the statements is true, and what is said on stderr."""
    arguments = [argument for number, statement in enumerate(statements) for argument in ("-e", f"when {statement} {{ count k{number} }}")]
    result = watch(elf(level), "--json", "--quiet", *options, *arguments)
    assert result.returncode == 0, (level, statements, result.stderr)
    counters = json.loads(result.stdout.splitlines()[-1])["counters"]
    return [counters[f"k{number}"] for number in range(len(statements))], result.stderr


def the_program_counts_so():
    for level in LEVELS:
        names = [name for name in CALLS if name != "user"]
        counted, _ = count(level, *(f"write(calls_of_{name}) && calls_of_{name} > 0" for name in names))
        equal(counted, [CALLS[name] for name in names])


def lines_are_counted_once():
    """A line's instructions are scattered by the optimiser; each execution of its statement is one event."""
    lines = {"scale": 13, "scale_next": 13, "partly": 16, "partly_if": 16, "spin": 8, "clone": 8, "nested": 4, "user": 8, "user_odd": 4}
    for level in LEVELS:
        counted, _ = count(level, *(f"at(inlined.c:{line_of(mark)})" for mark in lines))
        equal((level, dict(zip(lines, counted))), (level, lines))


def calls_are_counted_wherever_they_are():
    """Inlined copies, copies for some arguments, and what is left of a procedure whose beginning was inlined."""
    inlined = 0
    for level in LEVELS:
        counted, said = count(level, *(f"enter({name})" for name in CALLS))
        equal((level, dict(zip(CALLS, counted))), (level, CALLS))
        inlined += said.count("inlined copies of it begin")
    assert inlined > 10, inlined  # the test is about something
    counted, said = count("O2", "enter(scale)")
    equal(said, "earshot: warning: enter(scale) is true, too, where the first statement of inlined copies of it begins, in user "
                f"(inlined.c:{line_of('user')}), user (inlined.c:{line_of('nested') + 1})\n")
    counted, said = count("O0", *(f"enter({name})" for name in CALLS))
    equal(said, "")


def hits_say_that_they_are_inlined():
    result = watch(elf("O2"), "--json", "-e", "enter(scale)")
    events = [json.loads(line) for line in result.stdout.splitlines()]
    hits = [(event["path"], event.get("inlined")) for event in events if event["event"] == "hit"]
    equal(hits.count((["main", "user"], "scale")), 12)
    equal(hits.count((["main", "scale"], None)), 1)
    text = watch(elf("O2"), "-e", "enter(scale)").stdout
    equal((text.count("main > user > scale (inlined)"), text.count("main > scale ")), (12, 1))


def what_inlined_copies_have_not_is_said():
    """No bus shows where they end."""
    where = f"in user (inlined.c:{line_of('user')}), user (inlined.c:{line_of('nested') + 1})"
    scale = f"{where}: give scale the attribute noinline"
    counted, said = count("O2", "leave(scale)")
    equal((counted, said), ([1], f"earshot: warning: leave(scale) is not true at the end of inlined copies of it, {where}: --replay knows where "
                                 "they end; or give scale the attribute noinline\n"))
    for path in ("enter(main:scale)", "main:scale && sum != 0"):
        counted, said = count("O2", path)
        equal(said, f"earshot: warning: main:scale means calls of scale's own code only, not its inlined copies {scale}\n")
    for statement, message in (
            ("leave(partly)", "the compiler has inlined the beginning of 'partly' where it is called, and made a procedure of the rest only"),
            ("enter(main:partly)", "the compiler has inlined the beginning of 'partly' where it is called"),
            ("leave(spin)", "'spin' is nowhere left: instructions of inlined copies stand among their callers', in main"),
            ("leave(user:scale)", "scale was inlined into user, and no bus shows where its copies end"),
            ("sum != 0 && user:scale", "scale was inlined into user, and no bus shows whether a copy of it is active")):
        result = watch(elf("O2"), "--probe-only", "-e", statement)
        equal(result.returncode, USAGE)
        assert message in result.stderr, result.stderr


def the_replay_knows_their_ends():
    """As often as they begin; and paths lead to them, on the probe too where they begin."""
    for level in LEVELS:
        names = [name for name in CALLS if name != "partly"]
        counted, _ = count(level, *(f"leave({name})" for name in names), "enter(user:scale)", "leave(user:scale)", options=["--replay"])
        # at Os nested is inlined, and calls scale: it is user's activation that calls
        user_scale = 12 if level == "Os" else 8
        equal((level, counted), (level, [CALLS[name] for name in names] + [user_scale] * 2))
    counted, _ = count("O2", "leave(partly)", "enter(main:scale)", options=["--replay"])
    equal(counted, [16, 1])
    equal(count("O2", "enter(user:scale)", options=["--probe-only"])[0], [8])


if __name__ == "__main__":
    sys.exit(run_all([the_program_counts_so, lines_are_counted_once, calls_are_counted_wherever_they_are, hits_say_that_they_are_inlined,
                      what_inlined_copies_have_not_is_said, the_replay_knows_their_ends]))
