#!/usr/bin/python3
"""Drives the real `earshot` on kernels that name things as the usual ones do: their tasks are told apart, and called by their own names,
without being asked for. Truth is what each task prints itself."""
import json
import os
import re
import sys

from driven import BUILD, USAGE, equal, run, watch
from harness import run_all

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels.c")
KERNELS = {1: ("FreeRTOS", "pxCurrentTCB"), 2: ("Zephyr", "_kernel.cpus[0].current"), 3: ("ThreadX", "_tx_thread_current_ptr"),
           4: ("RT-Thread", "rt_current_thread"), 5: ("RT-Thread", "_cpu.current_thread"), 6: ("\u00b5C/OS-II", "OSTCBCur"),
           7: ("\u00b5C/OS-III", "OSTCBCurPtr")}
NOT_A_POINTER = 8
WRITES = {number for number, line in enumerate(open(SOURCE), 1) if re.fullmatch(r"    n(\+\+| \*= 2);\n", line)}
N = "write(work\\n) { print work\\n }"


def elf(kernel):
    return os.path.join(BUILD, f"tests/cli/kernels{kernel}.elf")


def told(result):
    """(what the hits say, what the program said, the summary)"""
    events = [json.loads(line) for line in result.stdout.splitlines()]
    hits = [(event.get("task"), event["values"]["work\\n"]) for event in events if event["event"] == "hit" and event["line"] in WRITES]
    printed = [event["text"].split() for event in events if event["event"] == "console"]
    return hits, [(name, int(n)) for name, n in printed], events[-1]


def names(kernel, variable, *options):
    result = watch(elf(kernel), "--json", *options, "-e", N)
    equal(result.returncode, 0)
    hits, printed, summary = told(result)
    assert len(printed) == 16 and {name for name, _ in printed} == {"main", "ping", "pong"}, printed
    printed[0] = (None, printed[0][1])  # before the first switch, main is nobody's task
    equal(hits, printed)
    equal(summary["tasks_by"], variable)
    return result, summary


def usual_kernels_are_known():
    for kernel, (name, variable) in KERNELS.items():
        result, summary = names(kernel, variable)
        equal(summary["kernel"], name)
        assert f"earshot: {variable} says which task runs, as in {name} (" in result.stderr, result.stderr


def a_named_variable_wins():
    """Then nothing is said of kernels; names are found all the same."""
    result, summary = names(1, "pxCurrentTCB", "--task", "pxCurrentTCB")
    assert "kernel" not in summary and "says which task runs" not in result.stderr, result.stderr
    result = watch(elf(1), "--json", "--task", "at", "-e", N)
    equal(told(result)[2]["tasks_by"], "at")
    result = watch(elf(1), "-q", "-e", "tasks pxCurrentTCB\n" + N)
    assert "  ping  " in result.stdout, result.stdout


def none_does_without():
    for option in (["--task", "none"], ["-e", "tasks none"]):
        result = watch(elf(1), "--json", *option, "-e", N)
        equal(result.returncode, 0)
        summary = told(result)[2]
        assert "kernel" not in summary and "tasks_by" not in summary and '"task"' not in result.stdout, result.stdout
    result = watch(elf(1), "--task", "none", "--task", "pxCurrentTCB", "-e", N)
    equal(result.returncode, USAGE)
    assert "it is none already" in result.stderr, result.stderr


def the_name_alone_is_no_kernel():
    """A float, and no pointer at all, is what somebody else called so."""
    result = watch(elf(NOT_A_POINTER), "--json", "-e", N)
    assert '"tasks_by"' not in result.stdout and "says which task runs" not in result.stderr, result.stderr


def check_knows_them_too():
    result = run("check", elf(1), "-e", "work\\n > 3")
    assert "earshot: pxCurrentTCB says which task runs, as in FreeRTOS" in result.stderr, result.stderr
    assert re.search(r"^  switch +\d", result.stdout, re.MULTILINE), result.stdout


if __name__ == "__main__":
    sys.exit(run_all([usual_kernels_are_known, a_named_variable_wins, none_does_without, the_name_alone_is_no_kernel,
                      check_knows_them_too]))
