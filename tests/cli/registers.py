#!/usr/bin/python3
"""Drives the real `earshot` on optimised code: what is reported about locals that are in registers all the time, or at times."""
import json
import os
import sys

from driven import BUILD, USAGE, equal, watch
from harness import run_all

ELF = os.path.join(BUILD, "tests/cli/registers.elf")
V7 = "tests/cli/registers.c:15-25"


def hits(result):
    return [event for event in map(json.loads, result.stdout.splitlines()) if event["event"] == "hit"]


def what_is_observed_at_times_is_said():
    """A warning on stderr, once for a variable, also with --quiet; and in the summary of JSON."""
    warning = (f"earshot: warning: many\\v7 is observed only while the stack holds it, in {V7}; in the rest of many it is in register t4 "
               "in tests/cli/registers.c:16-17: compile this file with -O0, or make it volatile or static\n")
    result = watch(ELF, "--quiet", "-e", "many\\v7 > 3", "-e", "write(g) { print many\\v7 }")
    equal(result.returncode, 0)
    equal(result.stderr, warning)
    result = watch(ELF, "--json", "-e", "many\\v7 > 3")
    assert result.stderr.startswith(warning), result.stderr
    equal([hit["values"] for hit in hits(result)], [{"many\\v7": value} for value in (7, 9, 11)])
    equal(json.loads(result.stdout.splitlines()[-1])["observed_in_part"],
          [{"procedure": "many", "variable": "v7", "observed_in": V7, "elsewhere": "is in register t4 in tests/cli/registers.c:16-17"}])
    result = watch(ELF, "--json", "-e", "g == 3")
    assert "observed_in_part" not in result.stdout and "warning" not in result.stderr, result


def what_is_in_a_register_is_refused():
    result = watch(ELF, "--probe-only", "-e", "many\\v0 > 3")
    equal(result.returncode, USAGE)
    equal(result.stderr, "-e:1:1: error: 'many\\v0' is not observable: is in register s0 in tests/cli/registers.c:15-24: compile this "
                         "file with -O0, or make it volatile or static\n  many\\v0 > 3\n  ^~~~~~~\n")


def arguments_on_the_stack():
    """From the procedure's first instruction on; one that stays there is as any other local."""
    result = watch(ELF, "--json", "-e", "enter(many) && many\\ninth > 3 { print many\\ninth, many\\tenth }",
                   "-e", "enter(down) && down\\depth < 2 { print down\\depth }")
    equal([list(hit["values"].values())[0] for hit in hits(result)], [9, 1, 0])
    assert result.stderr.count("warning") == 1 and "many\\ninth is observed only" in result.stderr, result.stderr


def while_a_callee_runs():
    """leaf writes g while many's v8 is on the stack; with the innermost activation's depth in a recursion."""
    result = watch(ELF, "--json", "-e", "write(g) { print many\\v8 }", "-e", "write(g) && down\\depth >= 0 { print g, down\\depth }")
    of = [hit["path"][-1] for hit in hits(result) if hit["statement"] == "s1"]
    assert of.count("leaf") == 8 and of.count("many") == 4, of
    equal([list(hit["values"].values()) for hit in hits(result) if hit["statement"] == "s2"], [[2, 0], [3, 1], [4, 2]])


def what_was_before():
    """v8 is `in` in each of three rounds, in which leaf counts that twice: 7, 9, 11. What was there before the first is nobody's."""
    def values(statement):
        result = watch(ELF, "--json", "-e", statement)
        return [list(hit["values"].values()) for hit in hits(result)], json.loads(result.stdout.splitlines()[-1])["unknown"]
    equal(values("write(many\\v8) { print many\\v8, old(many\\v8) }"), ([[7, None], [9, 7], [11, 9]], 0))
    equal(values("many\\v8 becomes 9 { print many\\v8 }"), ([[9]], 0))
    equal(values("read(many\\v8) { print many\\v8 }"), ([[7], [9], [11]], 0))
    ages, unknown = values("write(many\\v8) { print age(many\\v8) }")
    assert len(ages) == 3 and ages[0] == [None] and ages[1] == ages[2] and unknown == 0, (ages, unknown)
    equal(values("write(many\\v8) then write(g) { snapshot many\\v8 }"), ([[7], [9], [11]], 0))


def what_needs_more_is_refused():
    hint = "hint: compile its file with -O0, make it volatile, or copy it to a global\n"
    for statement, column, why in (
            ("many\\v7 > 3 for 10us", 1, "and `for` needs it until the time is over"),
            ("many\\v7 unchanged for 10us", 1, "and `for` needs it until the time is over"),
            ("many\\tenth[many\\v7 & 3] > 3", 1, "where it leads to cannot be followed")):
        result = watch(ELF, "--probe-only", "-e", statement)
        equal(result.returncode, USAGE)
        first = result.stderr.splitlines()[0]
        assert first.startswith(f"-e:1:{column}: error: many\\v7 is in memory only in {V7}") and first.endswith(why), result.stderr
        assert result.stderr.endswith(hint), result.stderr
        told = watch(ELF, "-e", statement)   # the replay has what the probe has not
        assert told.returncode == 0 and "evaluated on the replay, as the probe cannot do it: -e:1:1: error: many\\v7 is" in told.stderr, told.stderr


TESTS = [what_is_observed_at_times_is_said, what_is_in_a_register_is_refused, arguments_on_the_stack, while_a_callee_runs, what_was_before,
         what_needs_more_is_refused]

if __name__ == "__main__":
    sys.exit(run_all(TESTS))
