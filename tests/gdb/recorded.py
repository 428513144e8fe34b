#!/usr/bin/python3
"""The real gdb at recordings of the simulated target: what it stops at, forwards and backwards, is what the target's processor retired."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
from harness import run_all  # noqa: E402
from serving import AT, BUILD, Recorded, in_gdb, retired, symbol  # noqa: E402
import session  # noqa: E402


def program(name, level):
    return os.path.join(BUILD, f"examples/{name}-{level}.elf")


def check_break(name, level, procedure):
    """Each time that the procedure's first instruction retired, with the stack pointer of then."""
    path = program(name, level)
    address = symbol(path, procedure)
    wanted = [c for kind, _, pc, _, _, c, *_ in retired(path, "--at", hex(address)) if kind == AT and pc == address]
    found = in_gdb(path, "breakpoint", f"*{address}", server=Recorded)
    forward, backward = [stop[0] for stop in found["forward"]], [stop[0] for stop in found["backward"]]
    assert forward == wanted and backward == wanted[::-1] and len(wanted) > 5, (len(wanted), len(forward), len(backward))


def interrupt_handlers():
    check_break("interrupts", "O2", "timer_isr")


def nested_interrupts():
    check_break("nested", "O0", "on_alarm")


def values():
    for name, variable, size in ("interrupts", "dropped", 2), ("nested", "ticks", 4):
        session.check_watch(name, "O2", variable, size, server=Recorded)


def tasks():
    session.check_tasks(lambda path: Recorded(path, "--task", "current"))


if __name__ == "__main__":
    sys.exit(run_all([interrupt_handlers, nested_interrupts, values, tasks]))
