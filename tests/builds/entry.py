#!/usr/bin/python3
"""Procedures whose entry is not where debug information lets them begin, code in RAM, and locals that one line declares. The truth is what
the program itself counts, and its source."""
import json
import os
import sys

from driven import BUILD, USAGE, equal, watch
from driven import run as earshot
from harness import run_all

# instructions for patching from the entry on, and before it; code among the variables, and where a user's own map has it
KINDS = [f"{place}-{level}" for place in ("patched-1", "patched-4,2", "patched-2,2", "among", "mapped", "both") for level in ("O0", "Og", "O2")]
CALLS = {"slow": 8, "fast": 8, "nest": 12, "many": 4}  # what the source says


def elf(name):
    return os.path.join(BUILD, "tests/builds", name + ".elf")


def line_of(source, mark):
    with open(f"tests/builds/{source}", encoding="utf-8") as text:
        return next(number for number, line in enumerate(text, 1) if f"@{mark} " in line)


def run(name, *statements):
    """The events of a run without complaint."""
    result = watch(elf(name), "--json", *(argument for statement in statements for argument in ("-e", statement)))
    assert result.returncode == 0, (name, statements, result.stderr)
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert events[-1]["lost"] == 0 and events[-1]["unknown"] == 0, (name, events[-1])
    return events


def counts(name, *statements):
    counted = run(name, *(f"when {statement} {{ count k{number} }}" for number, statement in enumerate(statements)))[-1]["counters"]
    return [counted[f"k{number}"] for number in range(len(statements))]


def hits(name, statement):
    return [event for event in run(name, statement) if event["event"] == "hit"]


def calls_are_counted():
    """At the entry, in paths, at the end; and each line's statement where it is executed."""
    for kind in KINDS:
        own = counts(kind, *(f"write(calls_of_{name}) && calls_of_{name} > 0" for name in CALLS))
        equal((kind, dict(zip(CALLS, own))), (kind, CALLS))
        for form in ("enter({0})", "leave({0})", "at(entry.c:{1})"):
            seen = counts(kind, *(form.format(name, line_of("entry.c", name)) for name in CALLS))
            equal((kind, form, dict(zip(CALLS, seen))), (kind, form, CALLS))
        equal((kind, counts(kind, "enter(main:fast:slow)", "enter(main:nest:nest)", "write(calls_of_nest) && main:nest[3]")),
              (kind, [8, 4, 4]))


def entries_have_their_place():
    for kind in KINDS:
        path, line = ["main", "fast"], line_of("entry.c", "fast")
        for hit in hits(kind, "enter(fast)"):
            equal((kind, hit["path"]), (kind, path))
            assert os.path.basename(hit["file"]) == "entry.c" and line - 3 <= hit["line"] <= line, (kind, hit)
        for hit in hits(kind, "write(calls_of_slow) && calls_of_slow > 0"):
            equal((kind, hit["path"]), (kind, path + ["slow"]))


def arguments_and_locals_are_known():
    for kind in KINDS:
        equal((kind, [hit["values"]["many\\tenth"] for hit in hits(kind, "enter(many) { print many\\tenth }")]), (kind, [10, 20, 30, 40]))
        equal((kind, [hit["values"]["fast\\local"] for hit in hits(kind, "at(entry.c:%d) { print fast\\local }" % line_of("entry.c", "fast_call"))]),
              (kind, [2, 2, 4, 4, 6, 6, 8, 8]))
        if kind.endswith("O0"):
            equal((kind, [hit["values"]["fast\\w"] for hit in hits(kind, "enter(fast) && fast\\w > 100 { print fast\\w }")]), (kind, [200] * 4))


def the_worst_case_is_known():
    """What lies among the variables can be followed as any code can."""
    result = earshot("check", elf("among-O0"), "-e", "enter(fast)")
    assert result.returncode == 0 and "guaranteed:" in result.stdout and "not guaranteed" not in result.stdout, result


def one_line_declares_several():
    twice, loops = line_of("twice.c", "twice"), line_of("twice.c", "loops")
    for local, values in ((f"f\\x@{twice}@1", [1, 2, 3]), (f"f\\x@{twice}@2", [10, 20, 30]),
                          (f"f\\i@{loops}@2", [50, 51, 50, 51, 52, 50, 51, 52, 53])):
        equal((local, [hit["values"][local] for hit in hits("twice", f"write({local})")]), (local, values))
    for statement, place, message in (
            ("f\\x > 1", "1:1", f"hint: line {twice} declares 2 of them, in blocks of their own, perhaps by a macro; choose one by its "
                                f"number, in their order: f\\x@{twice}@1\n"),
            (f"write(f\\x@{twice})", "1:7", f"in their order: f\\x@{twice}@1\n"),
            (f"f\\x@{twice}@3 > 1", "1:1", f"line {twice} of f declares 'x' only 2 times\n"),
            (f"f\\x@{twice}@0 > 1", f"1:{6 + len(str(twice))}", "expected a number: 1 for the first one that the line declares\n")):
        result = watch(elf("twice"), "-e", statement)
        equal(result.returncode, USAGE)
        assert message in result.stderr and f"-e:{place}: error:" in result.stderr, (statement, result.stderr)


if __name__ == "__main__":
    sys.exit(run_all([calls_are_counted, entries_have_their_place, arguments_and_locals_are_known, the_worst_case_is_known,
                      one_line_declares_several]))
