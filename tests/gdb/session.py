#!/usr/bin/python3
"""The real gdb at the tests' timeline: breakpoints, watchpoints and steps in both directions, against what the reference target's processor
retired of the same program, and against its source."""
import math
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
from harness import run_all  # noqa: E402
import serving  # noqa: E402
from serving import AT, BUILD, READ, STORE, in_gdb, lines_of, retired, stored, symbol  # noqa: E402


def program(name, level):
    return os.path.join(BUILD, f"examples/{name}-{level}.elf")


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value


def writes_of(path, log, address, size):
    """(old, new, pc of the store) of each store that changes what is there, the first one with what it wrote at first."""
    value, changes = None, []
    for kind, written, pc, at, data, *_ in log:
        if kind == STORE and at == address & ~3 and written >> (address & 3) & 1:
            new = signed(stored(path, address, size, data), 8 * size)
            if new != value:
                changes.append([str(value), str(new), pc])
            value = new
    return changes


def check_watch(name, level, variable, size=4, server=serving.double):
    path = program(name, level)
    wanted = writes_of(path, retired(path), symbol(path, variable), size)[1:]  # the first is start-up code's clearing, or nothing
    found = in_gdb(path, "watch", "watch", variable, server=server)
    forward = [hit[:2] for hit in found["forward"] if hit[0] is not None]  # before it was cleared its value was not known
    assert len(wanted) > 3 and forward[-len(wanted):] == [store[:2] for store in wanted] and len(forward) <= len(wanted) + 1, (wanted, forward)
    backward = [hit for hit in found["backward"] if hit[1] is not None]
    assert [hit[:2] for hit in backward] == [[new, old] for old, new in reversed(forward)], (forward, backward)
    after = [hit[2] for hit in found["forward"]][-len(wanted):]
    assert all(pc - store[2] in (2, 4) for pc, store in zip(after, wanted)), (wanted, after)
    # backwards it stops where the store has not been executed yet
    assert [hit[2] for hit in backward][:len(wanted)] == [store[2] for store in reversed(wanted)], (wanted, backward)
    assert found["pc"] == 0, found["pc"]


def watch_forwards_and_backwards():
    check_watch("thermostat", "O0", "temp")


def watch_optimised():
    check_watch("recursion", "O2", "depth")


def watch_reads():
    """Each load is met once in each direction, whatever it reads."""
    path = program("recursion", "O2")
    address = symbol(path, "deepest")
    log = retired(path, "--read", hex(address))
    wanted = sum(kind == READ and at == address for kind, _, _, at, *_ in log)
    found = in_gdb(path, "watch", "rwatch", "deepest")
    assert len(found["forward"]) == len(found["backward"]) == wanted > 10, (wanted, len(found["forward"]), len(found["backward"]))
    wanted += sum(kind == STORE and at == address for kind, _, _, at, *_ in log)
    found = in_gdb(path, "watch", "awatch", "deepest")
    assert len(found["forward"]) == len(found["backward"]) == wanted, (wanted, len(found["forward"]), len(found["backward"]))


def break_forwards_and_backwards():
    """Each time that the instruction retired, with the stack pointer of then."""
    for level in "O0", "O2":
        path = program("recursion", level)
        address = symbol(path, "sort")
        wanted = [c for kind, _, pc, _, _, c, *_ in retired(path, "--at", hex(address)) if kind == AT and pc == address]
        found = in_gdb(path, "breakpoint", f"*{address}")
        assert [stop[0] for stop in found["forward"]] == wanted and len(wanted) > 20, (level, wanted, found["forward"][:3])
        assert found["backward"] == found["forward"][::-1], level


