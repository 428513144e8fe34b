#!/usr/bin/python3
"""What is told of optimised code: how often its procedures and lines are executed. The truth is what the program itself counts."""
import json
import os
import sys

from command_line import BUILD, equal, watch
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


def count(level, *statements):
    """How often each of the statements is true, and what is said on stderr."""
    arguments = [argument for number, statement in enumerate(statements) for argument in ("-e", f"when {statement} {{ count k{number} }}")]
    result = watch(elf(level), "--json", "--quiet", *arguments)
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


if __name__ == "__main__":
    sys.exit(run_all([the_program_counts_so, lines_are_counted_once]))