def frames_and_locals():
    """fact(n) calls fact(n - 1): what bt and info locals say in the innermost one is known from the source."""
    found = in_gdb(program("recursion", "O0"), "breakpoint", "fact if n == 1")
    for *_, said in found["forward"]:
        depth = [int(n) for n in re.findall(r"^#\d+ +(?:0x\w+ in )?fact \(n=(\d+)\)", said, re.MULTILINE)]
        assert depth == list(range(1, len(depth) + 1)), said
        assert re.search(r" in main \(\) at .*recursion\.c:\d+$", said, re.MULTILINE), said
    assert len(found["forward"]) >= 5 and found["backward"] == found["forward"][::-1], found["forward"]


def finish_and_back():
    """Returns the factorial of its argument; reverse-finish goes to the call."""
    path = program("recursion", "O0")
    found = in_gdb(path, "finish", "fact", 6)
    for one in found["finished"]:
        n = int(re.search(r"^n = (\d+)$", one["arguments"], re.MULTILINE).group(1))
        assert int(one["value"]) == math.factorial(n), one
    source = lines_of("examples/recursion/recursion.c")
    assert found["here"]["name"] == "fact" and re.search(r"\bfact\(", source[found["called"]["line"]]), found["called"]


def steps_and_back():
    """Forward steps go to lines of the program, and as many back come by the same places; single instructions exactly."""
    for level in "O0", "O2":
        path = program("thermostat", level)
        found = in_gdb(path, "steps", "control", "stepi", "reverse-stepi", 100)
        assert found["forward"] == found["backward"], level
    path = program("thermostat", "O0")
    found = in_gdb(path, "steps", "control", "next", "reverse-next", 12)
    lines = [place["line"] for place in found["forward"]]
    assert lines[:7] == [43, 44, 45, 46, 47, 48, 44], lines
    assert {place["name"] for place in found["backward"]} == {"control"}, found["backward"]
    found = in_gdb(path, "steps", "control", "step", "reverse-step", 12)
    assert [place["name"] for place in found["forward"]][3:6] == ["control", "sense", "target_random"], found["forward"]
    inside = [place["line"] for place in found["backward"] if place["name"] == "sense"]
    assert inside and inside[-1] == 25, found["backward"]  # into a function by its end


def what_is_not_known():
    said = in_gdb(program("thermostat", "O0"), "begin")
    assert len(re.findall("<unavailable>", said["registers"])) == 3 and "pc             0x0" in said["registers"], said["registers"]
    for what in "memory", "device":
        assert "Cannot access memory" in said[what], (what, said[what])
    for what in "set register", "set memory", "call":
        assert said[what].startswith("error: "), (what, said[what])
    assert said["back"] is None, said["back"]


def interrupts_are_stepped_over():
    """Whoever steps stays in the code that is interrupted, in both directions; or sees each instruction of the handler."""
    path = program("interrupts", "O0")
    over = in_gdb(path, "steps", "work", "stepi", "reverse-stepi", 1500)
    assert over["forward"] == over["backward"]
    assert "timer_isr" not in {place["name"] for place in over["forward"]}, over["forward"]
    into = in_gdb(path, "steps", "work", "stepi", "reverse-stepi", 1500, "into")
    assert into["forward"] == into["backward"]
    assert "timer_isr" in {place["name"] for place in into["forward"]}
    without = [place for place in into["forward"] if place["name"] not in ("timer_isr", "put", "target_timer_at", "target_random")]
    assert without == over["forward"][:len(without)], len(without)


def check_tasks(server):
    found = in_gdb(program("tasks", "O0"), "threads", "filter", 60, server=server)
    names = [name for name, _ in found]
    assert {name[0] for name in names} == {"producer", "consumer"}, names
    for name, listed in found:
        assert re.search(rf'^\* .*"{name[0]}" \(running\) +filter ', listed, re.MULTILINE), listed


def tasks_are_threads():
    check_tasks(lambda path: serving.double(path, "current"))


if __name__ == "__main__":
    sys.exit(run_all([watch_forwards_and_backwards, watch_optimised, watch_reads, break_forwards_and_backwards, frames_and_locals, finish_and_back,
                      steps_and_back, what_is_not_known, interrupts_are_stepped_over, tasks_are_threads]))
